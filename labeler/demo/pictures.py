"""The images of the demo: composed from cut-out photographs, with all classes visible in each."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.progress import ProgressReporter
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.demo.composer.batch import ComposedFile, ComposeJob, compose_many
from labeler.demo.composer.cutouts import load_cutouts
from labeler.demo.composer.recipes import RECIPES, Difficulty
from labeler.demo.identity import DEMO_SEED
from labeler.locations import RESOURCES
from labeler.store.study_store import StudyStore

CUTOUTS_FOLDER = RESOURCES / "demo"
TRUTH_FILE = "truth.csv"


@dataclass(frozen=True, slots=True)
class _Set:
    """One of the demo's datasets."""

    name: str
    role: DatasetRole
    difficulty: Difficulty
    per_class: int
    takes: int = 1  # how many images show the same scene


_SETS = (
    _Set("original", DatasetRole.EVALUATION, Difficulty.ORIGINAL, 1),
    _Set("new", DatasetRole.EVALUATION, Difficulty.NEW, 1),
    _Set("training", DatasetRole.TRAINING, Difficulty.TRAINING, 2, takes=2),
    _Set("references", DatasetRole.REFERENCE, Difficulty.REFERENCE, 60, takes=10),
)


def add_demo_datasets(store: StudyStore, progress: ProgressReporter) -> None:
    """Compose the images that are missing, and import their datasets."""
    _make_pictures(store, progress)
    for wanted in _missing_sets(store):
        import_dataset(store, _request(store, wanted), progress=progress)


def demo_picture_folder(store: StudyStore) -> Path:
    return store.folder.path / "pictures"


def _missing_sets(store: StudyStore) -> list[_Set]:
    with store.read() as study:
        complete = {dataset.name for dataset in study.datasets.all() if dataset.complete}
    return [wanted for wanted in _SETS if wanted.name not in complete]


def _request(store: StudyStore, wanted: _Set) -> DatasetRequest:
    return DatasetRequest(
        name=wanted.name, path=demo_picture_folder(store) / wanted.name, role=wanted.role
    )


def _make_pictures(store: StudyStore, progress: ProgressReporter) -> None:
    missing = _missing_sets(store)
    if not missing:
        return
    # The truth is written as a whole, so the evaluation sets are always composed together.
    sets = [s for s in _SETS if s in missing or s.role is DatasetRole.EVALUATION]
    jobs = list(_jobs(store, sets))
    progress.start("Composing images", len(jobs))
    composed = []
    for made in compose_many(jobs, CUTOUTS_FOLDER):
        composed.append(made)
        progress.advance()
    _write_truth(store, composed)


def _jobs(store: StudyStore, sets: Sequence[_Set]) -> Iterator[ComposeJob]:
    """The images to compose, by class, because images of a class share most cut-outs."""
    for wnid in sorted({cutout.wnid for cutout in load_cutouts(CUTOUTS_FOLDER)}):
        for wanted in sets:
            yield from _jobs_of_class(demo_picture_folder(store), wanted, wnid)


def evaluation_jobs(folder: Path, wnid: str) -> list[ComposeJob]:
    """Return the jobs for the evaluation images of a class."""
    sets = [wanted for wanted in _SETS if wanted.role is DatasetRole.EVALUATION]
    return [job for wanted in sets for job in _jobs_of_class(folder, wanted, wnid)]


def _jobs_of_class(folder: Path, wanted: _Set, wnid: str) -> Iterator[ComposeJob]:
    for number in range(wanted.per_class):
        scene, take = divmod(number, wanted.takes)
        yield ComposeJob(
            path=folder / wanted.name / wnid / f"{wanted.name}_{number + 1:03d}.jpg",
            key=f"{wanted.name}/{wnid}/{scene}",
            target=wnid,
            recipe=RECIPES[wanted.difficulty],
            seed=DEMO_SEED,
            take=take + 1 if wanted.takes > 1 else 0,
        )


def _write_truth(store: StudyStore, composed: Sequence[ComposedFile]) -> None:
    """Write the classes visible in each evaluation image, so that a review can be checked."""
    evaluated = {wanted.name for wanted in _SETS if wanted.role is DatasetRole.EVALUATION}
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("dataset", "image", "label"))
    for made in sorted(composed, key=lambda made: made.path):
        dataset, _, image = (
            made.path.relative_to(demo_picture_folder(store)).as_posix().partition("/")
        )
        if dataset in evaluated:
            writer.writerows((dataset, image, label) for label in sorted(made.truth))
    (store.folder.path / TRUTH_FILE).write_text(text.getvalue(), encoding="utf-8")


def read_truth(store: StudyStore) -> dict[ImageKey, frozenset[str]]:
    """Return the classes that are visible in each evaluation image."""
    labels: dict[ImageKey, set[str]] = {}
    with (store.folder.path / TRUTH_FILE).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            labels.setdefault(ImageKey(row["dataset"], row["image"]), set()).add(row["label"])
    return {image: frozenset(found) for image, found in labels.items()}
