"""Joining a study on a PostgreSQL server: a folder on this machine with its own image folders."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from labeler.app.datasets.contact_sheets import SheetsReport, prepare_sheets
from labeler.app.datasets.relocation import missing_datasets, relocate_dataset
from labeler.app.guide.study_guide import import_guide_folder
from labeler.app.progress import CancelCheck, ProgressReporter, never_cancelled
from labeler.app.sharing.local_pack import choose_pack, copy_pack_sheets
from labeler.app.study.start import proposed_folder
from labeler.core.clock import Clock
from labeler.core.study.entities import Dataset
from labeler.core.text import count_noun
from labeler.store.study_opening import joining_study, open_study, visiting_study
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """The address of a study's database, the new folder, and where images are on this machine.

    A dataset without a folder in `images` is looked for where the study says. With a pack this
    machine needs no folders; only a lead can do without one.
    """

    address: str
    folder: Path
    images: Mapping[str, Path] = field(default_factory=dict)
    pack: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedStudy:
    """A study on a server, and the datasets whose folder this machine has and hasn't.

    With a pack none is missing.
    """

    name: str
    found: tuple[Dataset, ...]
    missing: tuple[Dataset, ...]

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """All datasets, those without a folder first."""
        return (*self.missing, *self.found)


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
    study = create_joined_folder(request, clock=clock, progress=progress)
    with open_study(request.folder, clock=clock) as store:
        copy_pack_sheets(store, progress=progress)
        sheets = prepare_sheets(store, progress=progress, cancelled=cancelled)
    return JoinReport(study=study, sheets=sheets)


def create_joined_folder(
    request: JoinRequest, *, clock: Clock, progress: ProgressReporter | None = None
) -> SharedStudy:
    """Create the folder of a study on a server, once the images are found in the given folders."""
    with joining_study(request.folder, request.address, clock=clock) as store:
        for dataset, folder in request.images.items():
            relocate_dataset(store, dataset, folder, progress=progress)
        _note_pack(store, request.pack)
        import_guide_folder(store)
        return _look(store)


def look_at_study(address: str, *, clock: Clock) -> SharedStudy:
    """Connect to the study on a server and say what this machine has of it; creates nothing."""
    with visiting_study(address, clock=clock) as store:
        return _look(store)


def prepare_joined(folder: Path, *, clock: Clock, progress: ProgressReporter) -> Path:
    """Prepare the reference images of a study that was joined, and return its folder."""
    with open_study(folder, clock=clock) as store:
        copy_pack_sheets(store, progress=progress)
        prepare_sheets(store, progress=progress)
    return folder


def proposed_join_folder(address: str, *, inside: Path) -> Path:
    """Return a new folder that is called like the database."""
    database = address.rstrip("/").rpartition("/")[2].partition("?")[0]
    return proposed_folder(database, inside=inside).folder


def missing_folder_text(dataset: Dataset) -> str:
    images = count_noun(dataset.images, "image")
    return f"{dataset.name}: this computer has no folder {dataset.root} with its {images}."


def _note_pack(store: StudyStore, file: Path | None) -> None:
    """Use the pack, or note that this machine joined the study without one."""
    if file is not None:
        choose_pack(store, file)
    elif store.local_pack is not None:
        store.local_pack.put(None)


def _look(store: StudyStore) -> SharedStudy:
    with store.read() as study:
        datasets = study.datasets.all()
        missing = () if store.used_pack() is not None else tuple(missing_datasets(study))
    found = tuple(one for one in datasets if one not in missing)
    return SharedStudy(name=store.identity.name, found=found, missing=missing)
