"""Opening and locking the phases of a study."""

from collections.abc import Sequence

from labeler.app.guide.folder import FolderPage, read_folder, take_over
from labeler.app.guide.study_guide import freeze
from labeler.app.labeling.answer_journal import waiting_in
from labeler.app.labeling.revisit_time import store_later_looks
from labeler.app.review.verdict_writer import verdicts_waiting_in
from labeler.app.study.washing_out import why_not_open
from labeler.core.clock import stamp
from labeler.core.datasets.washout import exposure_warning
from labeler.core.errors import Refused
from labeler.core.study.entities import Role, Stage, Task
from labeler.core.study.phases import Phase, refusal_to_lock
from labeler.store.study_store import StudyStore, Transaction

_STAGE_OF = {Phase.ANNOTATE: Stage.INITIAL, Phase.REVIEW: Stage.FINAL}
_ANSWERED_IN = {Phase.TRAIN: Task.TRAIN, Phase.EVALUATE: Task.EVALUATE}


def open_phase(store: StudyStore, phase: Phase) -> tuple[str, ...]:
    """Open the phase, or refuse with the reason; what the lead should know comes back."""
    pages = read_folder(store.folder)
    with store.write() as study:
        reason = why_not_open(study, phase, study.phases.facts(), now=store.clock.utc())
        if reason is not None:
            raise Refused(reason)
        warnings: tuple[str, ...] = ()
        if phase is Phase.EVALUATE:
            warnings = _exposures(study)
            _freeze_guide(study, pages)
        study.phases.open(phase)
        study.audit.record("phase opened", phase=phase)
    return warnings


def lock_phase(store: StudyStore, phase: Phase, *, unfinished: bool = False) -> None:
    """Lock the phase for good, or refuse with the reason."""
    if phase in _ANSWERED_IN:
        _require_nothing_journaled(store, _ANSWERED_IN[phase])
    if phase in _STAGE_OF:
        _require_no_verdict_journaled(store, _STAGE_OF[phase])
    with store.write() as study:
        reason = refusal_to_lock(phase, study.phases.facts(), unfinished=unfinished)
        if reason is not None:
            raise Refused(reason)
        if phase is Phase.EVALUATE:
            _store_looks_of_all(study, now=stamp(store.clock.utc()))
        study.phases.lock(phase)
        study.audit.record("phase locked", phase=phase, unfinished=unfinished)


def _exposures(study: Transaction) -> tuple[str, ...]:
    """Warn of what labelers have seen before."""
    warning = exposure_warning(study.samples.reviewed())
    return () if warning is None else (warning,)


def _store_looks_of_all(study: Transaction, *, now: str) -> None:
    for labeler in study.participants.with_role(Role.LABELER):
        if not study.labeling.is_locked(labeler.code):
            store_later_looks(study, labeler.code, now=now)


def _freeze_guide(study: Transaction, pages: Sequence[FolderPage]) -> None:
    """Freeze the guide with what was changed by hand; a page that is left behind would mislead."""
    report = take_over(study, pages)
    if report.faults:
        raise Refused(
            f"The guide can't be frozen for the evaluation: {report.faults[0]} "
            "Mend the page in the study's folder, or remove its file."
        )
    freeze(study)


def _require_no_verdict_journaled(store: StudyStore, stage: Stage) -> None:
    """A verdict that waits in a journal could never be stored once the review is locked."""
    waiting = verdicts_waiting_in(store.folder, stage)
    if waiting:
        verdicts = "1 verdict waits" if waiting == 1 else f"{waiting:,} verdicts wait"
        raise Refused(
            f"{verdicts} in a journal, because the study couldn't take it when it was given. "
            "It is stored when its reviewer begins again; have that done, then lock."
        )


def _require_nothing_journaled(store: StudyStore, task: Task) -> None:
    """An answer that waits in a journal could never be stored once the phase is locked."""
    waiting = waiting_in(store.folder, task)
    if waiting:
        answers = "1 answer waits" if waiting == 1 else f"{waiting:,} answers wait"
        raise Refused(
            f"{answers} in a journal, because the study couldn't take it when it was given. "
            "It is stored when its labeler begins again; have that done, then lock."
        )
