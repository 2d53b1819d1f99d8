"""Store a verdict as the next revision of a label, or of a repeated label."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, exists, func, insert, null, select, update
from sqlalchemy.orm import Session

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.review.blind_types import CommittedVerdict, Lap
from labeler.core.study.entities import ExposureOccasion, SessionTask, Stage, Verdict
from labeler.store.labeling.trial_time import packed_inputs
from labeler.store.schema import (
    AdjudicationRow,
    ClassRow,
    ExposureRow,
    LapIntervalRow,
    RepeatedReviewRow,
    ReviewItemRow,
    ReviewRepeatRow,
    ReviewRow,
    ReviewVisitRow,
    SessionRow,
)


def store_laps(session: Session, laps: Iterable[tuple[str, Lap | None]]) -> None:
    """Store the laps of a session, replacing what was stored while they ran."""
    for session_id, lap in dict.fromkeys(laps):
        if lap is None:
            continue
        of_lap = LapIntervalRow.session_id == session_id, LapIntervalRow.lap == lap.number
        session.execute(delete(LapIntervalRow).where(*of_lap))
        rows = [
            _lap_interval_row(session_id, lap.number, number, interval)
            for number, interval in enumerate(lap.intervals, start=1)
        ]
        if rows:
            session.execute(insert(LapIntervalRow), rows)


def _lap_interval_row(
    session_id: str, lap: int, number: int, interval: AttentionInterval
) -> dict[str, object]:
    return {
        "session_id": session_id,
        "lap": lap,
        "number": number,
        "place": interval.place,
        "started_ms": interval.started_ms,
        "ended_ms": interval.ended_ms,
        **packed_inputs(interval),
    }


# Stored as the verdict of a withdrawal; `withdrawn` marks it as none.
WITHDRAWN_VERDICT = Verdict.UNCLEAR


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitKey:
    """What a visit id refers to; `repeated` is the class to judge a second time."""

    visit_id: str
    stage: Stage
    image_id: int
    participant_id: int
    repeated: int | None = None


def find_visit(session: Session, visit_id: str) -> VisitKey:
    """Return what the visit id refers to; an unknown id is refused."""
    first = select(
        ReviewVisitRow.stage, ReviewVisitRow.image_id, ReviewVisitRow.participant_id, null()
    ).where(ReviewVisitRow.id == visit_id)
    second = select(
        ReviewRepeatRow.stage,
        ReviewRepeatRow.image_id,
        ReviewRepeatRow.participant_id,
        ReviewRepeatRow.class_id,
    ).where(ReviewRepeatRow.id == visit_id)
    found = session.execute(first).one_or_none() or session.execute(second).one_or_none()
    if found is None:
        raise RefusedError("The study has no such image to review. Sign in again.")
    stage, image_id, participant_id, repeated = found
    return VisitKey(
        visit_id=visit_id,
        stage=stage,
        image_id=image_id,
        participant_id=participant_id,
        repeated=repeated,
    )


def commit_verdict(session: Session, visited: VisitKey, given: CommittedVerdict) -> None:
    """Append the verdict and record that the reviewer saw the image."""
    _require_own_session(session, visited, given)
    class_id = _require_asked_class(session, visited, given.label)
    if visited.repeated is None:
        _append_review(session, visited, class_id, given)
    else:
        _append_repeated(session, visited, given)
    record_review_exposure(
        session,
        participant_id=visited.participant_id,
        image_id=visited.image_id,
        session_id=given.session_id,
        at=given.at,
    )


def is_verdict_stored(session: Session, visited: VisitKey, given: CommittedVerdict) -> bool:
    """Return whether this very verdict, given at this moment, is in the study."""
    values = {name: _verdict_values(given)[name] for name in ("verdict", "at", "session_id")}
    if visited.repeated is not None:
        query = select(RepeatedReviewRow.revision).filter_by(repeat_id=visited.visit_id, **values)
    else:
        query = (
            select(ReviewRow.revision)
            .join(ClassRow, ClassRow.id == ReviewRow.class_id)
            .where(
                ClassRow.wnid == given.label,
                ReviewRow.image_id == visited.image_id,
                ReviewRow.participant_id == visited.participant_id,
                ReviewRow.stage == visited.stage,
            )
            .filter(*(getattr(ReviewRow, name) == value for name, value in values.items()))
        )
    return session.scalar(query.limit(1)) is not None


def _append_review(
    session: Session, visited: VisitKey, class_id: int, given: CommittedVerdict
) -> None:
    key = {
        "image_id": visited.image_id,
        "class_id": class_id,
        "participant_id": visited.participant_id,
        "stage": visited.stage,
    }
    _require_undiscussed(session, visited, class_id)
    last = session.scalar(select(func.max(ReviewRow.revision)).filter_by(**key)) or 0
    row = {**key, "revision": last + 1, **_verdict_values(given)}
    session.execute(insert(ReviewRow), [row])


def _append_repeated(session: Session, visited: VisitKey, given: CommittedVerdict) -> None:
    of_repeat = RepeatedReviewRow.repeat_id == visited.visit_id
    last = session.scalar(select(func.max(RepeatedReviewRow.revision)).where(of_repeat)) or 0
    row = {"repeat_id": visited.visit_id, "revision": last + 1, **_verdict_values(given)}
    session.execute(insert(RepeatedReviewRow), [row])


def _verdict_values(given: CommittedVerdict) -> dict[str, object]:
    return {
        "verdict": WITHDRAWN_VERDICT if given.own is None else given.own.verdict,
        "kind": None if given.own is None else given.own.kind,
        "withdrawn": given.own is None,
        "at": given.at,
        "active_ms": given.active_ms,
        "session_id": given.session_id,
        "lap": None if given.lap is None else given.lap.number,
    }


def _require_own_session(session: Session, visited: VisitKey, given: CommittedVerdict) -> None:
    query = select(SessionRow.participant_id).where(
        SessionRow.id == given.session_id, SessionRow.task == SessionTask.REVIEW
    )
    if session.scalar(query) != visited.participant_id:
        raise RefusedError(
            "This session doesn't belong to the reviewer of this image. Sign in again."
        )


def _require_asked_class(session: Session, visited: VisitKey, wnid: str) -> int:
    asked = (
        select(ClassRow.id)
        .join(ReviewItemRow, ReviewItemRow.class_id == ClassRow.id)
        .where(
            ClassRow.wnid == wnid,
            ReviewItemRow.stage == visited.stage,
            ReviewItemRow.image_id == visited.image_id,
        )
    )
    class_id = session.scalar(asked)
    if class_id is None or visited.repeated not in (None, class_id):
        raise RefusedError("This label isn't part of the review of this image. Sign in again.")
    return class_id


def _require_undiscussed(session: Session, visited: VisitKey, class_id: int) -> None:
    """Refuse blind verdicts after the group has discussed the label."""
    of_pair = {"image_id": visited.image_id, "class_id": class_id, "stage": visited.stage}
    discussed = exists(select(ReviewRow.revision).filter_by(**of_pair, discussed=True))
    settled = exists(select(AdjudicationRow.revision).filter_by(**of_pair))
    if session.scalar(select(discussed | settled)):
        raise RefusedError("This label has been discussed, so its blind verdicts are frozen.")


def record_review_exposure(
    session: Session, *, participant_id: int, image_id: int, session_id: str, at: str
) -> None:
    """Record that the person saw the image with a label; once per session, at the last time."""
    seen = {
        "participant_id": participant_id,
        "image_id": image_id,
        "occasion": ExposureOccasion.REVIEW,
        "session_id": session_id,
    }
    found = session.scalar(select(ExposureRow.id).filter_by(**seen).limit(1))
    if found is None:
        session.execute(insert(ExposureRow), [{**seen, "at": at}])
    else:
        session.execute(
            update(ExposureRow).where(ExposureRow.id == found, ExposureRow.at < at).values(at=at)
        )
