"""The demo: a complete small study, composed from cut-out photographs."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from labeler.app.dataset_import import import_dataset
from labeler.app.dataset_request import DatasetRequest
from labeler.app.demo_identity import NAME, PEOPLE, SEED
from labeler.app.people import add_person
from labeler.app.phases import open_phase
from labeler.app.progress import Progress
from labeler.app.reference_sheets import prepare_sheets
from labeler.app.sampling import freeze_sample
from labeler.app.studies import new_study, open_for_work
from labeler.core.clock import Clock
from labeler.core.phases import Phase, PhaseState
from labeler.core.sampling import SampleRequest
from labeler.core.study import DatasetRole
from labeler.images.compose.cutouts import load_cutouts
from labeler.images.compose.many import ComposedFile, ComposeJob, compose_many
from labeler.images.compose.recipes import RECIPES, Difficulty
from labeler.locations import RESOURCES
from labeler.store.folder import StudyFolder
from labeler.store.study import StudyStore

CUTOUTS = RESOURCES / "demo"
SAMPLE_CLASSES = 30
TRUTH = "truth.csv"


@dataclass(frozen=True, slots=True)
class _Set:
    """One of the demo's datasets."""

    name: str
    role: DatasetRole
    difficulty: Difficulty
    per_class: int
    takes: int = 1  # how many pictures show the same scene


_SETS = (
    _Set("original", DatasetRole.EVALUATION, Difficulty.ORIGINAL, 1),
    _Set("new", DatasetRole.EVALUATION, Difficulty.NEW, 1),
    _Set("training", DatasetRole.TRAINING, Difficulty.ORIGINAL, 2, takes=2),
    _Set("references", DatasetRole.REFERENCE, Difficulty.REFERENCE, 60, takes=10),
)


def build_demo(path: Path, *, clock: Clock, progress: Progress) -> StudyStore:
    """Make the demo study, or go on with one that was interrupted, or just open a finished one."""
    exists = StudyFolder(path).exists()
    store = (
        open_for_work(path, clock=clock)
        if exists
        else new_study(path, clock=clock, name=NAME, seed=SEED)
    )
    try:
        _complete(store, progress)
    except BaseException:  # whoever stops the work gets no store to close
        store.close()
        raise
    return store


def _complete(store: StudyStore, progress: Progress) -> None:
    _make_pictures(store, progress)
    for wanted in _missing_sets(store):
        import_dataset(store, _request(store, wanted), progress=progress)
    _add_people(store)
    _draw_sample(store)
    prepare_sheets(store, progress=progress)
    _open_phases(store)


def pictures(store: StudyStore) -> Path:
    return store.folder.path / "pictures"


def _missing_sets(store: StudyStore) -> list[_Set]:
    with store.read() as study:
        complete = {dataset.name for dataset in study.datasets.all() if dataset.complete}
    return [wanted for wanted in _SETS if wanted.name not in complete]


def _request(store: StudyStore, wanted: _Set) -> DatasetRequest:
    return DatasetRequest(name=wanted.name, path=pictures(store) / wanted.name, role=wanted.role)


def _make_pictures(store: StudyStore, progress: Progress) -> None:
    missing = _missing_sets(store)
    if not missing:
        return
    # The truth is written as a whole, so the evaluation sets are always composed together.
    sets = [s for s in _SETS if s in missing or s.role is DatasetRole.EVALUATION]
    jobs = list(_jobs(store, sets))
    progress.start("Composing images", len(jobs))
    composed = []
    for made in compose_many(jobs, CUTOUTS):
        composed.append(made)
        progress.advance()
    _write_truth(store, composed)


def _jobs(store: StudyStore, sets: Sequence[_Set]) -> Iterator[ComposeJob]:
    """The pictures to make, class by class: those of a class share most of what is in them."""
    for wnid in sorted({cutout.wnid for cutout in load_cutouts(CUTOUTS)}):
        for wanted in sets:
            yield from _jobs_of_class(store, wanted, wnid)


def _jobs_of_class(store: StudyStore, wanted: _Set, wnid: str) -> Iterator[ComposeJob]:
    for number in range(wanted.per_class):
        scene, take = divmod(number, wanted.takes)
        yield ComposeJob(
            path=pictures(store) / wanted.name / wnid / f"{wanted.name}_{number + 1:03d}.jpg",
            key=f"{wanted.name}/{wnid}/{scene}",
            target=wnid,
            recipe=RECIPES[wanted.difficulty],
            seed=SEED,
            take=take + 1 if wanted.takes > 1 else 0,
        )


def _write_truth(store: StudyStore, composed: Sequence[ComposedFile]) -> None:
    """Keep what is really in each evaluation picture, for whoever wants to check a review."""
    evaluated = {wanted.name for wanted in _SETS if wanted.role is DatasetRole.EVALUATION}
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("dataset", "image", "label"))
    for made in sorted(composed, key=lambda made: made.path):
        dataset, _, image = made.path.relative_to(pictures(store)).as_posix().partition("/")
        if dataset in evaluated:
            writer.writerows((dataset, image, label) for label in sorted(made.truth))
    (store.folder.path / TRUTH).write_text(text.getvalue(), encoding="utf-8")


def _add_people(store: StudyStore) -> None:
    with store.read() as study:
        known = {participant.code for participant in study.participants.all()}
    for code, role, description in PEOPLE:
        if code not in known:
            add_person(store, code, roles=[role], description=description)


def _draw_sample(store: StudyStore) -> None:
    with store.read() as study:
        drawn = study.samples.current() is not None
    if not drawn:
        request = SampleRequest(("original", "new"), 1, SEED, SAMPLE_CLASSES)
        freeze_sample(store, request)


def _open_phases(store: StudyStore) -> None:
    with store.read() as study:
        states = study.phases.states()
    for phase in (Phase.TRAIN, Phase.EVALUATE):
        if states[phase] is PhaseState.CLOSED:
            open_phase(store, phase)
