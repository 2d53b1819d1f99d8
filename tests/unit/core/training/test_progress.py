"""Progress in numbers: every vectorised count agrees with a slow loop over the answers."""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.training.answer_record import TrainingFilter, build_training_record
from labeler.core.training.answers import TrainingAnswer, TrainingSession
from labeler.core.training.progress import (
    TrainingScore,
    confused_pairs,
    moving_share,
    overall_score,
    scores_by_class,
    scores_by_class_set,
    scores_by_day,
    scores_by_session,
    session_numbers,
    week_start,
)

CLASSES = 6
FIRST = datetime(2026, 3, 1, 12, tzinfo=UTC)
TODAY = FIRST.date().toordinal() + 10


@st.composite
def many_answers(draw: st.DrawFn) -> list[TrainingAnswer]:
    """Answers on some days, most of them in order; another accepted label is right too."""
    drawn = st.tuples(
        st.integers(1, 9),
        st.integers(0, CLASSES - 1),
        st.integers(0, CLASSES - 1),
        st.booleans(),
        st.integers(0, 10),
    )
    return [
        TrainingAnswer(
            image=image,
            target=target,
            label=label,
            right=label == target or also,
            at=FIRST + timedelta(days=day),
        )
        for image, target, label, also, day in draw(st.lists(drawn, max_size=40))
    ]


def day_of(answer: TrainingAnswer) -> int:
    return answer.at.date().toordinal()


def record_of(answers: list[TrainingAnswer]):
    return build_training_record(answers, day=lambda moment: moment.date())


def score_of(answers: list[TrainingAnswer]) -> TrainingScore:
    return TrainingScore(len(answers), sum(answer.right for answer in answers))


@given(many_answers(), st.integers(1, 60))
def test_the_moving_share_is_that_of_the_last_answers(answers, window) -> None:
    moved = moving_share(record_of(answers), window)
    for end, share in enumerate(moved, start=1):
        last = answers[max(0, end - window) : end]
        assert share == sum(answer.right for answer in last) / len(last)


@given(many_answers())
def test_a_day_holds_its_own_answers(answers) -> None:
    days = scores_by_day(record_of(answers))
    assert [day.day for day in days] == sorted({day_of(answer) for answer in answers})
    for day in days:
        assert day.score == score_of([a for a in answers if day_of(a) == day.day])


@given(many_answers(), st.sets(st.integers(-1, 10), min_size=1))
def test_a_session_holds_what_was_answered_before_the_next(answers, begun) -> None:
    sessions = [TrainingSession(FIRST + timedelta(days=day), None) for day in sorted(begun)]
    numbers = session_numbers(answers, sessions)
    for answer, number in zip(answers, numbers, strict=True):
        assert number == 0 or sessions[number].started <= answer.at
        assert all(answer.at < later.started for later in sessions[number + 1 :])
    record = build_training_record(answers, sessions=numbers)
    for found in scores_by_session(record, sessions):
        own = [a for a, number in zip(answers, numbers, strict=True) if number == found.number]
        assert found.score == score_of(own)
        assert len(record.positions(TrainingFilter(session=found.number))) == len(own)


@given(many_answers())
def test_classes_and_sets_count_by_target(answers) -> None:
    lately = [a for a in answers if day_of(a) >= week_start(TODAY)]
    for scores in scores_by_class(record_of(answers), classes=CLASSES, today=TODAY):
        assert scores.score == score_of([a for a in answers if a.target == scores.index])
        assert scores.lately == score_of([a for a in lately if a.target == scores.index])
    sets = [(0, 1, 2), (2, 3), ()]
    found = scores_by_class_set(record_of(answers), sets, classes=CLASSES, today=TODAY)
    for members, scores in zip(sets, found, strict=True):
        assert scores.score == score_of([a for a in answers if a.target in members])
        assert scores.lately == score_of([a for a in lately if a.target in members])
        assert scores.met == len({a.target for a in answers} & set(members))


@given(many_answers())
def test_a_pair_counts_both_ways_of_confusing_it(answers) -> None:
    taken_for = Counter((a.target, a.label) for a in answers if not a.right)
    shown = Counter(a.target for a in answers)
    last: dict[tuple[int, int], int] = defaultdict(int)
    for a in (a for a in answers if not a.right):
        ends = min(a.target, a.label), max(a.target, a.label)
        last[ends] = max(last[ends], day_of(a))
    pairs = confused_pairs(record_of(answers))
    assert {(pair.one, pair.other) for pair in pairs} == set(last)
    for pair in pairs:
        assert pair.one_as_other == taken_for[pair.one, pair.other]
        assert pair.other_as_one == taken_for[pair.other, pair.one]
        assert pair.shown == shown[pair.one] + shown[pair.other]
        assert pair.last_day == last[pair.one, pair.other]
    assert [pair.times for pair in pairs] == sorted((p.times for p in pairs), reverse=True)


@given(many_answers())
def test_all_answers_together(answers) -> None:
    record = record_of(answers)
    assert overall_score(record) == score_of(answers)
    since = [a for a in answers if day_of(a) >= TODAY - 3]
    assert overall_score(record, since=TODAY - 3) == score_of(since)


@st.composite
def parts(draw: st.DrawFn) -> TrainingFilter:
    days = st.none() | st.integers(TODAY - 11, TODAY)
    indices = st.integers(0, CLASSES - 1)
    return TrainingFilter(
        day=draw(days),
        since=draw(days),
        targets=draw(st.none() | st.frozensets(indices)),
        pair=draw(st.none() | st.tuples(indices, indices)),
        only_missed=draw(st.booleans()),
    )


@given(many_answers(), parts())
def test_a_part_of_a_record_is_what_fits_all_that_it_names(answers, part) -> None:
    def fits(a: TrainingAnswer) -> bool:
        return (
            part.day in (None, day_of(a))
            and (part.since is None or day_of(a) >= part.since)
            and (part.targets is None or a.target in part.targets)
            and (part.pair is None or (a.target, a.label) in (part.pair, part.pair[::-1]))
            and not (part.only_missed and a.right)
        )

    found = record_of(answers).positions(part)
    assert np.array_equal(found, [i for i, a in enumerate(answers) if fits(a)])


def test_no_one_who_has_no_answer_has_a_share() -> None:
    assert TrainingScore().share is None
    assert scores_by_day(record_of([])) == ()
    assert confused_pairs(record_of([])) == ()
    assert scores_by_class_set(record_of([]), [], classes=CLASSES, today=TODAY) == ()
