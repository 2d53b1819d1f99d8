"""Opening and locking the phases of a study."""

from labeler.app.journal import waiting_in
from labeler.core.errors import Refused
from labeler.core.phases import Phase, refusal_to_lock, refusal_to_open
from labeler.store.study import StudyStore


def open_phase(store: StudyStore, phase: Phase) -> None:
    """Open the phase, or refuse with the reason."""
    with store.write() as study:
        reason = refusal_to_open(phase, study.phases.facts())
        if reason is not None:
            raise Refused(reason)
        study.phases.open(phase)
        study.audit.record("phase opened", phase=phase)


def lock_phase(store: StudyStore, phase: Phase, *, unfinished: bool = False) -> None:
    """Lock the phase for good, or refuse with the reason."""
    if phase is Phase.EVALUATE:
        _require_nothing_journaled(store)
    with store.write() as study:
        reason = refusal_to_lock(phase, study.phases.facts(), unfinished=unfinished)
        if reason is not None:
            raise Refused(reason)
        study.phases.lock(phase)
        study.audit.record("phase locked", phase=phase, unfinished=unfinished)


def _require_nothing_journaled(store: StudyStore) -> None:
    """An answer that waits in a journal could never be stored once the evaluation is locked."""
    waiting = waiting_in(store.folder)
    if waiting:
        answers = "1 answer waits" if waiting == 1 else f"{waiting:,} answers wait"
        raise Refused(
            f"{answers} in a journal, because the study couldn't take it when it was given. "
            "It is stored when its labeler begins again; have that done, then lock."
        )
