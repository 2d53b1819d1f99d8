"""Measuring images that were imported by name only, before they are used."""

from contextlib import closing
from itertools import islice

from labeler.app.progress import ProgressReporter
from labeler.core.study.entities import ImageKey
from labeler.images.dataset_files import ListedImage
from labeler.images.identify import ScannedImage, scan_images
from labeler.images.unreadable import UnreadableReason
from labeler.store.datasets.datasets import NewImage
from labeler.store.study_store import StudyStore

_CHUNK = 500


def measure_images(
    store: StudyStore, dataset: str, progress: ProgressReporter
) -> list[tuple[ImageKey, UnreadableReason]]:
    """Hash and measure the dataset's unmeasured files, and return the unreadable ones."""
    with store.read() as study:
        files = study.datasets.unmeasured(dataset)
    if not files:
        return []
    progress.start(f"Reading images of {dataset}", len(files))
    listed = (ListedImage(f.key.image, str(f.path), target="") for f in files)
    problems: list[tuple[ImageKey, UnreadableReason]] = []
    with closing(scan_images(listed)) as scanned:
        while chunk := list(islice(scanned, _CHUNK)):
            with store.write() as study:
                study.datasets.measured(dataset, [measured_image(s) for s in chunk if s.facts])
            problems += [
                (ImageKey(dataset, s.listed.name), s.problem.reason) for s in chunk if s.problem
            ]
            progress.advance(len(chunk))
    return problems


def measured_image(scanned: ScannedImage) -> NewImage:
    """Convert a readable image for the store."""
    facts = scanned.facts
    assert facts is not None, "only readable images have facts"
    return NewImage(
        name=scanned.listed.name,
        target=scanned.listed.target,
        content_hash=facts.content_hash,
        byte_count=facts.byte_count,
        width=facts.width,
        height=facts.height,
        format=facts.format,
        mode=facts.mode,
    )
