"""Keeping a trial's draft every few seconds, as cheaply as an answer is stored."""

from sqlalchemy import bindparam, func, insert, select, update

from labeler.core.phases import PhaseState
from labeler.core.study import Task
from labeler.store.committing import EVALUATION_PHASE, table_of
from labeler.store.prepared import Line, Prepared
from labeler.store.schema import DraftRow, SessionRow, TrialRow

_DRAFT, _SESSION = table_of(DraftRow), table_of(SessionRow)
_DRAFTS = select(func.count(DraftRow.subject)).where(
    DraftRow.participant_id == TrialRow.participant_id,
    DraftRow.task == Task.EVALUATE,
    DraftRow.subject == bindparam("subject"),
)
_ASK = Prepared(
    select(
        TrialRow.participant_id,
        TrialRow.locked_at,
        EVALUATION_PHASE.scalar_subquery(),
        _DRAFTS.scalar_subquery(),
    ).where(TrialRow.id == bindparam("trial"))
)
_ADD = Prepared(insert(_DRAFT))
_REPLACE = Prepared(
    update(_DRAFT)
    .where(
        _DRAFT.c.participant_id == bindparam("person"),
        _DRAFT.c.task == Task.EVALUATE,
        _DRAFT.c.subject == bindparam("trial"),
    )
    .values(contents=bindparam("text"), updated_at=bindparam("now"))
)
_HEARD = Prepared(
    update(_SESSION).where(_SESSION.c.id == bindparam("session")).values(active_at=bindparam("now"))
)


def keep_draft(line: Line, trial_id: str, contents: str, *, now: str) -> bool:
    """Keep the contents in place of the trial's draft; false when nobody may work on it."""
    found = line.first(_ASK, {"trial": trial_id, "subject": trial_id})
    if found is None:
        return False
    person, locked_at, phase, drafts = found
    if locked_at is not None or phase != PhaseState.OPEN:
        return False
    if drafts:
        line.run(_REPLACE, {"person": person, "trial": trial_id, "text": contents, "now": now})
    else:
        line.run(
            _ADD,
            {
                "participant_id": person,
                "task": Task.EVALUATE,
                "subject": trial_id,
                "contents": contents,
                "updated_at": now,
            },
        )
    return True


def hear_of_session(line: Line, session_id: str, *, now: str) -> None:
    """Note that the session goes on."""
    line.run(_HEARD, {"session": session_id, "now": now})
