"""The list of a report's figures."""

from collections.abc import Collection, Iterator, Sequence

from labeler.core.metrics.definitions import Metric, Scale
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.crowd.crowd_figures import crowd_figures
from labeler.report.figures.built_charts import draw_accuracy_by_bin, draw_class_difficulties
from labeler.report.figures.calibration import draw_confidence, draw_reliability
from labeler.report.figures.charts import (
    draw_accuracy_by_time,
    draw_confusion,
    draw_factors,
    draw_learning,
    draw_superclasses,
    draw_times,
)
from labeler.report.figures.figure import (
    ALL_FORMATS,
    FigureDraft,
    FigureFormat,
    RenderedFigure,
    figure_style,
)
from labeler.report.figures.gap_chart import draw_gaps
from labeler.report.figures.scatter_plot import ScatterPlot, ScatterPoint, draw_scatter_plot
from labeler.report.published_results import PublishedPoint

_INTERVALS = "Bars are exact 95 % intervals."


def draw_figures(
    cells: AccuracyIndex,
    published: Sequence[PublishedPoint] = (),
    *,
    pictures: Collection[FigureFormat] = ALL_FORMATS,
    only: str | None = None,
) -> Iterator[RenderedFigure]:
    """Yield all figures that have data, or the one with the key `only`, in the requested formats.

    Each figure is drawn on request, so that the first can be shown before the last is ready.
    """
    drafts = _figure_drafts(cells, published)
    while True:
        # The style applies to the whole process; between figures others may draw in their own
        # style.
        with figure_style():
            draft = next((d for d in drafts if d is not None and only in (None, d.key)), None)
            figure = None if draft is None else draft.drawn(pictures)
        if figure is None:
            return
        yield figure


def _figure_drafts(
    cells: AccuracyIndex, published: Sequence[PublishedPoint]
) -> Iterator[FigureDraft | None]:
    yield from _compared(cells, published)
    yield draw_gaps(cells)
    yield from _built(cells)
    yield draw_accuracy_by_bin(cells)
    yield draw_class_difficulties(cells)
    yield from _metrics(cells)
    yield from _label_counts(cells)
    yield draw_times(cells)
    yield draw_accuracy_by_time(cells)
    yield draw_confidence(cells)
    yield draw_reliability(cells)
    yield draw_superclasses(cells)
    yield draw_factors(cells)
    for number, found in enumerate(cells.numbers.confusions, start=1):
        yield draw_confusion(cells, found, number)
    yield draw_learning(cells)
    yield from crowd_figures(cells)


def _compared(
    cells: AccuracyIndex, published: Sequence[PublishedPoint]
) -> Iterator[FigureDraft | None]:
    """Yield new against original accuracy: all images, objects, probit axes; for both metrics."""
    if cells.pair is None:
        return
    metrics = dict.fromkeys((cells.main_metric, Metric.TOP1))
    for metric in metrics:
        for subset, scale in ((ALL, Scale.LINEAR), ("objects", Scale.LINEAR), (ALL, Scale.PROBIT)):
            yield _new_against_original(cells, metric, subset, scale, published)


def _new_against_original(
    cells: AccuracyIndex,
    metric: Metric,
    subset: str,
    scale: Scale,
    published: Sequence[PublishedPoint],
) -> FigureDraft | None:
    original, new = cells.pair or ("", "")
    title, name = cells.titles[subset], METRIC_TITLES[metric]
    fit = next(
        (
            f
            for f in cells.numbers.fits
            if f.is_shown and (f.metric, f.subset, f.scale) == (metric, subset, scale)
        ),
        None,
    )
    shown = published if metric is Metric.TOP1 and subset == ALL else ()
    about = ScatterPlot(
        key=f"new-against-original-{metric}-{subset}-{scale}".replace("_", "-"),
        title=f"{name}: {new} against {original}, {title.lower()}"
        + (", probit axes" if scale is Scale.PROBIT else ""),
        words=f"{_INTERVALS} Participants below the dashed line do worse on {new}.",
        x_label=f"{original}, {name.lower()} accuracy, %",
        y_label=f"{new}, {name.lower()} accuracy, %",
        scale=scale,
        fit=fit,
        published=shown,
    )
    points = _between(cells, (original, subset, metric), (new, subset, metric))
    return draw_scatter_plot(points, about, cells.cell_sources)


def _built(cells: AccuracyIndex) -> Iterator[FigureDraft | None]:
    """Yield new against original accuracy for each built dataset, on both scales."""
    name = METRIC_TITLES[Metric.TOP1].lower()
    for number, each in enumerate(cells.contents.curation.comparisons, start=1):
        original, new = each.dataset_original, each.dataset_new
        for scale in Scale:
            about = ScatterPlot(
                key=f"built-against-original-{number}-{scale}",
                title=f"{new} (revision {each.revision} of {each.built}) against {original}"
                + (", probit axes" if scale is Scale.PROBIT else ""),
                words=f"{_INTERVALS} Participants below the dashed line do worse on {new}.",
                x_label=f"{original}, {name} accuracy, %",
                y_label=f"{new}, {name} accuracy, %",
                scale=scale,
            )
            x, y = (original, ALL, Metric.TOP1), (new, ALL, Metric.TOP1)
            yield draw_scatter_plot(_between(cells, x, y), about, cells.cell_sources)


def _metrics(cells: AccuracyIndex) -> Iterator[FigureDraft | None]:
    """Yield multi-label accuracy against top-1 and top-5 for each dataset."""
    for number, dataset in enumerate(cells.datasets, start=1):
        for metric in (Metric.TOP1, Metric.TOP5):
            name = METRIC_TITLES[metric]
            about = ScatterPlot(
                key=f"multi-label-against-{metric}-{number}",
                title=f"Multi-label against {name.lower()} accuracy on {dataset}",
                words=_INTERVALS,
                x_label=f"{name.lower()} accuracy, %",
                y_label="multi-label accuracy, %",
            )
            x, y = (dataset, ALL, metric), (dataset, ALL, Metric.MULTI_LABEL)
            yield draw_scatter_plot(_between(cells, x, y), about, cells.cell_sources)


def _label_counts(cells: AccuracyIndex) -> Iterator[FigureDraft | None]:
    """Yield images with several correct labels against images with one.

    Top-1 on both datasets, in the form of the paper's figure 7, and the main metric on the first.
    """
    kinds = [(f"-top1-{n}", d, Metric.TOP1) for n, d in enumerate(cells.datasets[:2], start=1)]
    kinds += [("", dataset, Metric.MULTI_LABEL) for dataset in cells.datasets[:1]]
    for ending, dataset, metric in kinds:
        name = METRIC_TITLES[metric]
        about = ScatterPlot(
            key=f"single-against-multi-label{ending}",
            title=f"{name} accuracy on multi-label against single-label images, {dataset}",
            words=f"Images with several correct labels against images with one. {_INTERVALS}",
            x_label=f"on single-label images, {name.lower()} accuracy, %",
            y_label=f"on multi-label images, {name.lower()} accuracy, %",
        )
        x, y = (dataset, "single_label", metric), (dataset, "multi_label", metric)
        yield draw_scatter_plot(_between(cells, x, y), about, cells.cell_sources)


def _between(
    cells: AccuracyIndex, x: tuple[str, str, Metric], y: tuple[str, str, Metric]
) -> list[ScatterPoint]:
    points = []
    for code in cells.numbers.study.participants:
        across, up = cells.accuracy.get((code, *x)), cells.accuracy.get((code, *y))
        if across is not None and up is not None:
            points.append(ScatterPoint(cells.display_name(code), across, up))
    return points
