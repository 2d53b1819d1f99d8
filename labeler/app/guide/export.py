"""Export a guide to one file: an HTML document or a PDF."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from labeler.app.classes.reference_originals import OriginalReader
from labeler.app.guide.study_guide import StudyGuide, import_guide_folder
from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.core.clock import Clock
from labeler.core.errors import RefusedError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.guide.pages import Guide, load_guide
from labeler.guide.picture_files import PictureLoader, folder_picture_loader
from labeler.guide.rendering.document import CoverDetails, DocumentPictures, guide_document
from labeler.images.atomic_write import write_atomically
from labeler.locations import GUIDE
from labeler.printing.html import render_html
from labeler.printing.pdf import render_pdf
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore


def _no_reference(_wnid: str, _number: int) -> EncodedImage | None:
    return None


def _nothing() -> None:
    """Do nothing: a guide without a study is just its folder."""


@dataclass(frozen=True, slots=True)
class GuideSource:
    """Where a guide's pages and pictures are, its taxonomy, and what a study adds.

    `refresh` updates the folder with changes made elsewhere; `reference` returns a reference image
    of a class by number, from 1.
    """

    folder: Path
    taxonomy: Taxonomy
    read: Callable[[], Guide]
    pictures: PictureLoader
    refresh: Callable[[], object] = _nothing
    study: str | None = None
    reference_count: Callable[[str], int] | None = None
    reference: Callable[[str, int], EncodedImage | None] = _no_reference


@contextmanager
def guide_source(
    *, study: Path | None = None, folder: Path | None = None, clock: Clock
) -> Iterator[GuideSource]:
    """Yield the guide of a study or a folder; by default the shipped guide."""
    if study is None:
        yield guide_in_folder(folder or GUIDE)
        return
    with open_study(study, clock=clock) as store:
        yield _guide_of(store)


def guide_in_folder(folder: Path) -> GuideSource:
    """Return a guide without a study."""
    return GuideSource(
        folder,
        load_default(),
        read=lambda: load_guide(folder),
        pictures=folder_picture_loader(folder),
    )


def _guide_of(store: StudyStore) -> GuideSource:
    with store.read() as study:
        counts = study.image_roles.reference_counts()
    originals, guide = OriginalReader(store), StudyGuide(store)
    return GuideSource(
        folder=store.folder.guide,
        taxonomy=store.taxonomy,
        read=guide.current,
        pictures=guide.picture,
        refresh=lambda: import_guide_folder(store),
        study=store.identity.name,
        # A study without any reference images doesn't have them yet.
        reference_count=(lambda wnid: counts.get(wnid, 0)) if counts else None,
        reference=lambda wnid, number: originals.read(wnid, number - 1),
    )


_TEMPLATE = "guide"


@dataclass(frozen=True, slots=True)
class ExportedGuide:
    """The number of exported pages, and the pictures that were missing."""

    pages: int
    missing_pictures: tuple[str, ...]


def export_guide(source: GuideSource, out: Path, *, now: datetime) -> ExportedGuide:
    """Write the guide to an HTML or PDF file by its extension, atomically."""
    write = _writer(out)
    guide = source.read()
    pictures = DocumentPictures(source.pictures, reference=source.reference)
    data = guide_document(
        guide,
        taxonomy=source.taxonomy,
        pictures=pictures,
        imprint=CoverDetails(study=source.study, made_on=now.date()),
    )
    write_atomically(out, write(data, pictures.assets, now))
    missing = tuple(picture.address for picture in pictures.missing)
    return ExportedGuide(len(guide.pages), missing)


def _html(data: Mapping[str, object], assets: Mapping[str, bytes], _now: datetime) -> bytes:
    return render_html(_TEMPLATE, data, assets).encode("utf-8", "replace")


def _pdf(data: Mapping[str, object], assets: Mapping[str, bytes], now: datetime) -> bytes:
    return render_pdf(_TEMPLATE, data, assets, made_at=now)


_Writer = Callable[[Mapping[str, object], Mapping[str, bytes], datetime], bytes]
_WRITERS: Mapping[str, _Writer] = {".html": _html, ".htm": _html, ".pdf": _pdf}


def _writer(out: Path) -> _Writer:
    known = _WRITERS.get(out.suffix.lower())
    if known is None:
        raise RefusedError(f"'{out}' must end in .html or .pdf.")
    return known
