"""Read and compute the contents of a report from a study."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from labeler import __version__
from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.results.built_results import read_curation_numbers
from labeler.app.results.crowd_results import read_crowd_numbers
from labeler.app.results.resolution_alternatives import with_resolution_rules
from labeler.app.review.resolution import changes_since_initial
from labeler.app.study.phase_facts import evaluation_locked
from labeler.app.study.settings import COMPARED, read_confidence_probabilities
from labeler.core.classes.groups import ClassGroups, default_groups, load_groups
from labeler.core.errors import RefusedError
from labeler.core.metrics.image_facts import base_images
from labeler.core.metrics.report_contents import (
    ContestedLabel,
    LearningPoint,
    ReportContents,
    ReviewNumbers,
    TrainedImage,
)
from labeler.core.metrics.study_answers import StudyAnswers
from labeler.core.metrics.study_numbers import NumberSettings, study_numbers
from labeler.core.metrics.subsets import factor_names, report_subsets
from labeler.core.statistics.agreement import Agreement, agreement
from labeler.core.statistics.self_consistency import self_consistencies
from labeler.core.study.entities import ImageKey, Role, Stage
from labeler.store.results.repeated_answers import repeated_answers
from labeler.store.study_store import StudyStore, Transaction


class ReportFormat(StrEnum):
    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    LATEX = "latex"
    SVG = "svg"
    PNG = "png"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """The lead's options: further subsets, people's names, a group file, a seed."""

    subsets: tuple[str, ...] = ()
    names: bool = False
    groups: Path | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenReport:
    """The written files, what couldn't be computed, and whether answers can still change."""

    files: tuple[Path, ...]
    omissions: tuple[str, ...]
    evaluation_locked: bool


_CONTESTED = 24


def review_numbers(study: Transaction, images: AbstractSet[ImageKey]) -> ReviewNumbers:
    agreed, shared = _agreement(study)
    return ReviewNumbers(
        agreement=agreed,
        judged_by_several=shared,
        changes=changes_since_initial(study, images),
        contested=tuple(_contested(study)),
    )


def _agreement(study: Transaction) -> tuple[Agreement | None, frozenset[ImageKey]]:
    """Return the blind agreement in the last review with shared labels, and its images."""
    found: Agreement | None = None
    for stage in (Stage.FINAL, Stage.INITIAL):
        verdicts = study.review.verdicts.of_stage(stage, blind_only=True)
        if verdicts.table.pair_count:
            judged = verdicts.table.judgements()
            measures = agreement(judged)
            if measures.units:
                shared = np.unique(verdicts.images[judged.of_shared_units().units])
                return measures, study.review.verdicts.image_keys(shared)
            found = found or measures
    return found, frozenset()


def _contested(study: Transaction) -> list[ContestedLabel]:
    """Return the labels with the most evenly divided verdicts, more verdicts first."""
    verdicts = study.review.verdicts.latest()
    if not verdicts.table.pair_count:
        return []
    counts = verdicts.table.counts()
    against = counts.sum(axis=1) - counts.max(axis=1)
    divided = np.flatnonzero(against)
    share = against[divided] / counts[divided].sum(axis=1)
    chosen = divided[np.lexsort((divided, -against[divided], -share))][:_CONTESTED]
    if not len(chosen):
        return []
    names = study.review.verdicts.names(verdicts)
    return [
        ContestedLabel(
            image=ImageKey(names[pair][0], names[pair][1]),
            wnid=names[pair][2],
            wrong=int(counts[pair][0]),
            unclear=int(counts[pair][1]),
            correct=int(counts[pair][2]),
        )
        for pair in chosen.tolist()
    ]


_STEPS = 2


