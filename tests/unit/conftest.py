"""What unit tests of several layers share."""

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture
def run() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Starts Python programs of their own; those that still run at the end are ended."""
    started: list[subprocess.Popen[str]] = []

    def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
