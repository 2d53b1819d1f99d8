"""Fit, zoom and move keep their promises for every image, viewport and scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.view_geometry import (
    ACTUAL_SIZE,
    MAX_FIT_SCALE,
    MAX_SCALE,
    PixelPoint,
    PixelSize,
    ViewGeometry,
    Viewport,
    ViewTransform,
)

sides = st.integers(1, 12_000)
viewports = st.builds(
    Viewport, st.integers(1, 4_000), st.integers(1, 3_000), st.sampled_from([1.0, 1.25, 1.5, 2.0])
)
lookings = st.builds(ViewGeometry, st.builds(PixelSize, sides, sides), viewports)
scales = st.floats(0.001, 40.0)
shares = st.floats(0.0, 1.0)
distances = st.floats(-20_000.0, 20_000.0)


def sights(looking: ViewGeometry) -> st.SearchStrategy[ViewTransform]:
    """What a person can bring about: zoom somewhere, then move."""
    return st.builds(
        lambda scale, x, y, dx, dy: looking.moved(
            looking.zoomed(looking.fit(), scale, at=PixelPoint(x, y)), PixelPoint(dx, dy)
        ),
        scales,
        distances,
        distances,
        distances,
        distances,
    )


def place_on_image(
    looking: ViewGeometry, sight: ViewTransform, across: float, down: float
) -> PixelPoint:
    return sight.offset_of(PixelPoint(looking.image.width * across, looking.image.height * down))


@given(lookings)
def test_fit_fills_the_view_and_enlarges_within_the_limit(
    looking: ViewGeometry,
) -> None:
    fitted, viewport = looking.fitted_size, looking.viewport
    assert fitted.width <= max(1, viewport.width)
    assert fitted.height <= max(1, viewport.height)
    assert looking.fit_scale <= MAX_FIT_SCALE * viewport.ratio
    touches = fitted.width == viewport.width or fitted.height == viewport.height
    assert touches or looking.fit_scale == MAX_FIT_SCALE * viewport.ratio


def test_a_small_image_is_enlarged_the_same_on_every_screen() -> None:
    ordinary = ViewGeometry(PixelSize(200, 100), Viewport(800, 600))
    dense = ViewGeometry(PixelSize(200, 100), Viewport(1600, 1200, ratio=2.0))
    assert ordinary.fitted_size == PixelSize(600, 300)
    assert dense.fitted_size == PixelSize(1200, 600)


@given(st.data(), lookings, shares, shares)
def test_zooming_in_keeps_what_is_under_the_pointer(
    data: st.DataObject, looking: ViewGeometry, across: float, down: float
) -> None:
    sight = data.draw(sights(looking))
    pointer = place_on_image(looking, sight, across, down)
    nearer = looking.zoomed(sight, data.draw(st.floats(sight.scale, 40.0)), at=pointer)
    if nearer.scale > looking.fit_scale:
        before, after = sight.image_point_at(pointer), nearer.image_point_at(pointer)
        assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=1e-6)


@given(st.data(), lookings, scales, distances, distances)
def test_the_scale_stays_within_its_limits(
    data: st.DataObject, looking: ViewGeometry, scale: float, x: float, y: float
) -> None:
    seen = looking.zoomed(data.draw(sights(looking)), scale, at=PixelPoint(x, y))
    assert min(looking.fit_scale, ACTUAL_SIZE) <= seen.scale <= MAX_SCALE


@given(st.data(), lookings)
def test_the_middle_of_the_view_never_leaves_the_image(
    data: st.DataObject, looking: ViewGeometry
) -> None:
    sight = data.draw(sights(looking))
    assert 0 <= sight.middle.x <= looking.image.width
    assert 0 <= sight.middle.y <= looking.image.height


@given(st.data(), lookings, distances, distances)
def test_an_image_seen_whole_is_in_the_middle(
    data: st.DataObject, looking: ViewGeometry, dx: float, dy: float
) -> None:
    scale = data.draw(st.floats(looking.smallest_scale, looking.fit_scale))
    seen = looking.moved(looking.zoomed(looking.fit(), scale), PixelPoint(dx, dy))
    assert seen.middle == looking.fit().middle


@given(st.data(), lookings, distances, distances)
def test_moving_there_and_back_ends_where_it_began_unless_an_edge_stopped_it(
    data: st.DataObject, looking: ViewGeometry, dx: float, dy: float
) -> None:
    sight = data.draw(sights(looking))
    there = looking.moved(sight, PixelPoint(dx, dy))
    unhindered = sight.image_point_at(PixelPoint(dx, dy))
    if there.middle == unhindered:
        back = looking.moved(there, PixelPoint(-dx, -dy))
        assert (back.middle.x, back.middle.y) == pytest.approx(
            (sight.middle.x, sight.middle.y), abs=1e-6
        )


@given(lookings, st.integers(1, 60))
def test_stepping_in_and_out_comes_by_fit_and_ends_at_the_limits(
    looking: ViewGeometry, steps: int
) -> None:
    assert looking.stepped(looking.stepped(looking.fit_scale, steps), -60) == (
        looking.smallest_scale
    )
    assert looking.stepped(looking.fit_scale, 60) == MAX_SCALE
    nearer = looking.stepped(looking.fit_scale, 1)
    assert nearer > looking.fit_scale
    assert looking.stepped(nearer, -1) == looking.fit_scale


@given(st.data(), lookings, viewports)
def test_another_viewport_keeps_what_is_in_the_middle(
    data: st.DataObject, looking: ViewGeometry, viewport: Viewport
) -> None:
    sight = data.draw(sights(looking))
    other = ViewGeometry(looking.image, viewport)
    kept = other.kept(sight)
    if kept.scale > other.fit_scale and kept.scale == sight.scale:
        assert (kept.middle.x, kept.middle.y) == pytest.approx((sight.middle.x, sight.middle.y))
    else:
        assert kept.scale >= other.smallest_scale
