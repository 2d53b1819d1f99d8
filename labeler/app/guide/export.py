"""Exporting a guide to one file: a document for the screen, or the printed guide."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from labeler.app.guide.sources import GuideSource
from labeler.core.errors import RefusedError
from labeler.guide.rendering.document import CoverDetails, guide_document
from labeler.guide.rendering.printed_pictures import DocumentPictures
from labeler.images.atomic_write import write_atomically
from labeler.printing.html import render_html
from labeler.printing.pdf import render_pdf

_TEMPLATE = "guide"


@dataclass(frozen=True, slots=True)
class ExportedGuide:
    """What was written: how many pages of the guide, and which of their pictures it lacks."""

    pages: int
    missing_pictures: tuple[str, ...]


def export_guide(source: GuideSource, out: Path, *, now: datetime) -> ExportedGuide:
    """Write the guide to a file whose ending says as what; the file is whole or untouched."""
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
        raise RefusedError(
            f"'{out}' must end in .html or .pdf, which says as what to write the guide."
        )
    return known
