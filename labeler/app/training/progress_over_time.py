"""Progress from session to session: a timeline and a table."""

from labeler.app.data_views import Behind, Cell, Column, Table, Timeline, TimePoint
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    NO_CELL,
    NOTHING,
    SCORE_COLUMNS,
    capital,
    moment_name,
    percent,
    score_cells,
    short_moment,
)
from labeler.app.training.training_title import training_title
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import Part
from labeler.core.training.progress import MOVING_OVER
from labeler.core.training.training_sessions import SessionScore


class SessionProgress:
    """Says the numbers of sessions, which stand side by side however long ago they were."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._sessions = facts.sessions
        self._taxonomy = taxonomy

    def timeline(self) -> Timeline:
        return Timeline(
            title="Share right, session by session",
            dot="a session",
            moving=f"the last {MOVING_OVER} answers",
            first=1,
            last=max(1, len(self._sessions)),
            points=tuple(self._point(n, each) for n, each in enumerate(self._sessions, start=1)),
            empty=NOTHING,
        )

    def table(self) -> Table:
        names = Column("Session", numeric=False), Column("Trained on", numeric=False)
        return Table(
            name="Sessions",
            columns=(*names, *SCORE_COLUMNS, Column(f"Last {MOVING_OVER}")),
            rows=tuple(self._row(each) for each in reversed(self._sessions)),
            empty=NOTHING,
        )

    def _point(self, place: int, each: SessionScore) -> TimePoint:
        score, name = each.score, moment_name(each.session.started)
        about = f" on {self._about(each)}" if self._about(each) else ""
        return TimePoint(
            place=place,
            short=short_moment(each.session.started),
            share=score.share or 0.0,
            moving=each.moving,
            answered=score.answered,
            words=(
                f"{name}{about}: {score.right} of {score.answered} right, "
                f"{percent(score.share)}; of the last {MOVING_OVER}, {percent(each.moving)}"
            ),
            behind=Behind(name, Part(session=each.number)),
        )

    def _row(self, each: SessionScore) -> tuple[Cell, ...]:
        name, part = moment_name(each.session.started), Part(session=each.number)
        about = capital(self._about(each))
        return (
            Cell(name, each.session.started.timestamp(), Behind(name, part)),
            Cell(about, about.casefold(), Behind(name, part)) if about else NO_CELL,
            *score_cells(each.score, name, part),
            Cell(percent(each.moving), each.moving),
        )

    def _about(self, each: SessionScore) -> str:
        request = each.session.request
        return training_title(request, self._taxonomy) if request is not None else ""
