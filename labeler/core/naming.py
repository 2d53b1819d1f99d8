"""Naming some of many things in a sentence."""

from collections.abc import Iterable

_NAMED_AT_MOST = 5


def some(things: Iterable[str]) -> str:
    """The first few, and how many more there are."""
    listed = list(things)
    more = f" and {len(listed) - _NAMED_AT_MOST} more" if len(listed) > _NAMED_AT_MOST else ""
    return "; ".join(listed[:_NAMED_AT_MOST]) + more
