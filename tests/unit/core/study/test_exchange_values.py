"""Single values of the exchange format, from text and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.study.exchange_rows import (
    InvalidValueError,
    are_stamps,
    format_score,
    format_seconds,
    look_like_numbers,
    parse_name,
    parse_rank,
    parse_score,
    parse_seconds,
    parse_stamp,
    quoted,
)


@given(st.floats(0, 1))
def test_a_score_comes_back_exactly(score):
    assert parse_score(format_score(score)) == score


@given(st.integers(0, 2**63 - 1))
def test_a_time_comes_back_to_the_millisecond(milliseconds):
    assert parse_seconds(format_seconds(milliseconds), column="wall_seconds") == milliseconds


def test_an_empty_field_is_no_value():
    assert parse_score("") is None
    assert parse_seconds("", column="active_seconds") is None
    assert parse_stamp("", column="at") is None
    assert (format_score(None), format_seconds(None)) == ("", "")


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("0", 0), ("1.5", 1500), ("1e1", 10_000), ("0.0004", 0), (".25", 250)],
)
def test_times_are_read_in_any_usual_form(text, milliseconds):
    assert parse_seconds(text, column="active_seconds") == milliseconds


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "1_0", " 1", "1,5", "٣", "--1", "1e99999"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(InvalidValueError) as caught:
        parse_seconds(text, column="wall_seconds")
    assert caught.value.column == "wall_seconds"


@pytest.mark.parametrize("text", ["1.01", "-0.1", "nan", "inf", "0_0", " 0", "½", "0.5 ", "1e400"])
def test_what_is_no_probability_is_refused(text):
    with pytest.raises(InvalidValueError, match="is not a probability"):
        parse_score(text)


def test_a_negative_zero_is_zero():
    assert format_score(parse_score("-0.0")) == "0.0"


@pytest.mark.parametrize("text", ["0", "-1", "1.0", "01", "", "one", "٣", "9999999999"])
def test_what_is_no_rank_is_refused(text):
    with pytest.raises(InvalidValueError, match="is not a rank"):
        parse_rank(text, most=1000)


def test_a_rank_beyond_the_classes_is_refused():
    assert parse_rank("1000", most=1000) == 1000
    with pytest.raises(InvalidValueError, match="'1001' exceeds the 1000 classes"):
        parse_rank("1001", most=1000)


GOOD_STAMPS = [
    "2026-03-01T09:30:00Z",
    "2026-03-01T09:30:00.1Z",
    "2026-03-01T09:30:00.123456789Z",
    "2026-03-01T09:30:00+00:00",
    "2026-03-01T09:30Z",
    "2024-02-29T00:00:00Z",
    "2026-12-31T23:59:59Z",
    "1999-01-01T00:00:00Z",
]
BAD_STAMPS = [
    "2026-03-01T09:30:00",
    "2026-03-01T09:30:00+01:00",
    "2026-03-01",
    "2026-03-01 09:30:00Z",
    "20260301T093000Z",
    "2026-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-03-01T24:30:00Z",
    "2026-03-01T09:30:00Z\n2026-03-01T09:30:00Z",
    "yesterday",
]


@pytest.mark.parametrize("text", GOOD_STAMPS)
def test_a_moment_in_utc_is_kept_as_written(text):
    assert parse_stamp(text, column="at") == text
    assert are_stamps([text, "", GOOD_STAMPS[0]])


@pytest.mark.parametrize("text", BAD_STAMPS)
def test_what_is_no_moment_in_utc_is_refused(text):
    assert not are_stamps([GOOD_STAMPS[0], text])
    with pytest.raises(InvalidValueError, match="is not a UTC time"):
        parse_stamp(text, column="at")


@given(st.lists(st.sampled_from([*GOOD_STAMPS, *BAD_STAMPS, ""])))
def test_many_moments_are_reported_as_one_by_one(texts):
    assert are_stamps(texts) == (not set(texts) & set(BAD_STAMPS))


def test_an_underscore_or_a_space_is_no_part_of_a_number():
    assert look_like_numbers(["0.5", "1e-07", ""])
    assert not look_like_numbers(["0.5", "0_5"])
    assert not look_like_numbers(["0.5 "])


def test_a_name_is_never_empty():
    assert parse_name("L1", column="participant") == "L1"
    with pytest.raises(InvalidValueError, match="is empty"):
        parse_name("", column="participant")


def test_a_quoted_value_stays_on_one_short_line():
    assert quoted("two\nlines") == "'two\\nlines'"
    assert quoted("x" * 200) == f"'{'x' * 80}…'"
