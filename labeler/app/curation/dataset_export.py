"""Export a revision as folders, a manifest or a WebDataset archive, or add it to the study."""

import csv
import io
import json
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from labeler.app.curation.data_card import data_card
from labeler.app.curation.revision_history import RevisionReader
from labeler.app.progress import CancelCheck, NoProgress, ProgressReporter, never_cancelled
from labeler.core.curation.entities import Candidate
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.images.file_reader import content_hash
from labeler.store.curation.built_datasets import BuiltFile
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.engine.atomic_folder import replace_folder_atomically
from labeler.store.study_store import StudyStore

DATA_CARD = "README.md"
MANIFEST = "manifest.csv"
# The columns of the manifest; `image` is the exported file, or the original one without copies.
MANIFEST_COLUMNS = (
    "image",
    "label",
    "index",
    "source",
    "source_id",
    "taken_at",
    "uploaded_at",
    "selected",
    "shown",
)
CANCELLED = "The export was cancelled. Nothing was written."
_NAME_LENGTH = 16
_EXTENSIONS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "GIF": "gif", "BMP": "bmp"}


class BuiltLayout(StrEnum):
    """How a revision is exported."""

    INDEX = "index"
    WNID = "wnid"
    MANIFEST = "manifest"
    WEBDATASET = "webdataset"


@dataclass(frozen=True, slots=True)
class _ExportedImage:
    """An image with its name in the export, its class index, and what is known about it."""

    stem: str
    extension: str
    index: int
    image: NewImage
    candidate: Candidate

    def path(self, layout: BuiltLayout) -> str:
        folder = str(self.index) if layout is BuiltLayout.INDEX else self.image.target
        return f"{folder}/{self.stem}.{self.extension}"


def export_revision(
    store: StudyStore,
    dataset: str,
    number: int,
    folder: Path,
    *,
    layout: BuiltLayout,
    progress: ProgressReporter | None = None,
    cancelled: CancelCheck = never_cancelled,
) -> int:
    """Write a revision with its data card into an empty folder; return the number of images."""
    if folder.is_dir() and any(folder.iterdir()):
        raise RefusedError(f"The folder {folder} isn't empty. Choose a new one.")
    images, card = _contents(store, dataset, number)
    bar = progress or NoProgress()
    bar.start("Writing images", len(images))
    with replace_folder_atomically(folder) as aside:
        if layout is BuiltLayout.WEBDATASET:
            _write_archive(aside / f"{dataset}-{number}.tar", images, bar, cancelled)
        elif layout is not BuiltLayout.MANIFEST:
            for each in images:
                _stop_if(cancelled)
                target = aside / each.path(layout)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(_checked_bytes(each.image))
                bar.advance()
        _write_manifest(aside / MANIFEST, images, layout)
        (aside / DATA_CARD).write_text(card, encoding="utf-8", newline="\n")
    return len(images)


def add_revision_as_dataset(
    store: StudyStore, dataset: str, number: int, *, name: str, actor: str = "lead"
) -> int:
    """Add a revision to the study as an evaluation dataset; return the number of images.

    Its images keep the names of the candidates. Models can be scored on it once it is final.
    """
    if not name or name != name.strip() or not name.isprintable():
        raise RefusedError(f"{name!r} can't be a dataset's name.")
    with store.write() as study:
        if study.datasets.find(name) is not None:
            raise RefusedError(f"The study already has a dataset “{name}”. Choose another name.")
        files = study.built_datasets.files(dataset, number)
        if not files:
            raise RefusedError(f"Revision {number} of {dataset} has no images.")
        study.datasets.add(DatasetDefinition(name=name, role=DatasetRole.EVALUATION), complete=True)
        study.datasets.append(name, [each.image for each in files])
        study.built_datasets.link(dataset, number, added_as=name)
        study.audit.record(
            "revision added as dataset",
            actor=actor,
            built=dataset,
            revision=number,
            dataset=name,
            images=len(files),
        )
    return len(files)


