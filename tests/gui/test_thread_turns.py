"""Threads take short turns while a window is open, so that a busy worker doesn't hold it up."""

import sys

from labeler.ui.thread_turns import short_turns


def test_turns_are_short_while_the_window_is_open_and_as_before_afterwards() -> None:
    before = sys.getswitchinterval()

    with short_turns():
        assert sys.getswitchinterval() < before

    assert sys.getswitchinterval() == before
