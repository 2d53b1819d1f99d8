"""Labelers' answers: each with its intervals and exposures, stored whole or not at all."""

from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from labeler.core.datasets.hidden_repeats import FIRST_ASKING
from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import ExposureOccasion, SessionTask
from labeler.core.study.phases import PhaseState
from labeler.store.labeling.trial_tasks import EVALUATION, REPEATED_EVALUATION, TASKS, TrialTask
from labeler.store.labeling.trial_time import interval_rows
from labeler.store.schema import (
    Base,
    ClassRow,
    DraftRow,
    ExposureRow,
    ImageRow,
    IntervalRow,
    NotShownRow,
    PhaseRow,
    PredictionRow,
    ProblematicRow,
    SessionRow,
    TrialRow,
    table_of,
)

NO_SUCH_TRIAL = "The study has no such trial. Sign in again."
_OTHER_TRIAL = "This answer is stored for another trial already. Answer this one again."
_NO_CLASS = "'{wnid}' is no class of this study. Choose one of its classes."

StoredTrial = Row[*tuple[Any, ...]]

_TRIAL, _DRAFT = table_of(TrialRow), table_of(DraftRow)
_UPDATE_TRIAL = (
    update(_TRIAL)
    .where(_TRIAL.c.id == bindparam("trial"))
    .values(shown_at=bindparam("shown"), locked_at=bindparam("locked"))
)
_DELETE_DRAFT = delete(_DRAFT).where(
    _DRAFT.c.participant_id == bindparam("person"),
    _DRAFT.c.task == bindparam("of_task"),
    _DRAFT.c.subject == bindparam("trial"),
)


class Answers:
    """Answers to the trials of all tasks; rows are only appended."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def commit(self, answer: CommittedAnswer, *, task: SessionTask = SessionTask.EVALUATE) -> int:
        """Store the answer as the trial's next revision and return the revision.

        An answer that is stored already keeps its revision.
        """
        rules = TASKS[task]
        trial = self._trial(answer, rules)
        if trial is None and rules is EVALUATION:
            rules, trial = self._repeated_trial(answer)
        if trial is None:
            raise RefusedError(NO_SUCH_TRIAL)
        if trial.stored_revision is not None:
            return _stored_revision(trial)
        _require_open(trial, rules)
        _require_classes(trial, answer)
        self._add(answer, trial, rules)
        return _next_revision(trial)

    def _trial(self, answer: CommittedAnswer, task: TrialTask) -> StoredTrial | None:
        return self._session.execute(_trial_query(task), _keys(answer)).one_or_none()

    def _repeated_trial(self, answer: CommittedAnswer) -> tuple[TrialTask, StoredTrial | None]:
        """Return the hidden repeat that is answered.

        If the labeler answers it before the image's other trial, the two change roles: the first
        answer counts.
        """
        trial = self._trial(answer, REPEATED_EVALUATION)
        if trial is None or trial.last_revision is not None or trial.is_second:
            return REPEATED_EVALUATION, trial
        _exchange_askings(self._session, trial, answer.trial_id)
        return EVALUATION, self._trial(answer, EVALUATION)

    def _add(self, answer: CommittedAnswer, trial: StoredTrial, task: TrialTask) -> None:
        self._insert(task.answers, _prediction(answer, trial, task))
        intervals = interval_rows(answer.trial_id, answer.visits, after=trial.intervals or 0)
        self._insert(IntervalRow, *intervals)
        self._insert(ExposureRow, *_exposures(answer, trial, task))
        self._update_trial(answer, trial, task)
        if trial.not_shown:
            self._withdraw_not_shown(answer)
        if trial.drafted:
            delete_draft(self._session, trial.participant_id, task.task, answer.trial_id)

    def _insert(self, kind: type[Base], *rows: dict[str, object]) -> None:
        if rows:
            self._session.execute(insert(table_of(kind)), list(rows))

    def _update_trial(self, answer: CommittedAnswer, trial: StoredTrial, task: TrialTask) -> None:
        values = {
            "trial": answer.trial_id,
            "shown": trial.shown_at or answer.shown_at,
            "locked": answer.submitted_at if task.reveals else None,
        }
        self._session.execute(_UPDATE_TRIAL, values)

    def _withdraw_not_shown(self, answer: CommittedAnswer) -> None:
        flags = update(NotShownRow).where(
            NotShownRow.trial_id == answer.trial_id, NotShownRow.withdrawn_at.is_(None)
        )
        self._session.execute(flags.values(withdrawn_at=answer.submitted_at))


def delete_draft(session: Session, person: int, task: SessionTask, trial_id: str) -> None:
    """Delete the person's draft of the trial, if there is one."""
    session.execute(_DELETE_DRAFT, {"person": person, "of_task": task, "trial": trial_id})