def read_report_data(
    store: StudyStore, request: ReportRequest, progress: ProgressReporter | None = None
) -> ReportContents:
    """Read and compute everything in one read-only transaction."""
    watched = progress or NoProgress()
    watched.start("Reading answers", _STEPS)
    groups = _groups(store, request.groups)
    with store.read() as study:
        answers = with_resolution_rules(study, study.report_answers.read())
        factors = factor_names(answers.datasets)
        subsets = report_subsets(groups, request.subsets, factors=factors)
        watched.advance()
        original, new = _compared(study, answers)
        settings = NumberSettings(
            seed=store.identity.seed if request.seed is None else request.seed,
            original=original,
            new=new,
            confidence_probabilities=tuple(
                percent / 100 for percent in read_confidence_probabilities(study)
            ),
        )
        people = study.participants.all()
        states = study.phases.states()
        reviews = review_numbers(study, _base_images(answers))
        trained = tuple(_trained(study))
        inputs = study.report_answers.fingerprints()
        watched.advance()
        watched.start("Computing", None)
        numbers = study_numbers(answers, subsets, settings, between=lambda: watched.advance(0))
        return ReportContents(
            study=store.identity.name,
            generated_at=store.clock.utc(),
            program_version=__version__,
            phases=states,
            evaluation_locked=evaluation_locked(study, states),
            numbers=numbers,
            reviews=reviews,
            learning=tuple(_learning(trained)),
            trained=trained,
            descriptions={person.code: person.description for person in people},
            names=_names(study, answers) if request.names else {},
            class_names=store.taxonomy.display_names,
            inputs=inputs,
            crowd=read_crowd_numbers(study, answers, groups, seed=settings.seed),
            curation=read_curation_numbers(study, answers, numbers),
            self_consistency=tuple(self_consistencies(repeated_answers(study.session))),
        )


def _groups(store: StudyStore, file: Path | None) -> ClassGroups:
    return default_groups(store.taxonomy) if file is None else load_groups(file, store.taxonomy)


def _compared(study: Transaction, answers: StudyAnswers) -> tuple[str | None, str | None]:
    """Return the pair in the study's settings, or its first two evaluation datasets."""
    names = [dataset.name for dataset in answers.datasets]
    chosen = study.settings.all().get(COMPARED)
    if chosen is not None:
        missing = [name for name in chosen if name not in names]
        if missing:
            raise RefusedError(
                f"The study's settings compare '{missing[0]}', which is not an evaluation dataset. "
                f"The evaluation datasets are: {', '.join(names) or 'none'}."
            )
        return chosen[0], chosen[1]
    return (names[0], names[1]) if len(names) > 1 else (None, None)


def _base_images(answers: StudyAnswers) -> set[ImageKey]:
    return {
        ImageKey(dataset.name, dataset.images[position])
        for dataset in answers.datasets
        for position in np.flatnonzero(base_images(dataset)).tolist()
    }


def _names(study: Transaction, answers: StudyAnswers) -> dict[str, str]:
    names = {code: study.participants.name_of(code) for code in answers.humans}
    return {code: name for code, name in names.items() if name}


def _trained(study: Transaction) -> Iterator[TrainedImage]:
    """Yield each labeler's first training answers, oldest first."""
    record = study.training_record
    for person in study.participants.with_role(Role.LABELER):
        answers = record.answers(person.code)
        images = {answer.image for answer in answers}
        keys, accepted = record.keys(images), record.accepted(images)
        for answer in answers:
            yield TrainedImage(
                participant=person.code,
                day=answer.at.date().isoformat(),
                image=keys[answer.image],
                target=answer.target,
                label=answer.label,
                right=answer.right,
                accepted=accepted[answer.image],
            )


def _learning(trained: Iterable[TrainedImage]) -> Iterator[LearningPoint]:
    """Yield each labeler's training accuracy by day."""
    days: dict[tuple[str, str], list[bool]] = {}
    for answer in trained:
        days.setdefault((answer.participant, answer.day), []).append(answer.right)
    for (code, day), right in days.items():
        yield LearningPoint(participant=code, day=day, correct=sum(right), total=len(right))
