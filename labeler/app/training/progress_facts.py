"""A labeler's training progress, read from the study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from labeler.app.training.spaced_repetition import due_wnids, end_of_day
from labeler.app.training.viewer import TrainingViewer
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.study.entities import Role
from labeler.core.training.answer_record import (
    TrainingFilter,
    TrainingRecord,
    build_training_record,
    local_date,
)
from labeler.core.training.answers import TrainingAnswer
from labeler.core.training.families import (
    ProgressFamily,
    explaining_families,
    families_by_superclass,
    progress_families,
)
from labeler.core.training.progress import (
    ClassScores,
    ClassSetScores,
    ConfusedPair,
    DayScore,
    SessionScore,
    TrainingScore,
    confused_pairs,
    overall_score,
    scores_by_class,
    scores_by_class_set,
    scores_by_day,
    scores_by_session,
    session_numbers,
    week_start,
)
from labeler.core.training.suggestions import (
    SuggestionInput,
    TrainingSuggestion,
    training_suggestions,
)
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressFacts:
    """The data of the progress screen for one labeler; `people` are those a lead can choose.

    `by_superclass` has each class in one family. `classes` are those that training offers or the
    labeler has met, `offered` counts the training images of each.
    """

    code: str
    people: tuple[str, ...]
    today: date
    answers: tuple[TrainingAnswer, ...]
    record: TrainingRecord
    overall: TrainingScore
    lately: TrainingScore
    days: tuple[DayScore, ...]
    sessions: tuple[SessionScore, ...]
    families: tuple[tuple[ProgressFamily, ClassSetScores], ...]
    by_superclass: tuple[tuple[str, tuple[tuple[ProgressFamily, ClassSetScores], ...]], ...]
    classes: tuple[ClassScores, ...]
    pairs: tuple[ConfusedPair, ...]
    offered: Mapping[str, int]
    suggestions: tuple[TrainingSuggestion, ...]


@dataclass(frozen=True, slots=True)
class AnsweredImage:
    """An answer with its image, by number, and the accepted labels, by wnid."""

    answer: TrainingAnswer
    accepted: tuple[str, ...]


def people_in_training(store: StudyStore, viewer: TrainingViewer) -> tuple[str, ...]:
    """Return whose progress the viewer may see: their own, or for a lead every labeler's."""
    if not viewer.is_lead:
        return (viewer.code,)
    with store.read() as study:
        labelers = [person.code for person in study.participants.with_role(Role.LABELER)]
        return tuple(dict.fromkeys((*study.training_record.labelers(), *sorted(labelers))))


def progress_facts(store: StudyStore, viewer: TrainingViewer, code: str) -> ProgressFacts:
    """Return the labeler's progress as of today."""
    viewer.require_access_to(code)
    with store.read() as study:
        answers = tuple(study.training_record.answers(code))
        offered = study.training_record.offered()
        saved = tuple(study.families.of(code))
        sessions = study.training_record.sessions(code)
    record = build_training_record(answers, sessions=session_numbers(answers, sessions))
    now, taxonomy = store.clock.utc(), store.taxonomy
    today = local_date(now)
    day = today.toordinal()
    groups = default_groups(taxonomy)
    of_families = _with_scores(progress_families(groups, offered, saved), taxonomy, record, day)
    explaining = _with_scores(explaining_families(groups, offered), taxonomy, record, day)
    classes = _classes(taxonomy, record, offered, day)
    pairs = confused_pairs(record)
    return ProgressFacts(
        code=code,
        people=people_in_training(store, viewer),
        today=today,
        answers=answers,
        record=record,
        overall=overall_score(record),
        lately=overall_score(record, since=week_start(day)),
        days=scores_by_day(record),
        sessions=scores_by_session(record, sessions),
        families=of_families,
        by_superclass=tuple(
            (title, _with_scores(families, taxonomy, record, day))
            for title, families in families_by_superclass(groups, offered)
        ),
        classes=classes,
        pairs=pairs,
        offered=offered,
        suggestions=training_suggestions(
            SuggestionInput(
                explaining=explaining,
                families=of_families,
                pairs=pairs,
                offered=frozenset(offered),
                met=_met(taxonomy, classes),
                due=due_wnids(answers, by=end_of_day(now), class_wnids=taxonomy.class_wnids),
                wnids=taxonomy.class_wnids,
                names=tuple(taxonomy.display_names[wnid] for wnid in taxonomy.class_wnids),
            )
        ),
    )


def answered_images(
    store: StudyStore, viewer: TrainingViewer, facts: ProgressFacts, part: TrainingFilter
) -> tuple[AnsweredImage, ...]:
    """Return the images behind a number, the newest answer first."""
    viewer.require_access_to(facts.code)
    answers = [facts.answers[place] for place in reversed(facts.record.positions(part).tolist())]
    with store.read() as study:
        accepted = study.training_record.accepted({answer.image for answer in answers})
    return tuple(
        AnsweredImage(answer, accepted[answer.image])
        for answer in answers
        if answer.image in accepted
    )


def _with_scores(
    found: Sequence[ProgressFamily], taxonomy: Taxonomy, record: TrainingRecord, today: int
) -> tuple[tuple[ProgressFamily, ClassSetScores], ...]:
    sets = [[taxonomy.index_of(wnid) for wnid in family.wnids] for family in found]
    scores = scores_by_class_set(record, sets, classes=len(taxonomy.class_wnids), today=today)
    return tuple(zip(found, scores, strict=True))


def _classes(
    taxonomy: Taxonomy, record: TrainingRecord, offered: Mapping[str, int], today: int
) -> tuple[ClassScores, ...]:
    every = scores_by_class(record, classes=len(taxonomy.class_wnids), today=today)
    return tuple(
        scores
        for scores in every
        if scores.score.answered or taxonomy.class_wnids[scores.index] in offered
    )


def _met(taxonomy: Taxonomy, classes: Sequence[ClassScores]) -> frozenset[str]:
    met = (scores.index for scores in classes if scores.score.answered)
    return frozenset(taxonomy.class_wnids[index] for index in met)
