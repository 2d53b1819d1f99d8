"""A labeler's own answers, which they can look through until they are locked."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from labeler.core.labeling.own_answers import OwnAnswer
from labeler.store.labeling.trial_tasks import EVALUATION, REPEATED_EVALUATION, TrialTask
from labeler.store.labeling.trials import IS_FLAGGED
from labeler.store.schema import ClassRow, TrialRow


def own_answers(session: Session, person: int, *, marks: Collection[str]) -> list[OwnAnswer]:
    """Return the last answer to each trial, in the labeler's order."""
    tasks = (EVALUATION, REPEATED_EVALUATION)
    # Later revisions replace earlier ones.
    newest = {row.id: row for task in tasks for row in session.execute(_query(task, person))}
    rows = sorted(newest.values(), key=lambda row: row.position)
    return [
        OwnAnswer(
            trial_id=row.id,
            position=row.position,
            label=row.wnid,
            confidence=row.confidence,
            active_ms=row.active_ms,
            escape_hatch=row.escape_hatch,
            has_note=bool(row.note),
            flagged=row.flagged,
            marked=row.id in marks,
            changed=row.revision > 1,
        )
        for row in rows
    ]


def _query(task: TrialTask, person: int) -> Select[*tuple[Any, ...]]:
    """Return the query for all revisions, oldest first; hidden repeats have a separate table."""
    answer = task.answers
    return (
        select(
            TrialRow.id,
            TrialRow.position,
            ClassRow.wnid,
            answer.confidence,
            answer.active_ms,
            answer.escape_hatch,
            answer.note,
            answer.revision,
            IS_FLAGGED.label("flagged"),
        )
        .select_from(TrialRow)
        .join(answer, task.answers_trial)
        .join(ClassRow, ClassRow.id == answer.class_id)
        .where(EVALUATION.is_trial_of(person))
        .order_by(answer.revision)
    )
