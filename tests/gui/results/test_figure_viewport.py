"""What of a figure is in sight while someone zooms and moves."""

import pytest

from labeler.report.figures.figure import AxesLimits
from labeler.ui.results.figure_viewport import FigureViewport

WHOLE = AxesLimits(0.0, 100.0, 0.0, 50.0)
# As in a figure whose rows go down.
REVERSED = AxesLimits(0.0, 100.0, 50.0, 0.0)


@pytest.mark.parametrize("whole", [WHOLE, REVERSED])
def test_what_is_under_the_pointer_stays_there(whole: AxesLimits) -> None:
    window = FigureViewport(whole, whole)
    held = 30.0, 20.0
    at = window.fraction(*held)
    for steps in (3, 2, -1):
        window = window.zoom(steps, *at)
        assert window.fraction(*held) == pytest.approx(at)
    assert window.zoomed == pytest.approx(1.25**4)


@pytest.mark.parametrize("whole", [WHOLE, REVERSED])
def test_nothing_beyond_the_figure_comes_into_sight(whole: AxesLimits) -> None:
    window = FigureViewport(whole, whole).zoom(3, 0.5, 0.5).move(50, 50)
    left, right, bottom, top = window.limits
    assert right == pytest.approx(100.0)
    assert bottom == pytest.approx(whole.bottom)
    assert (right - left) == pytest.approx(100 / 1.25**3)
    assert abs(top - bottom) == pytest.approx(50 / 1.25**3)
    assert FigureViewport(whole, whole).move(0.5, 0.5).limits == whole


def test_zooming_out_ends_with_exactly_the_whole() -> None:
    window = FigureViewport(WHOLE, WHOLE).zoom(5, 0.1, 0.9).zoom(-9, 0.7, 0.2)
    assert window.limits == WHOLE
    assert not window.is_part


def test_the_whole_is_placed_around_its_part() -> None:
    window = FigureViewport(WHOLE, AxesLimits(50.0, 100.0, 0.0, 25.0))
    assert window.full_in_fractions() == pytest.approx((-1.0, -1.0, 2.0, 2.0))
    assert window.centred_on(75.0, 12.5) == window
    assert window.centred_on(60.0, 20.0).limits == pytest.approx((35.0, 85.0, 7.5, 32.5))
