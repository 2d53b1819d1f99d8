"""Progress over time: a timeline and a table of days."""

from labeler.app.data_views import (
    DataTable,
    ImageListSource,
    TableCell,
    TableColumn,
    TimelinePoint,
    TimelineView,
)
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    NO_ANSWERS,
    SCORE_COLUMNS,
    format_day,
    format_percent,
    format_short_day,
    score_cells,
)
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.progress import MOVING_WINDOW, DayScore


def day_timeline(facts: ProgressFacts) -> TimelineView:
    days, today = facts.days, facts.today.toordinal()
    return TimelineView(
        title="Share right, day by day",
        dot="a day",
        moving=f"the last {MOVING_WINDOW} answers",
        first=days[0].day if days else today,
        # A clock that was set back must not leave answers out of the picture.
        last=max(today, days[-1].day) if days else today,
        points=tuple(_point(day) for day in days),
        empty=NO_ANSWERS,
    )


def day_table(facts: ProgressFacts) -> DataTable:
    return DataTable(
        name="Days",
        columns=(
            TableColumn("Day", numeric=False),
            *SCORE_COLUMNS,
            TableColumn(f"Last {MOVING_WINDOW}"),
        ),
        rows=tuple(_row(day) for day in reversed(facts.days)),
        empty=NO_ANSWERS,
    )


def _point(day: DayScore) -> TimelinePoint:
    score = day.score
    return TimelinePoint(
        place=day.day,
        short=format_short_day(day.day),
        share=score.share or 0.0,
        moving=day.moving,
        answered=score.answered,
        words=(
            f"{format_day(day.day)}: {score.right} of {score.answered} right, "
            f"{format_percent(score.share)}; of the last {MOVING_WINDOW}, "
            f"{format_percent(day.moving)}"
        ),
        behind=ImageListSource(format_day(day.day), TrainingFilter(day=day.day)),
    )


def _row(day: DayScore) -> tuple[TableCell, ...]:
    name, part = format_day(day.day), TrainingFilter(day=day.day)
    return (
        TableCell(name, float(day.day), ImageListSource(name, part)),
        *score_cells(day.score, name, part),
        TableCell(format_percent(day.moving), day.moving),
    )