def _contents(store: StudyStore, dataset: str, number: int) -> tuple[list[_ExportedImage], str]:
    with store.read() as study:
        reader = RevisionReader(study, dataset)
        revision = reader.require(number)
        files = study.built_datasets.files(dataset, number)
        candidates = {
            each.image: each
            for pool in {file.key.dataset for file in files}
            for each in study.pools.candidates(pool)
        }
        states = reader.states(number)
        reviews = study.class_reviews.last(dataset, number)
    chosen = [_candidate(file, candidates) for file in files]
    card = data_card(
        revision,
        chosen,
        states,
        names=store.taxonomy.display_names,
        reviewers=len({review.reviewer for review in reviews}),
    )
    pairs = zip(files, chosen, strict=True)
    return [_exported(file, each, store) for file, each in pairs], card


def _candidate(file: BuiltFile, candidates: dict[ImageKey, Candidate]) -> Candidate:
    found = candidates.get(file.key)
    if found is None:
        return Candidate(image=file.key, label=file.image.target)
    return replace(found, label=file.image.target)


def _exported(file: BuiltFile, candidate: Candidate, store: StudyStore) -> _ExportedImage:
    image = file.image
    if not image.path:
        raise RefusedError(f"{file.key.image} has no file, so it can't be exported.")
    digest = image.content_hash or content_hash(_read(Path(image.path)))
    suffix = Path(image.path).suffix.lower().lstrip(".")
    return _ExportedImage(
        stem=digest.hex()[:_NAME_LENGTH],
        extension=_EXTENSIONS.get(image.format or "", suffix or "jpg"),
        index=store.taxonomy.index_of(image.target),
        image=image,
        candidate=candidate,
    )


def _checked_bytes(image: NewImage) -> bytes:
    """Return the file's bytes, which must be those that were annotated and reviewed."""
    path = Path(image.path or "")
    data = _read(path)
    if image.content_hash is not None and content_hash(data) != image.content_hash:
        raise EnvironmentFault(
            f"{path} has changed since it was added to the pool. Put the original file back. "
            "Nothing was written."
        )
    return data


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EnvironmentFault(
            f"{path} can't be read ({error.strerror}). Connect its drive or put the file back. "
            "Nothing was written."
        ) from error


def _write_manifest(file: Path, images: Sequence[_ExportedImage], layout: BuiltLayout) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(MANIFEST_COLUMNS)
        for each in images:
            writer.writerow(_manifest_row(each, layout))


def _manifest_row(each: _ExportedImage, layout: BuiltLayout) -> tuple[object, ...]:
    source, frequency = each.candidate.source, each.candidate.frequency
    places = {
        BuiltLayout.MANIFEST: each.image.path,
        BuiltLayout.WEBDATASET: f"{_key(each)}.{each.extension}",
    }
    return (
        places.get(layout) or each.path(layout),
        each.image.target,
        each.index,
        source.source,
        source.source_id,
        source.taken_at,
        source.uploaded_at,
        frequency.selected if frequency else "",
        frequency.shown if frequency else "",
    )


def _key(each: _ExportedImage) -> str:
    return f"{each.index:06d}-{each.stem}"


def _write_archive(
    file: Path,
    images: Sequence[_ExportedImage],
    progress: ProgressReporter,
    cancelled: CancelCheck,
) -> None:
    """Write a WebDataset archive; equal revisions give equal bytes."""
    with tarfile.open(file, "w", format=tarfile.USTAR_FORMAT) as archive:
        for each in images:
            _stop_if(cancelled)
            for name, data in _archive_members(each):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
            progress.advance()


def _archive_members(each: _ExportedImage) -> Iterator[tuple[str, bytes]]:
    key = _key(each)
    about = {"wnid": each.image.target, "index": each.index}
    yield f"{key}.{each.extension}", _checked_bytes(each.image)
    yield f"{key}.cls", str(each.index).encode()
    yield f"{key}.json", json.dumps(about, sort_keys=True).encode()


def _stop_if(cancelled: CancelCheck) -> None:
    if cancelled():
        raise RefusedError(CANCELLED)
