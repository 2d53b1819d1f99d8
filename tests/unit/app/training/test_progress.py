"""The progress screen's presenter: numbers in words, each with the images behind it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from labeler.app.chart_views import (
    AccuracyLevel,
    AnswerTone,
    ProgressSection,
    TrainingImagesView,
    TrainingProgressView,
)
from labeler.app.training.progress import (
    CHOOSE_SOMETHING,
    MAX_LISTED_IMAGES,
    TrainingProgress,
    training_progress_view,
)
from labeler.app.training.progress_facts import AnsweredImage, ProgressFacts
from labeler.app.training.viewer import OTHERS_TRAINING
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.training.answer_record import (
    TrainingFilter,
    TrainingRecord,
    build_training_record,
    local_date,
)
from labeler.core.training.answers import TrainingAnswer, TrainingSession
from labeler.core.training.families import ProgressFamily, families_by_superclass
from labeler.core.training.progress import (
    confused_pairs,
    overall_score,
    scores_by_class,
    scores_by_class_set,
    scores_by_day,
    scores_by_session,
    session_numbers,
)
from labeler.core.training.request import TrainingRequest, TrainingSource
from labeler.core.training.suggestions import SuggestionReason, TrainingSuggestion

TAXONOMY = load_default()
BEAVER, MARMOT, TIGER = (TAXONOMY.index_of(w) for w in ("n02363005", "n02361337", "n02129604"))
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TODAY = local_date(NOW)
RODENTS = ProgressFamily("subtree:r", "rodent", ("n02363005", "n02361337"))
MAMMALS = ProgressFamily("superclass:M", "Mammals", (*RODENTS.wnids, "n02129604"), broad=True)
FAMILIES = (MAMMALS, RODENTS)
OFFERED = {"n02363005": 2, "n02361337": 2, "n02129604": 1}

SESSIONS = (
    TrainingSession(
        NOW - timedelta(days=9), TrainingRequest(TrainingSource.SUBTREES, RODENTS.wnids)
    ),
    TrainingSession(NOW - timedelta(days=1), TrainingRequest()),
    TrainingSession(NOW, None),
)


def answer(target: int, label: int, *, days: int = 0, image: int = 1) -> TrainingAnswer:
    at = NOW - timedelta(days=days)
    return TrainingAnswer(image=image, target=target, label=label, right=target == label, at=at)


def with_scores(record: TrainingRecord, families: Sequence[ProgressFamily]):
    sets = [[TAXONOMY.index_of(wnid) for wnid in family.wnids] for family in families]
    scores = scores_by_class_set(record, sets, classes=1000, today=TODAY.toordinal())
    return tuple(zip(families, scores, strict=True))


def facts_of(*answers: TrainingAnswer, **changes) -> ProgressFacts:
    record = build_training_record(answers, sessions=session_numbers(answers, SESSIONS))
    day = TODAY.toordinal()
    classes = scores_by_class(record, classes=1000, today=day)
    fields = {
        "code": "A",
        "people": ("A",),
        "today": TODAY,
        "answers": answers,
        "record": record,
        "overall": overall_score(record),
        "lately": overall_score(record, since=day - 6),
        "days": scores_by_day(record),
        "sessions": scores_by_session(record, SESSIONS),
        "families": with_scores(record, FAMILIES),
        "by_superclass": tuple(
            (title, with_scores(record, families))
            for title, families in families_by_superclass(default_groups(TAXONOMY), OFFERED)
        ),
        "classes": tuple(classes[index] for index in sorted((BEAVER, MARMOT, TIGER))),
        "pairs": confused_pairs(record),
        "offered": OFFERED,
        "suggestions": (),
    }
    return ProgressFacts(**{**fields, **changes})


SOME = facts_of(
    answer(BEAVER, MARMOT, days=9), answer(BEAVER, MARMOT, image=2), answer(MARMOT, MARMOT)
)


def view_of(facts: ProgressFacts = SOME) -> TrainingProgressView:
    return training_progress_view(facts, taxonomy=TAXONOMY, own=True)


def texts(chapter: ProgressSection) -> list[list[str]]:
    return [[cell.text for cell in row] for row in view_of().tables[chapter].rows]


def test_the_figures_say_how_much_and_how_well() -> None:
    result = [(figure.number, figure.words) for figure in view_of().figures]
    assert result == [
        ("3", "answers"),
        ("33 %", "right overall"),
        ("50 %", "right in the last 7 days"),
        ("2 of 3", "classes seen"),
    ]


def test_days_stand_newest_first_and_are_points_of_the_timeline() -> None:
    assert [row[1:4] for row in texts(ProgressSection.DAYS)] == [
        ["2", "1", "50 %"],
        ["1", "1", "0 %"],
    ]
    first, last = view_of().timelines[ProgressSection.DAYS].points
    assert (first.share, last.share) == (0.0, 0.5)
    assert "1 of 2 right, 50 %" in last.words
    assert last.source.part == TrainingFilter(day=TODAY.toordinal())


def test_sessions_stand_newest_first_with_what_they_were_about() -> None:
    rows = texts(ProgressSection.SESSIONS)
    assert [row[1:] for row in rows] == [
        ["–", "2", "1", "50 %", "33 %"],
        ["Beaver, marmot", "1", "1", "0 %", "0 %"],
    ]
    timeline = view_of().timelines[ProgressSection.SESSIONS]
    assert [point.place for point in timeline.points] == [1, 2]
    assert "on beaver, marmot: 0 of 1 right" in timeline.points[0].words
    assert timeline.points[1].source.part == TrainingFilter(session=2)
    missed = view_of().tables[ProgressSection.SESSIONS].rows[0][3].source
    assert missed.part == TrainingFilter(session=2, only_missed=True)


def test_families_stand_by_their_mistakes_and_say_what_was_missed_lately() -> None:
    assert texts(ProgressSection.FAMILIES) == [
        ["Mammals (all)", "3", "2", "33 %", "50 %", "1", "2 of 3"],
        ["Rodent", "3", "2", "33 %", "50 %", "1", "2 of 2"],
    ]


def test_the_map_has_every_class_in_training_in_one_family_with_its_share() -> None:
    tiles = [tile for row in view_of().families.rows for tile in row.tiles]
    assert sum(tile.classes for tile in tiles) == 3
    named = [wnid for tile in tiles for wnid in tile.request.subject]
    assert len(set(named)) == len(named) == 3
    levels = {tile.level for tile in tiles if tile.source is not None}
    assert levels == {AccuracyLevel.LOW}
    assert all((tile.source is None) is (tile.level is AccuracyLevel.NEVER_SEEN) for tile in tiles)


def test_a_point_has_the_exact_interval_of_its_share() -> None:
    points = view_of().timelines[ProgressSection.DAYS].points
    assert all(0 <= point.low <= point.share <= point.high <= 1 for point in points)
    assert all(point.high - point.low > 0.5 for point in points)  # of one or two answers


def test_a_confused_pair_counts_the_images_of_both() -> None:
    ((one, other, times, shown, _last),) = texts(ProgressSection.PAIRS)
    assert {one, other} == {"beaver", "marmot"}
    assert (times, shown) == ("2", "3")
    (deck,) = view_of().pairs.decks
    assert set(deck.request.subject) == set(deck.pictures)
    assert len(deck.pictures) == 2


def test_classes_never_met_come_first_and_lead_nowhere() -> None:
    never, *met = view_of().tables[ProgressSection.CLASSES].rows
    assert [cell.text for cell in never[:2]] == ["tiger", "never seen"]
    assert all(cell.source is None for cell in never)
    assert all(row[0].source is not None for row in met)


def test_every_part_behind_a_cell_has_as_many_answers_as_the_cell_says() -> None:
    counted = {"Answered", "Missed", "Missed lately", "Confused", "Images of both"}
    for table in view_of().tables.values():
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                if column.title in counted and cell.source is not None:
                    assert len(SOME.record.positions(cell.source.part)) == int(cell.text)


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        (SuggestionReason.DUE, "3 of the 5 classes seen are due for repetition"),
        (SuggestionReason.MISSED, "3 of 5 missed in the last 7 days"),
        (SuggestionReason.CONFUSED, "confused 3 times in 5 images"),
        (SuggestionReason.NEVER_MET, "3 of its 5 classes never seen"),
    ],
)
def test_a_suggestion_says_its_reason(why: SuggestionReason, reason: str) -> None:
    suggested = TrainingSuggestion(
        why=why,
        title="terrier",
        request=TrainingRequest(TrainingSource.SUBTREES, ("t",)),
        wnids=("n02363005",),
        count=3,
        of=5,
    )
    (shown,) = view_of(facts_of(suggestions=(suggested,))).suggestions
    assert (shown.title, shown.reason) == ("Terrier", reason)


def test_without_answers_the_progress_says_where_they_will_appear() -> None:
    view = view_of(facts_of())
    assert view.timelines[ProgressSection.DAYS].points == ()
    assert "No answers yet" in view.tables[ProgressSection.DAYS].empty
    assert view.figures[1].number == "–"


class Record:
    """What a study would answer."""

    def __init__(self, facts: ProgressFacts | None) -> None:
        self.facts = facts
        self.asked: list[object] = []

    def progress(self, code: str | None = None) -> ProgressFacts | None:
        if code == "B":
            raise RefusedError(OTHERS_TRAINING)
        return self.facts

    def images(self, facts: ProgressFacts, part: TrainingFilter) -> tuple[AnsweredImage, ...]:
        places = facts.record.positions(part)
        return tuple(AnsweredImage(facts.answers[p], ("n02363005",)) for p in places)


class Shown:
    """What a screen would show."""

    def __init__(self, presenter: TrainingProgress) -> None:
        self.views: list[TrainingProgressView | None] = []
        self.images: list[TrainingImagesView] = []
        self.errors: list[str] = []
        presenter.listen(
            show=self.views.append, show_images=self.images.append, fail=self.errors.append
        )


def presenter_of(runner, facts: ProgressFacts | None = SOME) -> tuple[TrainingProgress, Shown]:
    presenter = TrainingProgress(
        record=Record(facts), taxonomy=TAXONOMY, runner=runner, own_code="A", describe_error=str
    )
    return presenter, Shown(presenter)


def test_progress_comes_with_an_invitation_to_point_at_something(runner) -> None:
    presenter, shown = presenter_of(runner)
    presenter.open()
    runner.finish_all()
    (view,) = shown.views
    assert view is not None
    assert view.own
    assert shown.images[-1].sentence == CHOOSE_SOMETHING


def test_the_images_behind_a_cell_say_answer_and_accepted_labels(runner) -> None:
    presenter, shown = presenter_of(runner)
    presenter.open()
    runner.finish_all()
    presenter.point_at(shown.views[0].tables[ProgressSection.PAIRS].rows[0][2].source)
    runner.finish_all()
    rows = shown.images[-1].rows
    assert [(row.answer, row.tone, row.accepted) for row in rows] == [
        ("marmot", AnswerTone.WRONG, "beaver")
    ] * 2
    assert shown.images[-1].heading.endswith("confused")


def test_of_very_many_images_the_newest_are_shown(runner) -> None:
    many = facts_of(*(answer(BEAVER, MARMOT, image=n) for n in range(MAX_LISTED_IMAGES + 5)))
    presenter, shown = presenter_of(runner, many)
    presenter.open()
    runner.finish_all()
    presenter.point_at(shown.views[0].timelines[ProgressSection.DAYS].points[0].source)
    runner.finish_all()
    assert len(shown.images[-1].rows) == MAX_LISTED_IMAGES
    assert f"the newest {MAX_LISTED_IMAGES}" in shown.images[-1].heading


def test_a_late_answer_to_an_old_wish_is_dropped(runner) -> None:
    presenter, shown = presenter_of(runner)
    presenter.open()
    late = runner.tickets[0]
    presenter.open()
    runner.finish_all()
    late.finish()
    assert len(shown.views) == 1


def test_a_refusal_is_reported_and_a_study_without_labelers_shows_no_one(runner) -> None:
    presenter, shown = presenter_of(runner, None)
    presenter.open("B")
    runner.finish_all()
    presenter.open()
    runner.finish_all()
    assert shown.errors == [OTHERS_TRAINING]
    assert shown.views == [None]
