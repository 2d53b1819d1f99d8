"""Names in a figure can be read: none covers another, a point, or the edge."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from labeler.report.figures.figure import figure_style, font_families, make_axes
from labeler.report.figures.point_labels import LabeledPoint, label_points

NAMES = ("resnet50", "vit_huge_patch14_clip_336.laion2b_ft_in12k_in1k", "模型一号", "person 1")


def written_boxes(positions: list[tuple[float, float]], names: list[str]) -> list[Bbox]:
    """The boxes of the names that were written, all within the axes."""
    with figure_style():
        figure, axes = make_axes(4.8, 4.5)
        axes.set(xlim=(40, 100), ylim=(40, 100))
        points = [
            LabeledPoint(x, y, name, "black", (x - 2, x + 2, y - 2, y + 2))
            for (x, y), name in zip(positions, names, strict=True)
        ]
        axes.plot([p.x for p in points], [p.y for p in points], "o")
        written = label_points(figure, axes, points, set(names))
        figure.draw_without_rendering()
        frame = axes.get_window_extent()
        # Of the text alone: that of an annotation includes the line to its point.
        boxes = [Text.get_window_extent(note) for note in written]
        assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)
        return boxes


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.tuples(st.floats(45, 95), st.floats(45, 95)), min_size=1, max_size=12, unique=True)
)
def test_no_name_covers_another(positions: list[tuple[float, float]]) -> None:
    names = [f"{NAMES[n % len(NAMES)]} {n}" for n in range(len(positions))]
    for one, other in combinations(written_boxes(positions, names), 2):
        assert not one.overlaps(other)


def test_seventy_two_models_leave_room_for_the_named_ones() -> None:
    random = np.random.default_rng(1)
    x = random.uniform(60, 90, 72)
    positions = list(zip(x.tolist(), (x - random.uniform(2, 8, 72)).tolist(), strict=True))
    names = [f"model_{n:02d}" for n in range(72)]
    with figure_style():
        figure, axes = make_axes(4.8, 4.5)
        axes.set(xlim=(50, 100), ylim=(50, 100))
        points = [
            LabeledPoint(px, py, name, "black", (px - 2, px + 2, py - 2, py + 2))
            for (px, py), name in zip(positions, names, strict=True)
        ]
        named = {p.name for p in sorted(points)[:3]} | {p.name for p in sorted(points)[-4:]}
        assert len(label_points(figure, axes, points, named)) == 7


def test_names_in_chinese_and_japanese_have_their_characters() -> None:
    fonts = {font.name: font.fname for font in font_manager.fontManager.ttflist}
    known = {code for name in font_families() for code in FT2Font(fonts[name]).get_charmap()}
    if len(font_families()) == 1:
        pytest.skip("no font with these characters is installed")
    assert {ord(character) for character in "模型一号ビジョン"} <= known
