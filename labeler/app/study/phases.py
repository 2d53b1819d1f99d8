"""Opening and locking the phases of a study."""

from collections.abc import Sequence

from labeler.app.guide.folder import FolderPage, import_folder_pages, read_folder
from labeler.app.guide.study_guide import freeze_guide
from labeler.app.labeling.answer_journal import count_pending_answers
from labeler.app.labeling.revisit_time import store_revisit_times
from labeler.app.review.verdict_writer import count_pending_verdicts
from labeler.app.study.phase_facts import phase_opening_refusal
from labeler.app.study.settings import read_study_settings
from labeler.core.clock import stamp
from labeler.core.datasets.washout import exposure_warning
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role, SessionTask, Stage
from labeler.core.study.phases import Phase, refusal_to_lock
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore, Transaction

_STAGE_OF = {Phase.ANNOTATE: Stage.INITIAL, Phase.REVIEW: Stage.FINAL}
_ANSWERED_IN = {Phase.TRAIN: SessionTask.TRAIN, Phase.EVALUATE: SessionTask.EVALUATE}


def open_phase(store: StudyStore, phase: Phase) -> tuple[str, ...]:
    """Open the phase, or refuse with the reason; return warnings for the lead."""
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
    """Lock the phase permanently, or refuse with the reason."""
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
    """Return a warning if labelers have seen images of the sample before."""
    days = read_study_settings(study).washout_days
    warning = exposure_warning(study.samples.reviewed(), washout_days=days)
    return () if warning is None else (warning,)


def _store_looks_of_all(study: Transaction, *, now: str) -> None:
    for labeler in study.participants.with_role(Role.LABELER):
        if not study.labeling.is_locked(labeler.code):
            store_revisit_times(study, labeler.code, now=now)


def _freeze_guide(study: Transaction, pages: Sequence[FolderPage]) -> None:
    """Freeze the guide, including pages edited in the folder; refuse if one can't be read."""
    report = import_folder_pages(study, pages)
    if report.faults:
        raise RefusedError(
            f"The guide can't be frozen for the evaluation: {report.faults[0]} "
            "Fix the page in the study's folder, or delete its file."
        )
    freeze_guide(study)


def _require_no_verdict_journaled(store: StudyStore, stage: Stage) -> None:
    """Refuse while a journal holds verdicts, which can't be stored once the review is locked."""
    waiting = count_pending_verdicts(store.folder, stage)
    if waiting:
        raise RefusedError(pending_text(waiting, "verdict", "reviewer"))


def _require_nothing_journaled(store: StudyStore, task: SessionTask) -> None:
    """Refuse while a journal holds answers, which can't be stored once the phase is locked."""
    waiting = count_pending_answers(store.folder, task)
    if waiting:
        raise RefusedError(pending_text(waiting, "answer", "labeler"))


def pending_text(count: int, noun: str, role: str) -> str:
    waiting = count_noun(count, f"{noun} is", f"{noun}s are")
    return (
        f"{waiting} still in a journal, because the study couldn't be written to at the time. "
        f"Ask the {role} to sign in and continue, which stores what is pending, then lock."
    )
