"""A page that is right in every part, for tests to break in one."""

import pytest

PAGE = """\
+++
title = "Marmot and beaver"
wnids = [
  "n02361337",
  "n02363005",
]
version = 2
status = "verified"
sources = [
  "WordNet 3.0",
  { title = "Rodents", url = "https://example.org/rodents", read = 2026-01-31 },
]
+++

# Marmot and beaver

## What it is

Two rodents.

## How to tell it from

| Class | Look-alike | The trait that decides |
|---|---|---|
| [marmot](class:n02361337) | [beaver](class:n02363005) | Bushy tail or flat tail. |
| [beaver](class:n02363005) | [otter](class:n02444819) | Paddle \\| taper. |

## Typical scenes

Rocks, ponds.

## Also-valid labels

None.

## Traps in the labels

Only the head shows.
"""


@pytest.fixture(scope="session")
def page() -> str:
    return PAGE
