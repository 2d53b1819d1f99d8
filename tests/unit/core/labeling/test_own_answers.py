"""A labeler's own answers: orders and filters that don't depend on the class."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.labeling.own_answers import (
    AnswerFilter,
    AnswerOrder,
    OwnAnswer,
    arranged,
    count_shown,
)

_ANSWERS = st.lists(
    st.builds(
        OwnAnswer,
        trial_id=st.uuids().map(str),
        position=st.integers(1, 2000),
        label=st.sampled_from(["n01440764", "n02085620"]),
        confidence=st.none() | st.integers(1, 5),
        active_ms=st.none() | st.integers(0, 100_000),
        marked=st.booleans(),
        flagged=st.booleans(),
    ),
    unique_by=lambda answer: answer.position,
)


@given(_ANSWERS, st.sampled_from(AnswerFilter), st.sampled_from(AnswerOrder))
def test_no_order_or_filter_depends_on_the_class(
    answers: list[OwnAnswer], shown: AnswerFilter, order: AnswerOrder
) -> None:
    other = [replace(answer, label="n02123045") for answer in answers]
    found = arranged(answers, shown=shown, order=order)
    assert [a.trial_id for a in arranged(other, shown=shown, order=order)] == [
        a.trial_id for a in found
    ]
    assert count_shown(answers, shown) == len(found)


@given(_ANSWERS)
def test_the_least_sure_come_first_and_answers_without_confidence_last(
    answers: list[OwnAnswer],
) -> None:
    found = arranged(answers, shown=AnswerFilter.ALL, order=AnswerOrder.LEAST_SURE)
    given = [answer.confidence for answer in found if answer.confidence is not None]
    assert given == sorted(given)
    assert all(answer.confidence is None for answer in found[len(given) :])


@given(_ANSWERS)
def test_the_slowest_and_the_marked_come_first(answers: list[OwnAnswer]) -> None:
    slowest = arranged(answers, shown=AnswerFilter.ALL, order=AnswerOrder.SLOWEST)
    times = [answer.active_ms or 0 for answer in slowest]
    assert times == sorted(times, reverse=True)
    marked = arranged(answers, shown=AnswerFilter.ALL, order=AnswerOrder.MARKED)
    assert [a.marked for a in marked] == sorted((a.marked for a in marked), reverse=True)


@given(_ANSWERS)
def test_the_slowest_tenth_took_longer_than_the_rest(answers: list[OwnAnswer]) -> None:
    timed = [answer.active_ms for answer in answers if answer.active_ms is not None]
    slowest = arranged(answers, shown=AnswerFilter.SLOWEST, order=AnswerOrder.AS_ANSWERED)
    assert len(slowest) == -(-len(timed) // 10)
    expected = sorted(timed, reverse=True)[: len(slowest)]
    assert sorted((a.active_ms or 0 for a in slowest), reverse=True) == expected


@given(_ANSWERS)
def test_guesses_and_unsure_answers_can_be_looked_at_alone(answers: list[OwnAnswer]) -> None:
    found = arranged(answers, shown=AnswerFilter.UNSURE, order=AnswerOrder.AS_ANSWERED)
    assert {a.trial_id for a in found} == {a.trial_id for a in answers if a.confidence in (1, 2)}
