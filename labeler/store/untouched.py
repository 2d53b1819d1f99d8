"""Whether a trial is new, asked in one statement: a labeler waits for it at every image."""

from dataclasses import dataclass

from sqlalchemy import ScalarSelect, Select, bindparam, func, select

from labeler.core.phases import PhaseState
from labeler.core.study import Occasion, Task
from labeler.store.committing import (
    EVALUATION_PHASE,
    EVALUATION_PREDICTION,
    NOT_SHOWN_NOW,
    exposures_by,
)
from labeler.store.drafts import MARKED_TRIALS
from labeler.store.prepared import Line, Prepared
from labeler.store.schema import DraftRow, PredictionRow, ProblematicRow, TrialRow


@dataclass(frozen=True, slots=True)
class Untouched:
    """A trial without an answer, a flag or a mark; `draft` is what was half done, if anything."""

    draft: str | None


def _draft_of(subject: str) -> Select[str]:
    return select(DraftRow.contents).where(
        DraftRow.participant_id == TrialRow.participant_id,
        DraftRow.task == Task.EVALUATE,
        DraftRow.subject == bindparam(subject),
    )


def _count_of_labeler(row: type[PredictionRow | ProblematicRow]) -> Select[int]:
    return select(func.count(row.id)).where(
        row.participant_id == TrialRow.participant_id, row.image_id == TrialRow.image_id
    )


def _sum(*counts: Select[int]) -> ScalarSelect[int]:
    first, *others = (count.scalar_subquery() for count in counts)
    return sum(others, start=first)


_ANSWERS = _count_of_labeler(PredictionRow).where(EVALUATION_PREDICTION)
_PROBLEMS = _count_of_labeler(ProblematicRow).where(ProblematicRow.withdrawn_at.is_(None))
_ASK = Prepared(
    select(
        TrialRow.shown_at,
        TrialRow.flagged_wall_ms,
        TrialRow.locked_at,
        EVALUATION_PHASE.scalar_subquery(),
        _sum(_ANSWERS, _PROBLEMS, NOT_SHOWN_NOW) + exposures_by(Occasion.DECLARED),
        _draft_of("marks").scalar_subquery(),
        _draft_of("subject").scalar_subquery(),
    ).where(TrialRow.id == bindparam("trial"))
)


def untouched(line: Line, trial_id: str) -> Untouched | None:
    """The trial, if nothing has been done about it yet and something may be."""
    values = {"trial": trial_id, "subject": trial_id, "marks": MARKED_TRIALS}
    found = line.first(_ASK, values)
    if found is None:
        return None
    shown_at, flagged_wall_ms, locked_at, phase, acts, marks, draft = found
    is_new = shown_at is flagged_wall_ms is None and not acts and trial_id not in (marks or "")
    may_change = locked_at is None and phase == PhaseState.OPEN
    return Untouched(draft) if is_new and may_change else None
