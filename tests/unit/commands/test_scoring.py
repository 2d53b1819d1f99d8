"""What a terminal shows while a model is scored."""

import io
import sys

import pytest

from labeler.commands.progress_bars import progress_bars
from labeler.commands.scoring import ScoringProgressBars


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_was_scored_before_counts_as_done_and_not_as_fast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_bars() as bars:
        ScoringProgressBars(bars, quiet=False).began("new", done=900, total=1000)
        shown = terminal.getvalue()
    assert "Scoring images of new" in shown
    assert "900/1.00k" in shown
    assert "? images/s" in shown
