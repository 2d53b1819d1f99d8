"""Reviewers' own evaluation answers and times, for the lead's statistics only."""

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.study.entities import SessionTask, Stage, Verdict
from labeler.store.schema import (
    ParticipantRow,
    PredictionRow,
    RepeatedReviewRow,
    ReviewRepeatRow,
    ReviewRow,
)
from labeler.store.study.sessions import person_id


class ReviewerAnswers:
    def __init__(self, session: Session) -> None:
        self._session = session

    def by_person(self) -> dict[tuple[int, int], frozenset[str]]:
        """Return who gave each label to each image in the evaluation, by image and class id."""
        query = (
            select(
                ParticipantRow.code,
                PredictionRow.image_id,
                PredictionRow.class_id,
                PredictionRow.alternative_id,
            )
            .join(ParticipantRow, ParticipantRow.id == PredictionRow.participant_id)
            .where(PredictionRow.task == SessionTask.EVALUATE)
            .order_by(PredictionRow.revision)
        )
        last: dict[tuple[str, int], tuple[int, int | None]] = {}
        for code, image_id, label, alternative in self._session.execute(query):
            last[code, image_id] = (label, alternative)
        people: dict[tuple[int, int], set[str]] = defaultdict(set)
        for (code, image_id), labels in last.items():
            for given in labels:
                if given is not None:
                    people[image_id, given].add(code)
        return {pair: frozenset(codes) for pair, codes in people.items()}

    def times_ms(self, code: str, stage: Stage) -> list[int]:
        """Return the active time of each of the reviewer's verdicts."""
        query = select(ReviewRow.active_ms).where(
            ReviewRow.participant_id == person_id(self._session, code),
            ReviewRow.stage == stage,
            ReviewRow.active_ms.is_not(None),
        )
        return [time or 0 for time in self._session.scalars(query)]

    def repeated(self, code: str, stage: Stage) -> tuple[int, int]:
        """Return how many repeated pairs got the same verdict, and how many there are."""
        person = person_id(self._session, code)
        second = self._second(person, stage)
        first = self._first(person, stage)
        both = [(first[pair], second[pair]) for pair in second if pair in first]
        return sum(one is other for one, other in both), len(both)

    def _second(self, person: int, stage: Stage) -> dict[tuple[int, int], Verdict]:
        query = (
            select(
                ReviewRepeatRow.image_id,
                ReviewRepeatRow.class_id,
                RepeatedReviewRow.verdict,
                RepeatedReviewRow.withdrawn,
            )
            .join(RepeatedReviewRow, RepeatedReviewRow.repeat_id == ReviewRepeatRow.id)
            .where(ReviewRepeatRow.participant_id == person, ReviewRepeatRow.stage == stage)
            .order_by(RepeatedReviewRow.revision)
        )
        last = {(row[0], row[1]): (row[2], row[3]) for row in self._session.execute(query)}
        return {pair: verdict for pair, (verdict, withdrawn) in last.items() if not withdrawn}

    def _first(self, person: int, stage: Stage) -> dict[tuple[int, int], Verdict]:
        query = (
            select(ReviewRow.image_id, ReviewRow.class_id, ReviewRow.verdict, ReviewRow.withdrawn)
            .where(
                ReviewRow.participant_id == person, ReviewRow.stage == stage, ~ReviewRow.discussed
            )
            .order_by(ReviewRow.revision)
        )
        last = {(row[0], row[1]): (row[2], row[3]) for row in self._session.execute(query)}
        return {pair: verdict for pair, (verdict, withdrawn) in last.items() if not withdrawn}
