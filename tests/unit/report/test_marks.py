"""The points of a figure: where they are drawn, and what they say."""

from io import BytesIO

import numpy as np
from PIL import Image

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.vocabulary import Metric
from labeler.core.study import ParticipantKind
from labeler.report.figures.canvas import COLOURS, house_style
from labeler.report.figures.scatter import Point, Scatter, draw_scatter


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


def test_a_mark_lies_on_its_point_and_says_its_numbers() -> None:
    point = Point("A", accuracy("old", 0.8), accuracy("young", 0.6))
    about = Scatter(key="k", title="t", words="", x_label="old, %", y_label="young, %")
    with house_style():
        drawn = draw_scatter([point], about)
    assert drawn is not None
    (mark,) = drawn.marks
    assert mark.shows == (point.x, point.y)
    assert mark.words.splitlines() == [
        "A",
        "old 80.0 [70.0, 90.0] %, n = 100",
        "young 60.0 [50.0, 70.0] %, n = 100",
    ]
    picture = Image.open(BytesIO(drawn.png)).convert("RGB")
    at = picture.getpixel((round(mark.x * picture.width), round(mark.y * picture.height)))
    human = [int(COLOURS[ParticipantKind.HUMAN][n : n + 2], 16) for n in (1, 3, 5)]
    # The point is painted a little transparent.
    assert np.abs(np.subtract(at, human)).max() < 64
