"""Write a report to a folder in the requested formats."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path

from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.results.report_data import (
    ReportFormat,
    ReportRequest,
    WrittenReport,
    read_report_data,
)
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.study.entities import ImageKey
from labeler.images.decoder import decode_scaled
from labeler.images.unreadable import UnreadableImage
from labeler.printing.html import render_html
from labeler.printing.pdf import render_pdf
from labeler.report import manifest as manifests
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.all_tables import report_tables
from labeler.report.document import REPORT_TEMPLATE, ReportData, report_document
from labeler.report.figures.all_figures import draw_figures
from labeler.report.figures.figure import FigureFormat, RenderedFigure
from labeler.report.galleries import Gallery, galleries
from labeler.report.json_file import REPORT_FILE, json_bytes, report_json
from labeler.report.published_results import PublishedPoint, read_published_points
from labeler.report.table import ReportTable
from labeler.report.table_formats import table_csv, table_latex
from labeler.store.engine.atomic_folder import replace_folder_atomically, require_no_file
from labeler.store.study_store import StudyStore

_SIZE = (224, 224)
_QUALITY = 80


def gallery_pictures(
    store: StudyStore, keys: Iterable[ImageKey], watched: ProgressReporter
) -> dict[ImageKey, bytes]:
    """Return JPEGs by image; images without a readable file are left out."""
    unique_keys = dict.fromkeys(keys)
    watched.start("Reading images", len(unique_keys))
    pictures: dict[ImageKey, bytes] = {}
    for dataset in dict.fromkeys(key.dataset for key in unique_keys):
        with store.read() as study:
            known = study.datasets.find(dataset)
            paths = {image.name: image.path for image in study.model_predictions.images(dataset)}
        for key in unique_keys:
            if key.dataset != dataset:
                continue
            watched.advance()
            if paths.get(key.image):
                picture = _picture(Path(paths[key.image]), bool(known and known.apply_exif))
                if picture is not None:
                    pictures[key] = picture
    return pictures


def _picture(file: Path, apply_exif: bool) -> bytes | None:
    try:
        image = decode_scaled(file, size=_SIZE, apply_exif=apply_exif)
    except UnreadableImage:
        return None
    data = BytesIO()
    image.save(data, format="JPEG", quality=_QUALITY)
    return data.getvalue()


def make_report(
    store: StudyStore,
    out: Path,
    *,
    request: ReportRequest,
    formats: frozenset[ReportFormat],
    context: tuple[Path, Path] | None = None,
    progress: ProgressReporter | None = None,
) -> WrittenReport:
    """Compute the report and write its files, all or none."""
    require_no_file(out)
    watched = progress or NoProgress()
    published = () if context is None else read_published_points(*context)
    contents = read_report_data(store, request, watched)
    rendering = _Rendering(store, contents, published, formats, watched)
    rendering.prepare()
    files: dict[str, bytes] = {}
    watched.start("Rendering", len(formats))
    for format_ in ReportFormat:
        if format_ in formats:
            files |= _RENDERED[format_](rendering)
            # Cancellation happens here: nothing has been written yet.
            watched.advance()
    files[manifests.MANIFEST_FILE] = json_bytes(manifests.report_manifest(contents, files))
    with replace_folder_atomically(out) as temporary:
        for name, data in files.items():
            (temporary / name).parent.mkdir(exist_ok=True)
            (temporary / name).write_bytes(data)
    return WrittenReport(
        files=tuple(out / name for name in files),
        omissions=tuple(f"{o.what}: {o.why}" for o in contents.numbers.omissions),
        evaluation_locked=contents.evaluation_locked,
    )


@dataclass(frozen=True)
class _Rendering:
    """Data shared by several formats, computed on first use."""

    store: StudyStore
    contents: ReportContents
    published: tuple[PublishedPoint, ...] = field(repr=False)
    formats: frozenset[ReportFormat]
    watched: ProgressReporter

    def prepare(self) -> None:
        """Compute the slowest parts first, with progress and cancellation."""
        # Accessing the properties computes them.
        _drawn = self.figures if self._drawings else []
        _read = self.pictures if self.formats & _WITH_PICTURES else {}

    @cached_property
    def cells(self) -> AccuracyIndex:
        return AccuracyIndex(self.contents)

    @cached_property
    def tables(self) -> list[ReportTable]:
        return report_tables(self.cells)

    @cached_property
    def figures(self) -> list[RenderedFigure]:
        self.watched.start("Drawing figures", None)
        drawn = []
        for figure in draw_figures(self.cells, self.published, pictures=self._drawings):
            drawn.append(figure)
            self.watched.advance()
        return drawn

    @cached_property
    def galleries(self) -> list[Gallery]:
        return galleries(self.contents)

    @cached_property
    def pictures(self) -> dict[ImageKey, bytes]:
        keys = (image.key for gallery in self.galleries for image in gallery.images)
        return gallery_pictures(self.store, keys, self.watched)

    @cached_property
    def assets(self) -> dict[str, bytes]:
        drawings = {f"{drawn.key}.svg": drawn.svg for drawn in self.figures}
        names = self._picture_names
        return drawings | {names[key]: data for key, data in self.pictures.items()}

    @cached_property
    def document(self) -> ReportData:
        return report_document(
            self.contents,
            tables=self.tables,
            figures=self.figures,
            galleries=self.galleries,
            pictures=self._picture_names,
        )

    @property
    def _drawings(self) -> set[FigureFormat]:
        """The figure formats that the report formats need."""
        return {picture for picture, shown in _SHOWN_BY.items() if self.formats & shown}

    @cached_property
    def _picture_names(self) -> dict[ImageKey, str]:
        return {key: f"image-{number}.jpg" for number, key in enumerate(self.pictures, start=1)}


def _html(report: _Rendering) -> dict[str, bytes]:
    text = render_html(REPORT_TEMPLATE, report.document, report.assets)
    return {"report.html": text.encode("utf-8", "replace")}


def _pdf(report: _Rendering) -> dict[str, bytes]:
    made_at = report.contents.generated_at
    return {
        "report.pdf": render_pdf(REPORT_TEMPLATE, report.document, report.assets, made_at=made_at)
    }


def _json(report: _Rendering) -> dict[str, bytes]:
    return {REPORT_FILE: json_bytes(report_json(report.contents))}


_WITH_PICTURES = frozenset({ReportFormat.HTML, ReportFormat.PDF})
_SHOWN_BY = {
    FigureFormat.SVG: _WITH_PICTURES | {ReportFormat.SVG},
    FigureFormat.PNG: frozenset({ReportFormat.PNG}),
}
assert set(_SHOWN_BY) == set(FigureFormat), "every figure format is used"
_RENDERED: Mapping[ReportFormat, Callable[[_Rendering], dict[str, bytes]]] = {
    ReportFormat.HTML: _html,
    ReportFormat.PDF: _pdf,
    ReportFormat.CSV: lambda r: {f"tables/{t.key}.csv": table_csv(t) for t in r.tables},
    ReportFormat.LATEX: lambda r: {f"tables/{t.key}.tex": table_latex(t) for t in r.tables},
    ReportFormat.SVG: lambda r: {f"figures/{f.key}.svg": f.svg for f in r.figures},
    ReportFormat.PNG: lambda r: {f"figures/{f.key}.png": f.png for f in r.figures},
    ReportFormat.JSON: _json,
}
assert set(_RENDERED) == set(ReportFormat), "every format has a renderer"
