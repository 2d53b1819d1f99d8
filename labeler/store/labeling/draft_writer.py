"""Keeping a trial's draft every few seconds, as cheaply as an answer is stored."""

from functools import cache

from sqlalchemy import bindparam, insert, select, update

from labeler.core.study.phases import PhaseState
from labeler.store.engine.compiled_statements import Line, Prepared, table_of
from labeler.store.labeling.answers import drafts_about
from labeler.store.labeling.trial_tasks import EVALUATION, LabeledTask
from labeler.store.schema import DraftRow, SessionRow, TrialRow

_DRAFT, _SESSION = table_of(DraftRow), table_of(SessionRow)
_ADD = Prepared(insert(_DRAFT))
_HEARD = Prepared(
    update(_SESSION).where(_SESSION.c.id == bindparam("session")).values(active_at=bindparam("now"))
)


@cache
def _asking(task: LabeledTask) -> Prepared:
    """Whose trial it is, whether they may work on it, and whether it has a draft."""
    return Prepared(
        select(
            TrialRow.participant_id,
            TrialRow.locked_at,
            task.phase_state,
            drafts_about("subject", task).scalar_subquery(),
        ).where(TrialRow.id == bindparam("trial"))
    )


@cache
def _replacing(task: LabeledTask) -> Prepared:
    return Prepared(
        update(_DRAFT)
        .where(
            _DRAFT.c.participant_id == bindparam("person"),
            _DRAFT.c.task == task.task,
            _DRAFT.c.subject == bindparam("trial"),
        )
        .values(contents=bindparam("text"), updated_at=bindparam("now"))
    )


def keep_draft(
    line: Line, trial_id: str, contents: str, *, now: str, task: LabeledTask = EVALUATION
) -> bool:
    """Keep the contents in place of the trial's draft; false when nobody may work on it."""
    found = line.first(_asking(task), {"trial": trial_id, "subject": trial_id})
    if found is None:
        return False
    person, locked_at, phase, drafts = found
    if locked_at is not None or phase != PhaseState.OPEN:
        return False
    if drafts:
        changed = {"person": person, "trial": trial_id, "text": contents, "now": now}
        line.run(_replacing(task), changed)
    else:
        line.run(
            _ADD,
            {
                "participant_id": person,
                "task": task.task,
                "subject": trial_id,
                "contents": contents,
                "updated_at": now,
            },
        )
    return True


def hear_of_session(line: Line, session_id: str, *, now: str) -> None:
    """Note that the session goes on."""
    line.run(_HEARD, {"session": session_id, "now": now})
