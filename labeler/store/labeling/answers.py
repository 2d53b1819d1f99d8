"""Storing one answer: its prediction, intervals and exposure, all or nothing.

A labeler waits for this at every image. So everything that decides is asked in one statement, and
the statements are built once and sent past the object mapper, which would triple the cost.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Select, bindparam, delete, func, insert, null, select, text, update
from sqlalchemy.sql.selectable import ScalarSelect

from labeler.core.errors import Refused
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.core.study.entities import Occasion
from labeler.core.study.phases import PhaseState
from labeler.store.engine.compiled_statements import Line, Prepared, table_of
from labeler.store.labeling.intervals import ADD_INTERVAL, interval_rows
from labeler.store.labeling.trial_tasks import EVALUATION, LabeledTask
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


def commit_answer(line: Line, answer: CommittedAnswer, task: LabeledTask = EVALUATION) -> int:
    """Store the answer as the trial's next revision; one that is stored keeps its revision."""
    before = _before(line, answer, task)
    if before.stored_revision is not None:
        return before.stored_revision
    line.run(_ADD_PREDICTION, _prediction(answer, before, task))
    line.run(ADD_INTERVAL, *interval_rows(answer.trial_id, answer.visits, after=before.intervals))
    line.run(_ADD_EXPOSURE, *_exposures(answer, before, task))
    if not before.shown:
        line.run(_SHOW, {"trial": answer.trial_id, "shown": answer.shown_at})
    if before.drafted:
        line.run(discarding(task), {"person": before.participant_id, "subject": answer.trial_id})
    if before.not_shown:
        line.run(_WITHDRAW, {"trial": answer.trial_id, "now": answer.submitted_at})
    if task.reveals:
        line.run(_LOCK, {"trial": answer.trial_id, "now": answer.submitted_at})
    return before.revisions + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
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


def _class_called(parameter: str) -> ScalarSelect[int]:
    return select(ClassRow.id).where(ClassRow.wnid == bindparam(parameter)).scalar_subquery()


def exposures_by(occasion: Occasion) -> ScalarSelect[int]:
    return (
        select(func.count(ExposureRow.id))
        .where(
            ExposureRow.image_id == TrialRow.image_id,
            ExposureRow.participant_id == TrialRow.participant_id,
            # Written out: to a bound value an index of some occasions may or may not apply, and so
            # SQLite would prepare the whole statement anew for each answer.
            text(f"exposure.occasion = '{occasion.value}'"),
        )
        .scalar_subquery()
    )


_STORED = PredictionRow.id == bindparam("answer")
_INTERVALS = select(func.max(IntervalRow.number)).where(IntervalRow.trial_id == TrialRow.id)
NOT_SHOWN_NOW = select(func.count(NotShownRow.id)).where(
    NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None)
)
_SAME_TRIAL = select(PredictionRow.trial_id == TrialRow.id).where(_STORED)
_TARGET = select(ImageRow.target_id).where(ImageRow.id == TrialRow.image_id)


def drafts_about(subject: str, task: LabeledTask) -> Select[int]:
    """How many drafts the trial's labeler has on the subject of that name: one or none."""
    return select(func.count(DraftRow.subject)).where(
        DraftRow.participant_id == TrialRow.participant_id,
        DraftRow.task == task.task,
        DraftRow.subject == bindparam(subject),
    )


@cache
def _asking_before(task: LabeledTask) -> tuple[tuple[str, ...], Prepared]:
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
        "class_id": _class_called("label"),
        "alternative_id": _class_called("alternative"),
        "same_trial": _SAME_TRIAL.scalar_subquery(),
        "stored_revision": select(PredictionRow.revision).where(_STORED).scalar_subquery(),
        "revisions": revisions.scalar_subquery(),
        "intervals": _INTERVALS.scalar_subquery(),
        "exposed": exposures_by(task.occasion),
        "declared": exposures_by(Occasion.DECLARED),
        "drafted": drafts_about("subject", task).scalar_subquery(),
        "not_shown": NOT_SHOWN_NOW.scalar_subquery(),
        # Nobody asks for a target that isn't about to be told.
        "revealed_id": _TARGET.scalar_subquery() if task.reveals else null(),
    }
    return tuple(asked), Prepared(select(*asked.values()).where(TrialRow.id == bindparam("trial")))


@cache
def discarding(task: LabeledTask) -> Prepared:
    """Forgets the draft of a person on a subject."""
    drafts = table_of(DraftRow)
    return Prepared(
        delete(drafts).where(
            drafts.c.participant_id == bindparam("person"),
            drafts.c.task == task.task,
            drafts.c.subject == bindparam("subject"),
        )
    )


_ADD_PREDICTION = Prepared(
    insert(table_of(PredictionRow)),
    columns=[column.name for column in table_of(PredictionRow).columns if column.name != "score"],
)
_ADD_EXPOSURE = Prepared(
    insert(table_of(ExposureRow)),
    columns=["participant_id", "image_id", "occasion", "class_id", "session_id", "at"],
)
_SHOW = Prepared(
    update(table_of(TrialRow))
    .where(table_of(TrialRow).c.id == bindparam("trial"))
    .values(shown_at=bindparam("shown"))
)
_LOCK = Prepared(
    update(table_of(TrialRow))
    .where(table_of(TrialRow).c.id == bindparam("trial"))
    .values(locked_at=bindparam("now"))
)
_WITHDRAW = Prepared(
    update(table_of(NotShownRow))
    .where(
        table_of(NotShownRow).c.trial_id == bindparam("trial"),
        table_of(NotShownRow).c.withdrawn_at.is_(None),
    )
    .values(withdrawn_at=bindparam("now"))
)


def _before(line: Line, answer: CommittedAnswer, task: LabeledTask) -> _Before:
    """What is there already; refused unless the answer is, or may still be added to it."""
    columns, asking = _asking_before(task)
    row = line.first(asking, _keys(answer))
    if row is None:
        raise Refused("The study has no such trial. Sign in again.")
    found = dict(zip(columns, row, strict=True))
    if found["stored_revision"] is None:
        _require_open(found, task)
        _require_classes(found, answer)
    elif not found["same_trial"]:
        raise Refused("This answer is stored for another trial already. Answer this one again.")
    return _Before(
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


def _require_open(found: Mapping[str, object], task: LabeledTask) -> None:
    if found["locked_at"] is not None:
        raise Refused(task.final)
    if found["phase"] != PhaseState.OPEN:
        raise Refused(task.not_open)
    if found["sitter"] != found["participant_id"]:
        raise Refused(task.not_theirs)


def _require_classes(found: Mapping[str, object], answer: CommittedAnswer) -> None:
    for wnid, column in ((answer.label, "class_id"), (answer.alternative, "alternative_id")):
        if wnid is not None and found[column] is None:
            raise Refused(f"'{wnid}' is no class of this study. Choose one of its classes.")


def _prediction(answer: CommittedAnswer, before: _Before, task: LabeledTask) -> dict[str, object]:
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
    answer: CommittedAnswer, before: _Before, task: LabeledTask
) -> list[dict[str, object]]:
    """That the labeler saw the image, each time that its class is told, else once.

    That they knew it before is noted once too.
    """
    occasions = [task.occasion] if task.reveals or not before.exposed else []
    if answer.knows_image and not before.declared:
        occasions.append(Occasion.DECLARED)
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
