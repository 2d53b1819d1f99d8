"""The demo: a complete small study, composed from cut-out photographs."""

from pathlib import Path

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.progress import ProgressReporter
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.app.study.studies import new_study, open_for_work
from labeler.core.clock import Clock
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.phases import Phase, PhaseState
from labeler.demo.identity import DEMO_NAME, DEMO_PEOPLE, DEMO_SEED, require_demo
from labeler.demo.pictures import add_demo_datasets
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore

DEMO_SAMPLE_CLASSES = 30


def build_demo(path: Path, *, clock: Clock, progress: ProgressReporter) -> StudyStore:
    """Create the demo study, complete one that was interrupted, or open one that is complete."""
    exists = StudyFolder(path).exists()
    store = (
        open_for_work(path, clock=clock)
        if exists
        else new_study(path, clock=clock, name=DEMO_NAME, seed=DEMO_SEED)
    )
    try:
        identity = store.identity
        require_demo(DEMO_NAME, name=identity.name, seed=identity.seed, place=path)
        _complete(store, progress)
    except BaseException:  # the caller gets no store to close
        store.close()
        raise
    return store


def _complete(store: StudyStore, progress: ProgressReporter) -> None:
    add_demo_datasets(store, progress)
    _add_people(store)
    _draw_sample(store)
    prepare_sheets(store, progress=progress)
    _open_phases(store)


def _add_people(store: StudyStore) -> None:
    with store.read() as study:
        known = {participant.code for participant in study.participants.all()}
    for code, role, description in DEMO_PEOPLE:
        if code not in known:
            add_person(store, code, roles=[role], description=description)


def _draw_sample(store: StudyStore) -> None:
    with store.read() as study:
        drawn = study.samples.current() is not None
    if not drawn:
        request = SampleRequest(("original", "new"), 1, DEMO_SEED, DEMO_SAMPLE_CLASSES)
        freeze_sample(store, request)


def _open_phases(store: StudyStore) -> None:
    with store.read() as study:
        states = study.phases.states()
    for phase in (Phase.TRAIN, Phase.EVALUATE):
        if states[phase] is PhaseState.CLOSED:
            open_phase(store, phase)
