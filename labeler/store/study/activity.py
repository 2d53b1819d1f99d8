"""When people worked: answers a day, and when each person was last seen. Counts, never answers."""

from collections import Counter
from datetime import date, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from labeler.core.clock import stamp
from labeler.core.study.entities import SessionTask
from labeler.store.schema import ParticipantRow, PredictionRow, SessionRow
from labeler.store.study.sessions import person_id

_FIRST = 1


class PeopleActivity:
    def __init__(self, session: Session) -> None:
        self._session = session

    def answers_by_day(self, participant: str, *, since: datetime) -> dict[date, int]:
        """Return how many images of the evaluation a person answered on each local day."""
        query = select(PredictionRow.committed_at).where(
            PredictionRow.participant_id == person_id(self._session, participant),
            PredictionRow.task == SessionTask.EVALUATE,
            PredictionRow.revision == _FIRST,
            PredictionRow.committed_at >= stamp(since),
        )
        moments = map(datetime.fromisoformat, self._session.scalars(query))
        return dict(Counter(moment.astimezone().date() for moment in moments))

    def last_seen(self) -> dict[str, datetime]:
        """Return when each person's last session was last active."""
        moment = func.max(
            func.coalesce(SessionRow.ended_at, SessionRow.active_at, SessionRow.started_at)
        )
        query = (
            select(ParticipantRow.code, moment)
            .join(SessionRow, SessionRow.participant_id == ParticipantRow.id)
            .group_by(ParticipantRow.code)
        )
        return {code: datetime.fromisoformat(at) for code, at in self._session.execute(query)}
