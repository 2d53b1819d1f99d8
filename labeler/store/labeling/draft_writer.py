"""Keeping a trial's draft every few seconds, as cheaply as an answer is stored."""

from functools import cache

from sqlalchemy import bindparam, insert, select, update

from labeler.core.study.phases import PhaseState
from labeler.store.engine.compiled_statements import CompiledStatement, StatementExecutor, table_of
from labeler.store.labeling.answers import draft_count_query
from labeler.store.labeling.trial_tasks import EVALUATION, TrialTask
from labeler.store.schema import DraftRow, SessionRow, TrialRow

_DRAFT, _SESSION = table_of(DraftRow), table_of(SessionRow)
_INSERT_DRAFT = CompiledStatement(insert(_DRAFT))
_TOUCH_SESSION = CompiledStatement(
    update(_SESSION).where(_SESSION.c.id == bindparam("session")).values(active_at=bindparam("now"))
)


@cache
def _draft_state_query(task: TrialTask) -> CompiledStatement:
    """Whose trial it is, whether they may work on it, and whether it has a draft."""
    return CompiledStatement(
        select(
            TrialRow.participant_id,
            TrialRow.locked_at,
            task.phase_state,
            draft_count_query("subject", task).scalar_subquery(),
        ).where(TrialRow.id == bindparam("trial"))
    )


@cache
def _update_draft_statement(task: TrialTask) -> CompiledStatement:
    return CompiledStatement(
        update(_DRAFT)
        .where(
            _DRAFT.c.participant_id == bindparam("person"),
            _DRAFT.c.task == task.task,
            _DRAFT.c.subject == bindparam("trial"),
        )
        .values(contents=bindparam("text"), updated_at=bindparam("now"))
    )


def save_trial_draft(
    line: StatementExecutor, trial_id: str, contents: str, *, now: str, task: TrialTask = EVALUATION
) -> bool:
    """Keep the contents in place of the trial's draft; false when no one may work on it."""
    found = line.first(_draft_state_query(task), {"trial": trial_id, "subject": trial_id})
    if found is None:
        return False
    person, locked_at, phase, drafts = found
    if locked_at is not None or phase != PhaseState.OPEN:
        return False
    if drafts:
        changed = {"person": person, "trial": trial_id, "text": contents, "now": now}
        line.run(_update_draft_statement(task), changed)
    else:
        line.run(
            _INSERT_DRAFT,
            {
                "participant_id": person,
                "task": task.task,
                "subject": trial_id,
                "contents": contents,
                "updated_at": now,
            },
        )
    return True


def touch_session(line: StatementExecutor, session_id: str, *, now: str) -> None:
    """Note that the session goes on."""
    line.run(_TOUCH_SESSION, {"session": session_id, "now": now})
