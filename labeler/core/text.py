"""Join and count things in a sentence."""

from collections.abc import Iterable

_MAX_NAMED = 5


def join_some(items: Iterable[str]) -> str:
    """Join the first few items and say how many more there are."""
    listed = list(items)
    more = f" and {len(listed) - _MAX_NAMED} more" if len(listed) > _MAX_NAMED else ""
    return "; ".join(listed[:_MAX_NAMED]) + more


def count_noun(count: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun: `1 image`, `2,000 images`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
