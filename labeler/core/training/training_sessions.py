"""The sessions in which a labeler trained, and what was right in each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labeler.core.training.answer_record import Numbers, TrainingRecord
from labeler.core.training.progress import TrainingScore, group_scores
from labeler.core.training.training_answer import TrainingAnswer, TrainingSession


@dataclass(frozen=True, slots=True)
class SessionScore:
    """A session by its number, with its answers and the share right of the last at its end."""

    number: int
    session: TrainingSession
    score: TrainingScore
    moving: float


def session_numbers(
    answers: Sequence[TrainingAnswer], sessions: Sequence[TrainingSession]
) -> tuple[int, ...]:
    """By answer, the number of the session in which it was given: the last one begun by then.

    `sessions` are ordered by their beginnings. An answer from before the first counts with it.
    """
    starts = np.array([session.started.timestamp() for session in sessions])
    moments = np.array([answer.at.timestamp() for answer in answers])
    places: Numbers = np.searchsorted(starts, moments, side="right") - 1
    return tuple(np.maximum(places, 0).tolist())


def scores_by_session(
    record: TrainingRecord, sessions: Sequence[TrainingSession]
) -> tuple[SessionScore, ...]:
    """The sessions with answers, oldest first."""
    if not sessions:
        return ()
    return tuple(
        SessionScore(number, sessions[number], score, moving)
        for number, score, moving in group_scores(record, record.sessions)
    )
