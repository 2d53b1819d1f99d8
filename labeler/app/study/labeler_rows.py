"""The progress of labelers as rows of a table, for the lead: counts only."""

from collections.abc import Iterable
from dataclasses import dataclass

from labeler.app.study.home_facts import (
    LabelerProgress,
)
from labeler.core.datasets.washout import washout_row_text
from labeler.core.text import count_noun

NOTHING_TO_ANSWER = "nothing to answer yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelerRow:
    """A labeler's progress, for the lead: counts only."""

    code: str
    done: int
    total: int
    progress: str
    state: str


def labeler_rows(labelers: Iterable[LabelerProgress]) -> tuple[LabelerRow, ...]:
    """Return a row for each labeler, without a count for those who have no sample."""
    return tuple(
        _row(labeler) if labeler.total else _row_without_sample(labeler) for labeler in labelers
    )


def _row(labeler: LabelerProgress) -> LabelerRow:
    done = labeler.answered + labeler.set_aside
    return LabelerRow(
        code=labeler.code,
        done=done,
        total=labeler.total,
        progress=f"{labeler.answered:,} of {labeler.total:,} answered",
        state=_progress_text(done, labeler.total, labeler.locked)
        if labeler.waits is None
        else washout_row_text(labeler.waits),
    )


def _row_without_sample(labeler: LabelerProgress) -> LabelerRow:
    there = labeler.imported
    return LabelerRow(
        code=labeler.code,
        done=there,
        total=there,
        progress=f"{count_noun(there, 'image')} answered" if there else NOTHING_TO_ANSWER,
        state="imported" if there else "no sample",
    )


def _progress_text(done: int, total: int, locked: bool) -> str:
    if locked:
        return "locked"
    if not done:
        return "not started"
    return "answered, not locked" if done >= total else "in progress"
