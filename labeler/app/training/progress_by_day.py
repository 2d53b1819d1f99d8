"""Progress over time: a timeline and a table of days."""

from labeler.app.data_views import Behind, Cell, Column, Table, Timeline, TimePoint
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    NOTHING,
    SCORE_COLUMNS,
    day_name,
    percent,
    score_cells,
    short_day,
)
from labeler.core.training.answer_record import Part
from labeler.core.training.progress import MOVING_OVER, DayScore


def timeline(facts: ProgressFacts) -> Timeline:
    days, today = facts.days, facts.today.toordinal()
    return Timeline(
        title="Share right, day by day",
        dot="a day",
        moving=f"the last {MOVING_OVER} answers",
        first=days[0].day if days else today,
        # A clock that was set back must not leave answers out of the picture.
        last=max(today, days[-1].day) if days else today,
        points=tuple(_point(day) for day in days),
        empty=NOTHING,
    )


def day_table(facts: ProgressFacts) -> Table:
    return Table(
        name="Days",
        columns=(Column("Day", numeric=False), *SCORE_COLUMNS, Column(f"Last {MOVING_OVER}")),
        rows=tuple(_row(day) for day in reversed(facts.days)),
        empty=NOTHING,
    )


def _point(day: DayScore) -> TimePoint:
    score = day.score
    return TimePoint(
        place=day.day,
        short=short_day(day.day),
        share=score.share or 0.0,
        moving=day.moving,
        answered=score.answered,
        words=(
            f"{day_name(day.day)}: {score.right} of {score.answered} right, "
            f"{percent(score.share)}; of the last {MOVING_OVER}, {percent(day.moving)}"
        ),
        behind=Behind(day_name(day.day), Part(day=day.day)),
    )


def _row(day: DayScore) -> tuple[Cell, ...]:
    name, part = day_name(day.day), Part(day=day.day)
    return (
        Cell(name, float(day.day), Behind(name, part)),
        *score_cells(day.score, name, part),
        Cell(percent(day.moving), day.moving),
    )
