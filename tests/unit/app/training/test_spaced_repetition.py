"""A missed class comes back after growing intervals, and only a missed one."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.app.training.spaced_repetition import due_by, due_wnids, end_of_day, repetitions
from labeler.core.training.answers import TrainingAnswer

START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def answer(*, target: int = 1, right: bool = True, at: datetime = START) -> TrainingAnswer:
    return TrainingAnswer(image=7, target=target, label=target if right else 0, right=right, at=at)


def test_a_class_that_was_never_missed_needs_no_repeating() -> None:
    assert repetitions([answer(), answer(at=START + timedelta(days=1))]) == {}


def test_a_missed_class_is_due_again_within_the_hour() -> None:
    (card,) = repetitions([answer(right=False)]).values()

    assert START < card.due < START + timedelta(hours=1)


def test_each_time_that_it_is_known_it_stays_away_longer() -> None:
    answers = [answer(right=False)]
    stays = []
    for _ in range(6):
        at = repetitions(answers)[1].due
        answers.append(answer(at=at))
        stays.append(repetitions(answers)[1].due - at)

    assert stays[0] >= timedelta(days=1)
    assert stays == sorted(stays)
    assert stays[-1] > timedelta(days=20)


def test_missed_again_it_is_back_at_once() -> None:
    known = [answer(right=False), answer(at=START + timedelta(minutes=20))]
    missed = answer(right=False, at=START + timedelta(days=2))

    assert repetitions([*known, missed])[1].due < missed.at + timedelta(hours=1)


def test_the_longest_overdue_comes_first_and_what_is_not_due_stays_away() -> None:
    answers = [
        answer(target=2, right=False, at=START + timedelta(minutes=1)),
        answer(target=1, right=False),
        answer(target=3, right=False),
        answer(target=3, at=START + timedelta(minutes=11)),
    ]
    answers.sort(key=lambda each: each.at)

    assert due_by(repetitions(answers), START + timedelta(hours=2)) == [1, 2]
    assert due_wnids(answers, by=START + timedelta(hours=2), class_wnids="abcd") == ["b", "c"]


def test_today_lasts_until_midnight_where_the_person_sits() -> None:
    end = end_of_day(START)

    assert end.date() == START.astimezone().date()
    assert (end + timedelta(seconds=1)).date() > end.date()


histories = st.lists(
    st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 10_000_000)), max_size=40
)


@settings(max_examples=50)
@given(histories)
def test_the_same_answers_always_give_the_same_cards(history) -> None:
    at, answers = START, []
    for target, right, seconds in history:
        at += timedelta(seconds=seconds)
        answers.append(answer(target=target, right=right, at=at))

    cards = repetitions(answers)

    assert cards == repetitions(list(answers))
    assert set(cards) == {each.target for each in answers if not each.right}
    assert all(card.due > START for card in cards.values())


def test_repetition_comes_without_what_takes_long_to_import() -> None:
    asked = "import labeler.app.training.spaced_repetition, sys; print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "False"
