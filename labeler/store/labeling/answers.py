"""Storing one answer: its prediction, intervals and exposure, all or nothing.

A labeler waits for this at every image. So everything that decides is asked in one statement, and
the statements are built once and sent past the object mapper, which would triple the cost.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Select, bindparam, delete, func, insert, null, select, text, update
from sqlalchemy.sql.selectable import ScalarSelect

from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import ExposureOccasion
from labeler.core.study.phases import PhaseState
from labeler.store.engine.compiled_statements import CompiledStatement, StatementExecutor, table_of
from labeler.store.labeling.trial_tasks import EVALUATION, TrialTask
from labeler.store.labeling.trial_time import ADD_INTERVAL, interval_rows
from labeler.store.schema import (
    ClassRow,
    DraftRow,
    ExposureRow,
    ImageRow,
    IntervalRow,
    NotShownRow,
    PredictionRow,
    SessionRow,
    TrialRow,
)


def commit_answer(
    line: StatementExecutor, answer: CommittedAnswer, task: TrialTask = EVALUATION
) -> int:
    """Store the answer as the trial's next revision; one that is stored keeps its revision."""
    before = _load_stored_trial(line, answer, task)
    if before.stored_revision is not None:
        return before.stored_revision
    line.run(_ADD_PREDICTION, _prediction(answer, before, task))
    line.run(ADD_INTERVAL, *interval_rows(answer.trial_id, answer.visits, after=before.intervals))
    line.run(_ADD_EXPOSURE, *_exposures(answer, before, task))
    if not before.shown:
        line.run(_SET_SHOWN_AT, {"trial": answer.trial_id, "shown": answer.shown_at})
    if before.drafted:
        line.run(
            delete_draft_statement(task),
            {"person": before.participant_id, "subject": answer.trial_id},
        )
    if before.not_shown:
        line.run(_WITHDRAW_NOT_SHOWN, {"trial": answer.trial_id, "now": answer.submitted_at})
    if task.reveals:
        line.run(_SET_LOCKED_AT, {"trial": answer.trial_id, "now": answer.submitted_at})
    return before.revisions + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _StoredTrial:
    """What the study has of the trial before the answer."""

    participant_id: int
    image_id: int
    revealed_id: int | None
    class_id: int
    alternative_id: int | None
    stored_revision: int | None
    revisions: int
    intervals: int
    shown: bool
    exposed: bool
    declared: bool
    drafted: bool
    not_shown: bool


def _class_id_query(parameter: str) -> ScalarSelect[int]:
    return select(ClassRow.id).where(ClassRow.wnid == bindparam(parameter)).scalar_subquery()


def exposure_count_query(occasion: ExposureOccasion) -> ScalarSelect[int]:
    return (
        select(func.count(ExposureRow.id))
        .where(
            ExposureRow.image_id == TrialRow.image_id,
            ExposureRow.participant_id == TrialRow.participant_id,
            # Written out: to a bound value an index of some occasions may or may not apply, and so
            # SQLite would prepare the whole statement again for each answer.
            text(f"exposure.occasion = '{occasion.value}'"),
        )
        .scalar_subquery()
    )


_IS_STORED_ANSWER = PredictionRow.id == bindparam("answer")
_INTERVALS = select(func.max(IntervalRow.number)).where(IntervalRow.trial_id == TrialRow.id)
NOT_SHOWN_COUNT = select(func.count(NotShownRow.id)).where(
    NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None)
)
_SAME_TRIAL = select(PredictionRow.trial_id == TrialRow.id).where(_IS_STORED_ANSWER)
_TARGET = select(ImageRow.target_id).where(ImageRow.id == TrialRow.image_id)


def draft_count_query(subject: str, task: TrialTask) -> Select[int]:
    """How many drafts the trial's labeler has on the subject of that name: one or none."""
    return select(func.count(DraftRow.subject)).where(
        DraftRow.participant_id == TrialRow.participant_id,
        DraftRow.task == task.task,
        DraftRow.subject == bindparam(subject),
    )


@cache
def _stored_trial_query(task: TrialTask) -> tuple[tuple[str, ...], CompiledStatement]:
    """The question what the study has of a trial, and what its columns are called."""
    sitter = select(SessionRow.participant_id).where(
        SessionRow.id == bindparam("session"), SessionRow.task == task.task
    )
    revisions = select(func.max(PredictionRow.revision)).where(task.answers_trial)
    asked = {
        "participant_id": TrialRow.participant_id,
        "image_id": TrialRow.image_id,
        "shown_at": TrialRow.shown_at,
        "locked_at": TrialRow.locked_at,
        "phase": task.phase_state,
        "sitter": sitter.scalar_subquery(),
        "class_id": _class_id_query("label"),
        "alternative_id": _class_id_query("alternative"),
        "same_trial": _SAME_TRIAL.scalar_subquery(),
        "stored_revision": select(PredictionRow.revision)
        .where(_IS_STORED_ANSWER)
        .scalar_subquery(),
        "revisions": revisions.scalar_subquery(),
        "intervals": _INTERVALS.scalar_subquery(),
        "exposed": exposure_count_query(task.occasion),
        "declared": exposure_count_query(ExposureOccasion.DECLARED),
        "drafted": draft_count_query("subject", task).scalar_subquery(),
        "not_shown": NOT_SHOWN_COUNT.scalar_subquery(),
        # No one asks for a target that isn't about to be reported.
        "revealed_id": _TARGET.scalar_subquery() if task.reveals else null(),
    }
    return tuple(asked), CompiledStatement(
        select(*asked.values()).where(TrialRow.id == bindparam("trial"))
    )


