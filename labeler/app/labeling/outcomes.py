"""What becomes of a submitted answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnswerStored:
    """The answer is in the study, on disk."""

    answer_id: str
    revision: int


@dataclass(frozen=True, slots=True)
class AnswerJournaled:
    """The study can't take the answer now; it is on disk in the journal, to be tried again."""

    answer_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class AnswerUnsaved:
    """Neither the study nor the journal can take the answer: it is on the screen alone."""

    answer_id: str
    sentence: str


AnswerOutcome = AnswerStored | AnswerJournaled | AnswerUnsaved
