"""Naming and counting things in a sentence."""

from collections.abc import Iterable

_NAMED_AT_MOST = 5


def join_some(things: Iterable[str]) -> str:
    """The first few, and how many more there are."""
    listed = list(things)
    more = f" and {len(listed) - _NAMED_AT_MOST} more" if len(listed) > _NAMED_AT_MOST else ""
    return "; ".join(listed[:_NAMED_AT_MOST]) + more


def count_noun(count: int, noun: str, plural: str | None = None) -> str:
    """`1 image`, `2,000 images`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
