"""Chains of decisions: each entry's hash covers the entry before it."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# The hash before the first entry.
CHAIN_START = "0" * 64


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """One entry: its number in the chain from 1, its hash, and the JSON of what was done."""

    number: int
    hash: str
    content: str


def chain_hash(previous: str, content: str) -> str:
    """Return the hash of an entry that follows the entry with the hash `previous`."""
    return hashlib.sha256(f"{previous}\n{content}".encode()).hexdigest()


def first_fault(
    entries: Sequence[ChainEntry], *, start: str = CHAIN_START, after: int = 0
) -> int | None:
    """Return the number of the first entry that doesn't follow the one before it, or None."""
    previous, expected = start, after + 1
    for entry in entries:
        if entry.number != expected or entry.hash != chain_hash(previous, entry.content):
            return expected
        previous, expected = entry.hash, expected + 1
    return None


def extended_chain(contents: Iterable[str], *, start: str, after: int) -> list[ChainEntry]:
    """Return entries with these contents that follow the entry number `after`."""
    entries, previous = [], start
    for number, content in enumerate(contents, start=after + 1):
        previous = chain_hash(previous, content)
        entries.append(ChainEntry(number, previous, content))
    return entries
