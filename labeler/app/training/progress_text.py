"""Formats days, shares and scores of the training progress."""

from dataclasses import replace
from datetime import date, datetime

from labeler.app.chart_views import ImageListSource, TableCell, TableColumn
from labeler.core.training.answer_record import TrainingFilter, local_date
from labeler.core.training.progress import TrainingScore

NO_ANSWERS = "No answers yet. They are counted here after the first training."
LAST_WEEK = "in the last 7 days"
SCORE_COLUMNS = (TableColumn("Answered"), TableColumn("Missed"), TableColumn("Right"))
LAST_WEEK_COLUMNS = (TableColumn("Last 7 days"), TableColumn("Missed lately"))
# Rows without a value sort after all others.
_NO_VALUE = -1.0
EMPTY_CELL = TableCell("–", _NO_VALUE)

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def format_percent(share: float | None) -> str:
    """`84 %`, or a dash if nothing was answered."""
    return "–" if share is None else f"{share * 100:.0f} %"


def capitalise_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def format_day(day: int) -> str:
    """`Mon 16 Nov 2026`, in English regardless of the locale."""
    moment = date.fromordinal(day)
    return f"{_DAYS[moment.weekday()]} {format_short_day(day)} {moment.year}"


def format_short_day(day: int) -> str:
    """`16 Nov`."""
    moment = date.fromordinal(day)
    return f"{moment.day} {_MONTHS[moment.month - 1]}"


def format_moment(moment: datetime) -> str:
    """`Mon 16 Nov 2026, 19:05`, in local time."""
    return f"{format_day(local_date(moment).toordinal())}, {moment.astimezone():%H:%M}"


def format_short_moment(moment: datetime) -> str:
    """`16 Nov 19:05`."""
    return f"{format_short_day(local_date(moment).toordinal())} {moment.astimezone():%H:%M}"


def score_cells(
    score: TrainingScore, name: str, part: TrainingFilter
) -> tuple[TableCell, TableCell, TableCell]:
    """Return the cells for answered, missed and share right; the first two link to images."""
    missed = replace(part, only_missed=True)
    return (
        TableCell(str(score.answered), float(score.answered), ImageListSource(name, part)),
        TableCell(
            str(score.missed),
            float(score.missed),
            ImageListSource(f"{name}, missed", missed) if score.missed else None,
        ),
        TableCell(format_percent(score.share), score.share or 0.0),
    )


def last_week_cells(
    lately: TrainingScore, name: str, part: TrainingFilter, *, since: int
) -> tuple[TableCell, TableCell]:
    """Return the share right and the mistakes since a day; dashes if nothing was answered."""
    if lately.share is None:
        return EMPTY_CELL, EMPTY_CELL
    recent = TrainingFilter(targets=part.targets, since=since)
    missed = TrainingFilter(targets=part.targets, since=since, only_missed=True)
    return (
        TableCell(
            format_percent(lately.share),
            lately.share,
            ImageListSource(f"{name} {LAST_WEEK}", recent),
        ),
        TableCell(
            str(lately.missed),
            float(lately.missed),
            ImageListSource(f"{name}, missed {LAST_WEEK}", missed) if lately.missed else None,
        ),
    )
