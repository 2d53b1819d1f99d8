"""Requests of which only the newest counts."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labeler.app.runner import LatestRequest


def answering(number: int) -> Callable[[], int]:
    def work() -> int:
        if number % 3 == 0:
            raise ValueError(str(number))
        return number

    return work


@given(count=st.integers(1, 6), order=st.permutations(range(6)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_only_the_newest_request_is_answered_whatever_the_order_of_arrival(
    new_runner: Callable, count: int, order: list[int]
) -> None:
    runner = new_runner()
    latest = LatestRequest(runner)
    answers: list[str] = []
    for number in range(count):
        latest.run(
            "test",
            answering(number),
            done=lambda result: answers.append(f"result {result}"),
            failed=lambda error: answers.append(f"error {error}"),
        )
    for number in order[:]:
        if number < count:
            runner.tickets[number].finish()
    last = count - 1
    assert answers == [f"error {last}" if last % 3 == 0 else f"result {last}"]
    assert [ticket.cancelled for ticket in runner.tickets] == [True] * last + [False]


def test_after_a_drop_nothing_is_answered(new_runner: Callable) -> None:
    runner = new_runner()
    latest = LatestRequest(runner)
    answers: list[object] = []
    latest.run("test", answering(1), done=answers.append, failed=answers.append)
    latest.drop()
    runner.tickets[0].finish()
    assert answers == []
