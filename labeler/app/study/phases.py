"""Opening and locking the phases of a study."""

from collections.abc import Sequence

from labeler.app.guide.folder import FolderPage, import_folder_pages, read_folder
from labeler.app.guide.study_guide import freeze_guide
from labeler.app.labeling.answer_journal import count_pending_answers
from labeler.app.labeling.revisit_time import store_revisit_times
from labeler.app.review.verdict_writer import count_pending_verdicts
from labeler.app.study.phase_facts import phase_opening_refusal
from labeler.core.clock import stamp
from labeler.core.datasets.washout import exposure_warning
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role, SessionTask, Stage
from labeler.core.study.phases import Phase, refusal_to_lock
from labeler.store.study_store import StudyStore, Transaction

_STAGE_OF = {Phase.ANNOTATE: Stage.INITIAL, Phase.REVIEW: Stage.FINAL}
_ANSWERED_IN = {Phase.TRAIN: SessionTask.TRAIN, Phase.EVALUATE: SessionTask.EVALUATE}


def open_phase(store: StudyStore, phase: Phase) -> tuple[str, ...]:
    """Open the phase, or refuse with the reason; what the lead should know comes back."""
    pages = read_folder(store.folder)
    with store.write() as study:
        reason = phase_opening_refusal(study, phase, study.phases.facts(), now=store.clock.utc())
        if reason is not None:
            raise RefusedError(reason)
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
            raise RefusedError(reason)
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
            store_revisit_times(study, labeler.code, now=now)


def _freeze_guide(study: Transaction, pages: Sequence[FolderPage]) -> None:
    """Freeze the guide with what was changed by hand; a page that is left behind would mislead."""
    report = import_folder_pages(study, pages)
    if report.faults:
        raise RefusedError(
            f"The guide can't be frozen for the evaluation: {report.faults[0]} "
            "Mend the page in the study's folder, or remove its file."
        )
    freeze_guide(study)


def _require_no_verdict_journaled(store: StudyStore, stage: Stage) -> None:
    """A verdict that waits in a journal could never be stored once the review is locked."""
    waiting = count_pending_verdicts(store.folder, stage)
    if waiting:
        verdicts = "1 verdict waits" if waiting == 1 else f"{waiting:,} verdicts wait"
        raise RefusedError(
            f"{verdicts} in a journal, because the study couldn't take it when it was given. "
            "It is stored when its reviewer begins again; have that done, then lock."
        )


def _require_nothing_journaled(store: StudyStore, task: SessionTask) -> None:
    """An answer that waits in a journal could never be stored once the phase is locked."""
    waiting = count_pending_answers(store.folder, task)
    if waiting:
        answers = "1 answer waits" if waiting == 1 else f"{waiting:,} answers wait"
        raise RefusedError(
            f"{answers} in a journal, because the study couldn't take it when it was given. "
            "It is stored when its labeler begins again; have that done, then lock."
        )
