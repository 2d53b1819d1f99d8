"""From a folder of images to an open evaluation in one step."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.app.datasets.contact_sheets import SheetsReport, prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import (
    DatasetRequest,
    ImportInterrupted,
    ImportReport,
    detect_dataset_layout,
)
from labeler.app.datasets.sampling import SampleReport, freeze_sample
from labeler.app.labeling.rules import ReadRulesRecord
from labeler.app.progress import ProgressReporter
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.app.study.studies import new_study
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.clock import Clock
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import DatasetRole, Role
from labeler.core.study.phases import Phase
from labeler.images.listing import list_images
from labeler.store.study_opening import open_study, staged_study
from labeler.store.study_store import StudyStore

LABELER, LEAD = "A", "L"
IMAGES, REFERENCES = "images", "references"
# As many as each labeler answered in the study that the program is modelled on.
SAMPLE_LIMIT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickStudyRequest:
    """The folder of the new study, the images to classify, and optional reference images."""

    folder: Path
    images: Path
    references: Path | None = None
    labels: Path | None = None
    name: str | None = None
    seed: int | None = None
    taxonomy: Taxonomy | None = None
    names: Sequence[Path] = ()
    group: str | None = None


@dataclass(frozen=True, slots=True)
class QuickStudy:
    """The study that was created: its imports and its sample."""

    folder: Path
    images: ImportReport
    references: ImportReport | None
    sample: SampleReport


def create_quick_study(
    request: QuickStudyRequest, *, clock: Clock, progress: ProgressReporter
) -> QuickStudy:
    """Create a study with a labeler, a lead, a sample and an open evaluation, or nothing.

    The reference images still have to be prepared with `prepare_references`.
    """
    with (
        staged_study(request.folder) as staged,
        new_study(
            staged,
            clock=clock,
            name=request.name or request.folder.resolve().name,
            seed=request.seed,
            taxonomy=request.taxonomy,
            names=request.names,
            group=request.group,
        ) as store,
    ):
        return _fill(store, request, progress)


def prepare_references(folder: Path, *, clock: Clock, progress: ProgressReporter) -> SheetsReport:
    """Build the panels of reference images; what is built is kept if this is interrupted."""
    with open_study(folder, clock=clock) as store:
        return prepare_sheets(store, progress=progress)


def skip_rules(folder: Path) -> None:
    """Show the labeler the first image right away; the rules stay one key away at home."""
    ReadRulesRecord().remember(study=str(folder.resolve()), code=LABELER)


def images_per_class(sizes: Sequence[int], *, limit: int = SAMPLE_LIMIT) -> int | None:
    """Return how many images of each class to sample, or None if all fit into the limit."""
    return None if sum(sizes) <= limit else max(limit // len(sizes), 1)


def _fill(store: StudyStore, request: QuickStudyRequest, progress: ProgressReporter) -> QuickStudy:
    dataset = DatasetRequest(name=IMAGES, path=request.images, labels=request.labels)
    sizes = _class_sizes(store, dataset, progress)
    per_class = images_per_class(sizes)
    # Images beyond the sample aren't read: a large dataset takes no longer than a small one.
    images = _import(store, replace(dataset, per_class=per_class), progress)
    references = None
    if request.references is not None:
        references = _import(
            store,
            DatasetRequest(name=REFERENCES, path=request.references, role=DatasetRole.REFERENCE),
            progress,
        )
    sample = freeze_sample(
        store,
        SampleRequest((IMAGES,), per_class or max(sizes), store.identity.seed),
        skip_seen=True,
        allow_shortage=True,
        progress=progress,
    )
    add_person(store, LABELER, roles=[Role.LABELER])
    add_person(store, LEAD, roles=[Role.LEAD])
    open_phase(store, Phase.EVALUATE)
    return QuickStudy(request.folder, images, references, sample)


def _class_sizes(
    store: StudyStore, request: DatasetRequest, progress: ProgressReporter
) -> tuple[int, ...]:
    layout = detect_dataset_layout(request).layout
    progress.start("Listing images", None)
    listed = list_images(
        request.path,
        layout,
        labels=request.labels,
        classes=store.taxonomy.class_wnids,
        on_ignored=lambda _ignored: None,
    )
    return tuple(Counter(image.target for image in listed).values()) or (0,)


def _import(store: StudyStore, request: DatasetRequest, progress: ProgressReporter) -> ImportReport:
    report = import_dataset(store, request, progress=progress)
    assert not isinstance(report, ImportInterrupted), "it is stopped by an exception alone"
    return report
