"""Which of several writers' answers to the same question counts.

The order depends on the answers' content only, so that files can be merged in any order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class TimedAnswer(Generic[Row]):
    """An answer and when its writer committed it."""

    at: str
    row: Row


def in_counting_order(by_writer: Mapping[str, Sequence[TimedAnswer[Row]]]) -> list[Row]:
    """Return all answers so that the last one counts.

    A writer's own answers stay in the writer's order, even if a clock was set back. Writers
    follow each other by their latest answer, and by their ids if these are equal.
    """
    writers = sorted(
        (writer for writer in by_writer if by_writer[writer]),
        key=lambda writer: (max(answer.at for answer in by_writer[writer]), writer),
    )
    return [answer.row for writer in writers for answer in by_writer[writer]]
