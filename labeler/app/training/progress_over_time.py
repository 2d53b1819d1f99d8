"""Progress by day and by session: a timeline and a table."""

from labeler.app.chart_views import (
    DataTable,
    ImageListSource,
    TableCell,
    TableColumn,
    TimelinePoint,
    TimelineView,
)
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    EMPTY_CELL,
    NO_ANSWERS,
    SCORE_COLUMNS,
    capitalise_first,
    format_day,
    format_moment,
    format_percent,
    format_short_day,
    format_short_moment,
    score_cells,
)
from labeler.app.training.start_view import training_title
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.progress import (
    MOVING_WINDOW,
    DayScore,
    SessionScore,
    TrainingScore,
)


def day_timeline(facts: ProgressFacts) -> TimelineView:
    days, today = facts.days, facts.today.toordinal()
    return TimelineView(
        title="Share right by day",
        dot="a day, with its 95 % interval",
        moving=f"the last {MOVING_WINDOW} answers",
        first=days[0].day if days else today,
        # After a clock was set back, answers may be dated in the future.
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


def _interval(score: TrainingScore) -> tuple[float, float]:
    """Return the exact 95 % interval of the share right."""
    found = clopper_pearson([score.right], [max(score.answered, 1)])
    return float(found.low[0]), float(found.high[0])


def _result(score: TrainingScore) -> str:
    low, high = _interval(score)
    return (
        f"{score.right} of {score.answered} right, {format_percent(score.share)} "
        f"(95 % interval {low * 100:.0f} to {format_percent(high)})"
    )


def _point(day: DayScore) -> TimelinePoint:
    score = day.score
    low, high = _interval(score)
    return TimelinePoint(
        place=day.day,
        short=format_short_day(day.day),
        share=score.share or 0.0,
        low=low,
        high=high,
        moving=day.moving,
        answered=score.answered,
        words=(
            f"{format_day(day.day)}: {_result(score)}; of the last {MOVING_WINDOW}, "
            f"{format_percent(day.moving)}"
        ),
        source=ImageListSource(format_day(day.day), TrainingFilter(day=day.day)),
    )


def _row(day: DayScore) -> tuple[TableCell, ...]:
    name, part = format_day(day.day), TrainingFilter(day=day.day)
    return (
        TableCell(name, float(day.day), ImageListSource(name, part)),
        *score_cells(day.score, name, part),
        TableCell(format_percent(day.moving), day.moving),
    )


class SessionProgress:
    """Builds the chart and table of sessions, which are evenly spaced in the chart."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._sessions = facts.sessions
        self._taxonomy = taxonomy

    def timeline(self) -> TimelineView:
        return TimelineView(
            title="Share right by session",
            dot="a session, with its 95 % interval",
            moving=f"the last {MOVING_WINDOW} answers",
            first=1,
            last=max(1, len(self._sessions)),
            points=tuple(self._point(n, each) for n, each in enumerate(self._sessions, start=1)),
            empty=NO_ANSWERS,
        )

    def table(self) -> DataTable:
        names = TableColumn("Session", numeric=False), TableColumn("Trained on", numeric=False)
        return DataTable(
            name="Sessions",
            columns=(*names, *SCORE_COLUMNS, TableColumn(f"Last {MOVING_WINDOW}")),
            rows=tuple(self._row(each) for each in reversed(self._sessions)),
            empty=NO_ANSWERS,
        )

    def _point(self, place: int, each: SessionScore) -> TimelinePoint:
        score, name = each.score, format_moment(each.session.started)
        about = f" on {self._about(each)}" if self._about(each) else ""
        low, high = _interval(score)
        return TimelinePoint(
            place=place,
            short=format_short_moment(each.session.started),
            share=score.share or 0.0,
            low=low,
            high=high,
            moving=each.moving,
            answered=score.answered,
            words=(
                f"{name}{about}: {_result(score)}; of the last {MOVING_WINDOW}, "
                f"{format_percent(each.moving)}"
            ),
            source=ImageListSource(name, TrainingFilter(session=each.number)),
        )

    def _row(self, each: SessionScore) -> tuple[TableCell, ...]:
        name, part = format_moment(each.session.started), TrainingFilter(session=each.number)
        about = capitalise_first(self._about(each))
        return (
            TableCell(name, each.session.started.timestamp(), ImageListSource(name, part)),
            TableCell(about, about.casefold(), ImageListSource(name, part))
            if about
            else EMPTY_CELL,
            *score_cells(each.score, name, part),
            TableCell(format_percent(each.moving), each.moving),
        )

    def _about(self, each: SessionScore) -> str:
        request = each.session.request
        return training_title(request, self._taxonomy) if request is not None else ""
