"""Backups are thinned: all of the last day, one a day for a month, one a week for good."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.study.backup_retention import backups_to_keep

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_MINUTES = st.integers(min_value=-60, max_value=400 * 24 * 60)
_MOMENTS = st.sets(_MINUTES.map(lambda minutes: NOW - timedelta(minutes=minutes)), max_size=60)


@given(_MOMENTS)
def test_the_newest_is_always_kept_and_nothing_is_invented(moments: set[datetime]) -> None:
    kept_ones = backups_to_keep(moments, now=NOW)

    assert kept_ones <= moments
    assert not moments or max(moments) in kept_ones


@given(_MOMENTS)
def test_all_of_the_last_24_hours_are_kept(moments: set[datetime]) -> None:
    young = {moment for moment in moments if NOW - moment < timedelta(hours=24)}

    assert young <= backups_to_keep(moments, now=NOW)


@given(_MOMENTS)
def test_beyond_there_is_at_most_one_of_a_day_and_then_of_a_week(moments: set[datetime]) -> None:
    old = [
        moment
        for moment in backups_to_keep(moments, now=NOW)
        if NOW - moment >= timedelta(hours=24)
    ]
    daily = Counter(m.date() for m in old if NOW - m < timedelta(days=31))
    weekly = Counter(m.isocalendar()[:2] for m in old if NOW - m >= timedelta(days=31))

    assert all(count == 1 for count in (*daily.values(), *weekly.values()))


@given(_MOMENTS)
def test_no_day_of_the_month_and_no_week_goes_without_its_last_backup(
    moments: set[datetime],
) -> None:
    kept_ones = backups_to_keep(moments, now=NOW)
    old = [moment for moment in moments if NOW - moment >= timedelta(hours=24)]
    for moment in old:
        week = moment.isocalendar()[:2]
        assert any(k.isocalendar()[:2] == week and k >= moment for k in kept_ones)


@given(_MOMENTS)
def test_thinning_again_takes_nothing_more(moments: set[datetime]) -> None:
    once = backups_to_keep(moments, now=NOW)

    assert backups_to_keep(once, now=NOW) == once


def test_a_half_hourly_habit_over_a_year_leaves_a_handful() -> None:
    moments = {NOW - timedelta(minutes=30 * n) for n in range(2 * 24 * 365)}

    assert len(backups_to_keep(moments, now=NOW)) == 48 + 31 + 49
