"""Measuring images that came into the study by name only, before anything depends on them."""

from contextlib import closing
from itertools import islice

from labeler.app.progress import Progress
from labeler.core.study.entities import ImageKey
from labeler.images.listed import ListedImage
from labeler.images.scan import Scanned, scan
from labeler.images.unreadable import Reason
from labeler.store.datasets.datasets import NewImage
from labeler.store.study_store import StudyStore

_CHUNK = 500


def measure_unmeasured(
    store: StudyStore, dataset: str, progress: Progress
) -> list[tuple[ImageKey, Reason]]:
    """Hash and measure the dataset's files that weren't yet; tell those that can't be read."""
    with store.read() as study:
        files = study.datasets.unmeasured(dataset)
    if not files:
        return []
    progress.start(f"Reading images of {dataset}", len(files))
    listed = (ListedImage(f.key.image, str(f.path), target="") for f in files)
    problems: list[tuple[ImageKey, Reason]] = []
    with closing(scan(listed)) as scanned:
        while chunk := list(islice(scanned, _CHUNK)):
            with store.write() as study:
                study.datasets.measured(dataset, [measured_image(s) for s in chunk if s.facts])
            problems += [
                (ImageKey(dataset, s.listed.name), s.problem.reason) for s in chunk if s.problem
            ]
            progress.advance(len(chunk))
    return problems


def measured_image(scanned: Scanned) -> NewImage:
    """A readable image as the store takes it."""
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
