"""Writing a study as files: what would be written, what a format can't carry, and the writing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.app.exchange.foreign_export import (
    ExportHeader,
    ExportRows,
    ExportStep,
    result_files,
    trial_counts,
    trial_files,
)
from labeler.app.progress import ProgressReporter
from labeler.app.results.formats import ReportFormat, ReportRequest
from labeler.app.told_steps import step_reporter
from labeler.core.errors import RefusedError
from labeler.images.layouts import DatasetLayout
from labeler.store.engine.atomic_folder import replace_folder_atomically
from labeler.store.exchange.exporter import export_counts, export_exchange
from labeler.store.exchange.summary import ExportSummary, FileExport
from labeler.store.exchange.writing import write_table
from labeler.store.study_store import StudyStore


class ExportFormat(StrEnum):
    """As what a study is written."""

    EXCHANGE = "exchange"
    MODEL_VS_HUMAN = "model-vs-human"
    TIMM_RESULTS = "timm-results"
    LATEX = "latex"


_TARGETS = "Whoever reads these files reads the targets: don't give them to a labeler."
_OMISSIONS = {
    ExportFormat.EXCHANGE: (
        "Not in these files: the pictures themselves, people's roles, references, the sample and "
        "the phases, training, notes, settings and the guide. A backup holds all of the study.",
        _TARGETS,
    ),
    ExportFormat.MODEL_VS_HUMAN: (
        "Not in these files: models' further guesses and scores, the escape hatch, multi-labels, "
        "reviews and problematic images.",
        "A time is the active time, or the wall-clock time where no active time is known.",
        _TARGETS,
    ),
    ExportFormat.TIMM_RESULTS: (
        "Not in these files: people, and which images a model gets right. Multi-labels and "
        "problematic images don't count, as in timm's own tables.",
        "A model with a single guess for each image has no top-5 accuracy.",
    ),
    ExportFormat.LATEX: (
        "Tables to print (booktabs): nothing reads a study back from them.",
        "The report's other forms are under Results.",
    ),
}
assert set(_OMISSIONS) == set(ExportFormat)

_FOREIGN: dict[
    ExportFormat, Callable[[StudyStore, ExportStep], Iterator[tuple[str, ExportHeader, ExportRows]]]
] = {
    ExportFormat.MODEL_VS_HUMAN: trial_files,
    ExportFormat.TIMM_RESULTS: result_files,
}
_TABLES = "tables"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPreview:
    """What would be written; `replaced` lies in the folder already, `lacks` is left behind.

    Tables to print are known only when they are made: `files` is empty for those.
    """

    files: tuple[FileExport, ...]
    replaced: tuple[str, ...]
    lacks: tuple[str, ...]


def format_omissions(wanted: ExportFormat) -> tuple[str, ...]:
    """What files of the format leave behind, and what to know of them."""
    return _OMISSIONS[wanted]


def preview_export(
    store: StudyStore, folder: Path, wanted: ExportFormat, progress: ProgressReporter
) -> ExportPreview:
    """What `export_as` would write; nothing is written."""
    _require_no_images(store, folder)
    progress.start("Counting rows", None)
    files = _counted(store, wanted, progress)
    names = [file.file for file in files]
    if wanted is ExportFormat.LATEX:
        names = [f"{_TABLES}/{file.name}" for file in sorted((folder / _TABLES).glob("*.tex"))]
    return ExportPreview(
        files=files,
        replaced=tuple(name for name in names if (folder / name).exists()),
        lacks=format_omissions(wanted),
    )


def export_study(
    store: StudyStore,
    folder: Path,
    wanted: ExportFormat,
    *,
    names: bool = False,
    progress: ProgressReporter,
) -> ExportSummary:
    """Write the files of one format, all of them or none; people's names only when asked for."""
    _require_no_images(store, folder)
    if wanted is ExportFormat.EXCHANGE:
        return export_exchange(store, folder, names=names, progress=step_reporter(progress))
    if wanted is ExportFormat.LATEX:
        return _export_tables(store, folder, names=names, progress=progress)
    step = _watched(progress, "Writing participants and datasets")
    with replace_folder_atomically(folder) as aside:
        return ExportSummary(
            tuple(
                FileExport(name, write_table(aside / name, header, rows))
                for name, header, rows in _FOREIGN[wanted](store, step)
            )
        )


def _require_no_images(store: StudyStore, folder: Path) -> None:
    """Refuse the folder of a dataset: whoever reads that would meet files that are no images."""
    place = folder.resolve()
    with store.read() as study:
        for dataset in study.datasets.all():
            root = Path(dataset.root or "")
            # A list of images may lie above much else.
            inside = dataset.layout != DatasetLayout.MANIFEST and place.is_relative_to(root)
            if dataset.root and (place == root or inside):
                raise RefusedError(
                    f"{folder} belongs to the images of {dataset.name}: choose another folder, so "
                    "that nothing else lies among them."
                )


def _counted(
    store: StudyStore, wanted: ExportFormat, progress: ProgressReporter
) -> tuple[FileExport, ...]:
    if wanted is ExportFormat.LATEX:
        return ()
    if wanted is ExportFormat.EXCHANGE:
        return export_counts(store, progress=step_reporter(progress))
    if wanted is ExportFormat.MODEL_VS_HUMAN:
        counts = trial_counts(store)
    else:
        step = _watched(progress, "Counting datasets")
        counts = ((name, len(rows)) for name, _, rows in _FOREIGN[wanted](store, step))
    return tuple(FileExport(name, rows) for name, rows in _reported(counts, progress))


def _reported(
    counts: Iterator[tuple[str, int]], progress: ProgressReporter
) -> Iterator[tuple[str, int]]:
    """The same, heeding somebody who doesn't want them any more."""
    for count in counts:
        progress.advance(0)
        yield count


def _export_tables(
    store: StudyStore, folder: Path, *, names: bool, progress: ProgressReporter
) -> ExportSummary:
    # Imported here: it brings matplotlib, which no window waits for.
    from labeler.app.results.report_writer import make_report

    wish, formats = ReportRequest(names=names), frozenset({ReportFormat.LATEX})
    made = make_report(store, folder, wish=wish, formats=formats, progress=progress)
    files = (file for file in made.files if file.parent.name == _TABLES)
    return ExportSummary(tuple(FileExport(f"{_TABLES}/{file.name}", None) for file in files))


def _watched(progress: ProgressReporter, what: str) -> ExportStep:
    tell = step_reporter(progress)
    return lambda done, total: tell(what, done, total)
