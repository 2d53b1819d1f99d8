"""Numbers as the report's tables write them."""

import pytest

from labeler.report.table import format_p_value, format_percent, format_signed, format_with_interval


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.021, "+2.1"), (-0.004, "−0.4"), (0.0, "0.0"), (-0.0001, "0.0"), (0.0001, "0.0")],
)
def test_a_difference_has_a_sign_where_one_can_be_seen(share: float, text: str) -> None:
    assert format_signed(share) == text


def test_an_accuracy_stands_with_its_interval() -> None:
    assert format_percent(0.8425) == "84.2"
    assert format_with_interval(0.8425, 0.818, 0.865) == "84.2 [81.8, 86.5]"


@pytest.mark.parametrize(("p_value", "text"), [(0.0004, "< 0.001"), (0.001, "0.001"), (1, "1.000")])
def test_a_very_small_p_value_is_told_as_such(p_value: float, text: str) -> None:
    assert format_p_value(p_value) == text