@cache
def delete_draft_statement(task: TrialTask) -> CompiledStatement:
    """Forgets the draft of a person on a subject."""
    drafts = table_of(DraftRow)
    return CompiledStatement(
        delete(drafts).where(
            drafts.c.participant_id == bindparam("person"),
            drafts.c.task == task.task,
            drafts.c.subject == bindparam("subject"),
        )
    )


_ADD_PREDICTION = CompiledStatement(
    insert(table_of(PredictionRow)),
    columns=[column.name for column in table_of(PredictionRow).columns if column.name != "score"],
)
_ADD_EXPOSURE = CompiledStatement(
    insert(table_of(ExposureRow)),
    columns=["participant_id", "image_id", "occasion", "class_id", "session_id", "at"],
)
_SET_SHOWN_AT = CompiledStatement(
    update(table_of(TrialRow))
    .where(table_of(TrialRow).c.id == bindparam("trial"))
    .values(shown_at=bindparam("shown"))
)
_SET_LOCKED_AT = CompiledStatement(
    update(table_of(TrialRow))
    .where(table_of(TrialRow).c.id == bindparam("trial"))
    .values(locked_at=bindparam("now"))
)
_WITHDRAW_NOT_SHOWN = CompiledStatement(
    update(table_of(NotShownRow))
    .where(
        table_of(NotShownRow).c.trial_id == bindparam("trial"),
        table_of(NotShownRow).c.withdrawn_at.is_(None),
    )
    .values(withdrawn_at=bindparam("now"))
)


def _load_stored_trial(
    line: StatementExecutor, answer: CommittedAnswer, task: TrialTask
) -> _StoredTrial:
    """What is there already; refused unless the answer is, or may still be added to it."""
    columns, asking = _stored_trial_query(task)
    row = line.first(asking, _keys(answer))
    if row is None:
        raise RefusedError("The study has no such trial. Sign in again.")
    found = dict(zip(columns, row, strict=True))
    if found["stored_revision"] is None:
        _require_open(found, task)
        _require_classes(found, answer)
    elif not found["same_trial"]:
        raise RefusedError(
            "This answer is stored for another trial already. Answer this one again."
        )
    return _StoredTrial(
        participant_id=found["participant_id"],
        image_id=found["image_id"],
        revealed_id=found["revealed_id"],
        class_id=found["class_id"],
        alternative_id=found["alternative_id"],
        stored_revision=found["stored_revision"],
        revisions=found["revisions"] or 0,
        intervals=found["intervals"] or 0,
        shown=found["shown_at"] is not None,
        exposed=found["exposed"] > 0,
        declared=found["declared"] > 0,
        drafted=found["drafted"] > 0,
        not_shown=found["not_shown"] > 0,
    )


def _keys(answer: CommittedAnswer) -> dict[str, str | None]:
    return {
        "answer": answer.answer_id,
        "trial": answer.trial_id,
        "subject": answer.trial_id,
        "session": answer.session_id,
        "label": answer.label,
        "alternative": answer.alternative,
    }


def _require_open(found: Mapping[str, object], task: TrialTask) -> None:
    if found["locked_at"] is not None:
        raise RefusedError(task.final)
    if found["phase"] != PhaseState.OPEN:
        raise RefusedError(task.not_open_message)
    if found["sitter"] != found["participant_id"]:
        raise RefusedError(task.wrong_session_message)


def _require_classes(found: Mapping[str, object], answer: CommittedAnswer) -> None:
    for wnid, column in ((answer.label, "class_id"), (answer.alternative, "alternative_id")):
        if wnid is not None and found[column] is None:
            raise RefusedError(f"'{wnid}' is no class of this study. Choose one of its classes.")


def _prediction(
    answer: CommittedAnswer, before: _StoredTrial, task: TrialTask
) -> dict[str, object]:
    return {
        "id": answer.answer_id,
        "trial_id": answer.trial_id,
        "participant_id": before.participant_id,
        "task": task.task,
        "image_id": before.image_id,
        "revision": before.revisions + 1,
        "class_id": before.class_id,
        "escape_hatch": answer.escape_hatch,
        "alternative_id": before.alternative_id,
        "confidence": answer.confidence,
        "note": answer.note,
        "active_ms": answer.active_ms,
        "wall_ms": answer.wall_ms,
        "shown_at": answer.shown_at,
        "committed_at": answer.submitted_at,
    }


def _exposures(
    answer: CommittedAnswer, before: _StoredTrial, task: TrialTask
) -> list[dict[str, object]]:
    """That the labeler saw the image, each time that its class is reported, else once.

    That they knew it before is noted once too.
    """
    occasions = [task.occasion] if task.reveals or not before.exposed else []
    if answer.knows_image and not before.declared:
        occasions.append(ExposureOccasion.DECLARED)
    return [
        {
            "participant_id": before.participant_id,
            "image_id": before.image_id,
            "occasion": occasion,
            "class_id": before.revealed_id if occasion is task.occasion else None,
            "session_id": answer.session_id,
            "at": answer.submitted_at,
        }
        for occasion in occasions
    ]
