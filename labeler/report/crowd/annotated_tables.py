"""What the tables of annotated images share: names, counts that list their images, layout."""

from collections.abc import Callable, Iterable

from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    exact_interval,
)
from labeler.core.metrics.cell_source import EvaluationSource, ImageListed
from labeler.core.study.entities import ImageKey
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    format_percent,
    format_with_interval,
    table_with_sources,
    text_column,
)

# More rows are in report.json.
MOST_ROWS = 50

Row = Iterable[str | ReportCell]
Holds = Callable[[AnnotatedImage], bool]


def listed_images(dataset: str, words: str, images: Iterable[AnnotatedImage]) -> EvaluationSource:
    """Return the source of a number that counts these images."""
    keys = frozenset(ImageKey(dataset, image.image) for image in images)
    return EvaluationSource(
        heading=words,
        words=f"Annotated images of {dataset}",
        datasets=(dataset,),
        subsets=(),
        conditions=(ImageListed(keys),),
        everything=True,
    )


class AnnotatedTables:
    """Builds tables of one report."""

    def __init__(self, cells: AccuracyIndex) -> None:
        self._cells = cells
        self._crowd = cells.contents.crowd
        self._built = cells.contents.curation
        self._datasets = {data.dataset: data for data in self._crowd.datasets}

    def _name(self, wnid: str) -> str:
        return self._cells.contents.class_names.get(wnid, wnid)

    def _counted(self, dataset: str, words: str, holds: Holds) -> ReportCell:
        data = self._datasets[dataset]
        return self._count(data, words, [image for image in data.images if holds(image)])

    def _count(
        self, data: AnnotatedDataset, words: str, images: list[AnnotatedImage]
    ) -> ReportCell:
        source = listed_images(data.dataset, words, images) if images else None
        return ReportCell(f"{len(images):,}", source)

    def _source(self, dataset: str, words: str, holds: Holds) -> EvaluationSource:
        images = [image for image in self._datasets[dataset].images if holds(image)]
        return listed_images(dataset, words, images)


def crowd_table(
    key: str,
    title: str,
    note: str,
    texts: tuple[str, ...],
    numbers: tuple[str, ...],
    *,
    rows: Iterable[Row],
) -> ReportTable:
    """Return a table whose first columns are texts."""
    columns = (*map(text_column, texts), *map(ReportColumn, numbers))
    return table_with_sources(key=key, title=title, note=note, columns=columns, rows=rows)


def format_optional(share: float | None, interval: tuple[float, float] | None = None) -> str:
    if share is None:
        return NO_VALUE
    return format_with_interval(share, *interval) if interval else format_percent(share)


def format_share(part: int, of: int) -> str:
    return format_percent(part / of) if of else NO_VALUE


def format_proportion(part: int, of: int) -> str:
    """Format a share of images with its exact interval."""
    return format_with_interval(part / of, *exact_interval(part, of)) if of else NO_VALUE
