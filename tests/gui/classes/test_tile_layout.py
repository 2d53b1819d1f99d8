"""Tiles fill the width, never overlap, and are found where they lie."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint

from labeler.ui.classes.tile_layout import TILE_GAP, TileLayout

layouts = st.builds(
    TileLayout,
    count=st.integers(1, 120),
    size=st.integers(32, 300),
    width=st.integers(320, 2600),
    tallness=st.floats(0.1, 1.0),
)


@given(layouts, st.data())
def test_a_tile_is_found_at_its_own_corners_and_nowhere_in_a_gap(
    layout: TileLayout, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, layout.count - 1))
    rect = layout.rect(number)
    assert layout.at(rect.topLeft()) == layout.at(rect.bottomRight()) == number
    assert layout.at(QPoint(rect.left() - 1, rect.top())) is None
    assert layout.at(QPoint(rect.left(), rect.bottom() + 1)) is None


@given(layouts)
def test_tiles_are_as_large_as_asked_for_and_fill_the_width(layout: TileLayout) -> None:
    last = layout.rect(layout.columns - 1)
    assert layout.tile_width >= layout.size
    assert last.right() < layout.width
    assert layout.width - last.right() <= TILE_GAP + layout.columns


@given(layouts, st.integers(32, 300))
def test_tiles_stop_growing_where_their_images_are_sharpest(
    layout: TileLayout, sharpest: int
) -> None:
    stopped = replace(layout, sharpest=sharpest)
    if layout.size <= sharpest <= layout.tile_width:
        assert stopped.tile_width == sharpest
    else:
        assert stopped.tile_width == layout.tile_width
    assert stopped.columns == layout.columns


@given(layouts)
def test_the_last_tile_ends_a_gap_above_the_end(layout: TileLayout) -> None:
    assert layout.rect(layout.count - 1).bottom() + 1 + TILE_GAP == layout.height


@given(layouts, st.integers(0, 5000), st.integers(1, 2000))
def test_all_tiles_that_reach_into_a_stretch_are_painted(
    layout: TileLayout, top: int, height: int
) -> None:
    painted = layout.between(top, top + height)
    for number in range(layout.count):
        rect = layout.rect(number)
        if rect.bottom() >= top and rect.top() <= top + height:
            assert number in painted
