"""The points of a figure: where they are drawn, and what they say."""

from io import BytesIO

import numpy as np
from PIL import Image

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import EvaluationSource
from labeler.core.metrics.definitions import Metric
from labeler.core.study.entities import ParticipantKind
from labeler.report.cell_source_builder import CellSourceBuilder
from labeler.report.figures.figure import KIND_COLOURS, FigureMark, RenderedFigure, figure_style
from labeler.report.figures.scatter_plot import ScatterPlot, ScatterPoint, draw_scatter_plot


def accuracy(dataset: str, share: float) -> Accuracy:
    return Accuracy(
        participant="A",
        kind=ParticipantKind.HUMAN,
        dataset=dataset,
        subset="all",
        metric=Metric.TOP1,
        correct=round(100 * share),
        total=100,
        accuracy=share,
        ci_low=share - 0.1,
        ci_high=share + 0.1,
    )


def place_of(drawn: RenderedFigure, mark: FigureMark, size: tuple[int, int]) -> tuple[int, int]:
    """Where in the picture a mark is."""
    left, right, bottom, top = drawn.limits
    across = drawn.frame.left + drawn.frame.width * (mark.x - left) / (right - left)
    down = drawn.frame.top + drawn.frame.height * (top - mark.y) / (top - bottom)
    return round(across * size[0]), round(down * size[1])


def test_a_mark_lies_on_its_point_and_says_its_numbers() -> None:
    point = ScatterPoint("A", accuracy("old", 0.8), accuracy("young", 0.6))
    about = ScatterPlot(key="k", title="t", words="", x_label="old, %", y_label="young, %")
    with figure_style():
        sketch = draw_scatter_plot([point], about, CellSourceBuilder(str, {"all": "All images"}))
        assert sketch is not None
        drawn = sketch.drawn()
    (mark,) = drawn.marks
    assert isinstance(mark.source, EvaluationSource)
    assert mark.source.datasets == ("old", "young")
    assert mark.words.splitlines() == [
        "A",
        "old 80.0 [70.0, 90.0] %, n = 100",
        "young 60.0 [50.0, 70.0] %, n = 100",
    ]
    picture = Image.open(BytesIO(drawn.png)).convert("RGB")
    at = picture.getpixel(place_of(drawn, mark, picture.size))
    human = [int(KIND_COLOURS[ParticipantKind.HUMAN][n : n + 2], 16) for n in (1, 3, 5)]
    # The point is painted a little transparent.
    assert np.abs(np.subtract(at, human)).max() < 64
