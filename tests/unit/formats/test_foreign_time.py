"""Moments as browsers, mail and Python write them."""

import pytest

from labeler.formats.human_accuracy_pickle import parse_timestamp


@pytest.mark.parametrize(
    ("given", "utc"),
    [
        ("2019-12-08T14:21:41.123Z", "2019-12-08T14:21:41.123000+00:00"),
        ("2019-12-08 14:21:41.5", "2019-12-08T14:21:41.500000+00:00"),
        ("2019-12-08 14:21:41 UTC", "2019-12-08T14:21:41+00:00"),
        ("2019-12-08T14:21:41-0800", "2019-12-08T22:21:41+00:00"),
        ("Sun, 08 Dec 2019 14:21:41 GMT", "2019-12-08T14:21:41+00:00"),
        ("Sun Dec 08 2019 14:21:41 GMT-0800 (Pacific Standard Time)", "2019-12-08T22:21:41+00:00"),
        ("Sun Dec  8 14:21:41 2019", "2019-12-08T14:21:41+00:00"),
        (1575814901, "2019-12-08T14:21:41+00:00"),
        (1575814901500, "2019-12-08T14:21:41.500000+00:00"),
        ("1575814901.5", "2019-12-08T14:21:41.500000+00:00"),
    ],
)
def test_a_moment_is_read_in_utc(given: object, utc: str) -> None:
    found = parse_timestamp(given)
    assert found is not None
    assert found.isoformat() == utc


@pytest.mark.parametrize("given", ["soon", "", None, True, 1e300, -1e300, [], "12/8/2019, 2:21 PM"])
def test_what_is_no_moment_is_none(given: object) -> None:
    assert parse_timestamp(given) is None
