"""Days, shares and scores of a training's progress, as the screen says them."""

from dataclasses import replace
from datetime import date, datetime

from labeler.app.data_views import Behind, Cell, Column
from labeler.core.training.answer_record import Part, own_day
from labeler.core.training.progress import Score

NOTHING = "No answers yet. After the first training they are counted here."
LATELY = "in the last 7 days"
SCORE_COLUMNS = (Column("Answered"), Column("Missed"), Column("Right"))
LATELY_COLUMNS = (Column("Last 7 days"), Column("Missed lately"))
# What has no value stands behind all that has one.
_NO_VALUE = -1.0
NO_CELL = Cell("–", _NO_VALUE)

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def percent(share: float | None) -> str:
    """`84 %`; a dash where nothing was answered."""
    return "–" if share is None else f"{share * 100:.0f} %"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def day_name(day: int) -> str:
    """`Mon 16 Nov 2026`, in the program's language whatever the machine speaks."""
    moment = date.fromordinal(day)
    return f"{_DAYS[moment.weekday()]} {short_day(day)} {moment.year}"


def short_day(day: int) -> str:
    """`16 Nov`."""
    moment = date.fromordinal(day)
    return f"{moment.day} {_MONTHS[moment.month - 1]}"


def moment_name(moment: datetime) -> str:
    """`Mon 16 Nov 2026, 19:05`, where the person sits."""
    return f"{day_name(own_day(moment).toordinal())}, {moment.astimezone():%H:%M}"


def short_moment(moment: datetime) -> str:
    """`16 Nov 19:05`."""
    return f"{short_day(own_day(moment).toordinal())} {moment.astimezone():%H:%M}"


def score_cells(score: Score, name: str, part: Part) -> tuple[Cell, Cell, Cell]:
    """Answered, missed and the share right; the first two lead to their images."""
    missed = replace(part, only_missed=True)
    return (
        Cell(str(score.answered), float(score.answered), Behind(name, part)),
        Cell(
            str(score.missed),
            float(score.missed),
            Behind(f"{name}, missed", missed) if score.missed else None,
        ),
        Cell(percent(score.share), score.share or 0.0),
    )


def lately_cells(lately: Score, name: str, part: Part, *, since: int) -> tuple[Cell, Cell]:
    """The share right and the mistakes since a day; dashes where nothing was answered."""
    if lately.share is None:
        return NO_CELL, NO_CELL
    recent = Part(targets=part.targets, since=since)
    missed = Part(targets=part.targets, since=since, only_missed=True)
    return (
        Cell(percent(lately.share), lately.share, Behind(f"{name} {LATELY}", recent)),
        Cell(
            str(lately.missed),
            float(lately.missed),
            Behind(f"{name}, missed {LATELY}", missed) if lately.missed else None,
        ),
    )
