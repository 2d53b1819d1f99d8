"""Joining a study on a PostgreSQL server: a folder on this machine with its own image folders."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from labeler.app.datasets.contact_sheets import SheetsReport, prepare_sheets
from labeler.app.datasets.relocation import missing_folder, relocate_dataset
from labeler.app.guide.study_guide import import_guide_folder
from labeler.app.progress import CancelCheck, NoProgress, ProgressReporter, never_cancelled
from labeler.core.clock import Clock
from labeler.core.study.entities import Dataset
from labeler.core.text import count_noun
from labeler.store.study_opening import joining_study, open_study
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """The address of a study's database, the new folder, and where images are on this machine.

    A dataset without a folder in `images` is looked for where the study says.
    """

    address: str
    folder: Path
    images: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedStudy:
    """A study on a server, and the datasets whose folder this machine has and hasn't."""

    name: str
    found: tuple[Dataset, ...]
    missing: tuple[Dataset, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinReport:
    """The study that was joined, and its reference images on this machine."""

    study: SharedStudy
    sheets: SheetsReport

    @property
    def sentences(self) -> tuple[str, ...]:
        """What this machine lacks, for the person who joined."""
        others = (one for one in self.study.missing if one not in self.sheets.missing)
        return tuple(missing_folder_text(dataset) for dataset in others)


def join_study(
    request: JoinRequest,
    *,
    clock: Clock,
    progress: ProgressReporter | None = None,
    cancelled: CancelCheck = never_cancelled,
) -> JoinReport:
    """Create the folder, and prepare the reference images in it.

    If a folder of images is wrong, nothing is created. Preparing the references can be cancelled
    and continues when the study is opened.
    """
    watcher = progress or NoProgress()
    with joining_study(request.folder, request.address, clock=clock) as store:
        for dataset, folder in request.images.items():
            relocate_dataset(store, dataset, folder, progress=watcher)
        import_guide_folder(store)
        study = _look(store)
    with open_study(request.folder, clock=clock) as store:
        sheets = prepare_sheets(store, progress=watcher, cancelled=cancelled)
    return JoinReport(study=study, sheets=sheets)


def missing_folder_text(dataset: Dataset) -> str:
    images = count_noun(dataset.images, "image")
    return f"{dataset.name}: this computer has no folder {dataset.root} with its {images}."


def _look(store: StudyStore) -> SharedStudy:
    with store.read() as study:
        datasets = study.datasets.all()
    missing = tuple(one for one in datasets if missing_folder(one) is not None)
    found = tuple(one for one in datasets if one not in missing)
    return SharedStudy(name=store.identity.name, found=found, missing=missing)