@cache
def _trial_query(task: TrialTask) -> Select[*tuple[Any, ...]]:
    """Return what the study has about the answer's trial, in one query for speed."""
    answers = task.answers
    stored = answers.id == bindparam("answer")
    session = select(SessionRow.participant_id).where(
        SessionRow.id == bindparam("session"), SessionRow.task == task.task
    )
    draft = select(func.count(DraftRow.subject)).where(
        DraftRow.participant_id == TrialRow.participant_id,
        DraftRow.task == task.task,
        DraftRow.subject == bindparam("subject"),
    )
    not_shown = select(func.count(NotShownRow.id)).where(
        NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None)
    )
    target = select(ImageRow.target_id).where(ImageRow.id == TrialRow.image_id)
    columns = {
        "phase": select(PhaseRow.state).where(PhaseRow.phase == task.phase),
        "session_owner": session,
        "class_id": _class_query("label"),
        "alternative_id": _class_query("alternative"),
        "same_trial": select(answers.trial_id == TrialRow.id).where(stored),
        "stored_revision": select(answers.revision).where(stored),
        "last_revision": select(func.max(answers.revision)).where(task.answers_trial),
        "intervals": select(func.max(IntervalRow.number)).where(
            IntervalRow.trial_id == TrialRow.id
        ),
        "exposed": _exposure_query(task.occasion),
        "declared": _exposure_query(ExposureOccasion.DECLARED),
        "drafted": draft,
        "not_shown": not_shown,
    }
    # The target is read only where it is revealed after the answer.
    revealed = _subquery(target) if task.reveals else null()
    is_second = _is_first_done() if task.repeated else null()
    return select(
        TrialRow.participant_id,
        TrialRow.image_id,
        TrialRow.shown_at,
        TrialRow.locked_at,
        TrialRow.asking,
        is_second.label("is_second"),
        *(_subquery(query).label(name) for name, query in columns.items()),
        revealed.label("revealed_id"),
    ).where(TrialRow.id == bindparam("trial"), TrialRow.task == task.task, task.is_asked)


def _is_first_done() -> ColumnElement[bool]:
    """Return whether the image of a repeat was answered or flagged by the labeler before."""
    answered = exists().where(
        PredictionRow.participant_id == TrialRow.participant_id,
        PredictionRow.image_id == TrialRow.image_id,
        PredictionRow.task == SessionTask.EVALUATE,
    )
    flagged = exists().where(
        ProblematicRow.participant_id == TrialRow.participant_id,
        ProblematicRow.image_id == TrialRow.image_id,
        ProblematicRow.withdrawn_at.is_(None),
    )
    return or_(answered, flagged)


def _exchange_askings(session: Session, repeat: StoredTrial, trial_id: str) -> None:
    """Make the repeat the first trial of its image, and the first one the repeat."""
    # In three steps, because no two trials of an image may have the same number.
    own, first = TrialRow.id == trial_id, TrialRow.asking == FIRST_ASKING
    same_image = EVALUATION.is_trial_of(repeat.participant_id), TrialRow.image_id == repeat.image_id
    for trials, asking in (
        (own, -repeat.asking),
        (and_(*same_image, first), repeat.asking),
        (own, FIRST_ASKING),
    ):
        session.execute(update(TrialRow).where(trials).values(asking=asking))


def _subquery(query: Select[*tuple[Any, ...]]) -> ScalarSelect[Any]:
    return query.correlate(TrialRow).scalar_subquery()


def _class_query(parameter: str) -> Select[int]:
    return select(ClassRow.id).where(ClassRow.wnid == bindparam(parameter))


def _exposure_query(occasion: ExposureOccasion) -> Select[int]:
    return select(func.count(ExposureRow.id)).where(
        ExposureRow.image_id == TrialRow.image_id,
        ExposureRow.participant_id == TrialRow.participant_id,
        ExposureRow.occasion == occasion,
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


def _stored_revision(trial: StoredTrial) -> int:
    if not trial.same_trial:
        raise RefusedError(_OTHER_TRIAL)
    revision: int = trial.stored_revision
    return revision


def _next_revision(trial: StoredTrial) -> int:
    return (trial.last_revision or 0) + 1


def _require_open(trial: StoredTrial, task: TrialTask) -> None:
    if trial.locked_at is not None:
        raise RefusedError(task.final)
    if trial.phase is not PhaseState.OPEN:
        raise RefusedError(task.not_open_message)
    if trial.session_owner != trial.participant_id:
        raise RefusedError(task.wrong_session_message)


def _require_classes(trial: StoredTrial, answer: CommittedAnswer) -> None:
    found = {answer.label: trial.class_id, answer.alternative: trial.alternative_id}
    for wnid, class_id in found.items():
        if wnid is not None and class_id is None:
            raise RefusedError(_NO_CLASS.format(wnid=wnid))


def _prediction(answer: CommittedAnswer, trial: StoredTrial, task: TrialTask) -> dict[str, object]:
    own: dict[str, object] = {"task": task.task}
    if task.repeated:
        own = {"asking": trial.asking, "known_image": answer.knows_image}
    return {
        **own,
        "id": answer.answer_id,
        "trial_id": answer.trial_id,
        "participant_id": trial.participant_id,
        "image_id": trial.image_id,
        "revision": _next_revision(trial),
        "class_id": trial.class_id,
        "escape_hatch": answer.escape_hatch,
        "alternative_id": trial.alternative_id,
        "confidence": answer.confidence,
        "note": answer.note,
        "active_ms": answer.active_ms,
        "wall_ms": answer.wall_ms,
        "shown_at": answer.shown_at,
        "committed_at": answer.submitted_at,
    }


def _exposures(
    answer: CommittedAnswer, trial: StoredTrial, task: TrialTask
) -> list[dict[str, object]]:
    """Return the exposures: the labeler saw the image, and once that they knew it before.

    Where the class is revealed after the answer, each time counts, else only the first.
    """
    occasions = [task.occasion] if task.reveals or not trial.exposed else []
    if answer.knows_image and not trial.declared and not task.repeated:
        occasions.append(ExposureOccasion.DECLARED)
    return [
        {
            "participant_id": trial.participant_id,
            "image_id": trial.image_id,
            "occasion": occasion,
            "class_id": trial.revealed_id if occasion is task.occasion else None,
            "session_id": answer.session_id,
            "at": answer.submitted_at,
        }
        for occasion in occasions
    ]
