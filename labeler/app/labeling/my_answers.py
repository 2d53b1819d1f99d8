"""My answers: all of a labeler's answers before the lock, to look through and change."""

from collections.abc import Callable
from dataclasses import dataclass

from labeler.core.labeling.own_answers import (
    AnswerFilter,
    AnswerOrder,
    OwnAnswer,
    arranged,
    count_shown,
)
from labeler.core.text import count_noun

_SECONDS_PER_MINUTE = 60
NO_ANSWERS = "No answers here."
_WORDS: tuple[tuple[Callable[[OwnAnswer], bool], str], ...] = (
    (lambda answer: answer.marked, "marked"),
    (lambda answer: answer.flagged, "flagged"),
    (lambda answer: answer.has_note, "note"),
    (lambda answer: answer.escape_hatch, "escape hatch"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTile:
    """An answer as the grid shows it."""

    trial_id: str
    position: int
    wnid: str
    name: str
    confidence: int | None
    time: str
    words: str

    @property
    def spoken(self) -> str:
        """The tile for a screen reader."""
        sure = f"confidence {self.confidence}" if self.confidence else ""
        parts = (f"Image {self.position:,}", self.name, sure, self.time, self.words)
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class MyAnswersView:
    """The shown answers; `filters` counts the answers of each filter."""

    tiles: tuple[AnswerTile, ...]
    heading: str
    filters: tuple[tuple[AnswerFilter, int], ...]
    shown: AnswerFilter
    order: AnswerOrder


class MyAnswers:
    """Holds the answers, and what of them is shown in which order."""

    def __init__(self, answers: tuple[OwnAnswer, ...], *, name_class: Callable[[str], str]) -> None:
        self._answers, self._name = answers, name_class
        self._shown, self._order = AnswerFilter.ALL, AnswerOrder.AS_ANSWERED

    @property
    def view(self) -> MyAnswersView:
        found = arranged(self._answers, shown=self._shown, order=self._order)
        return MyAnswersView(
            tiles=tuple(map(self._tile, found)),
            heading=f"{self._shown.value}: {count_noun(len(found), 'image')}",
            filters=tuple((each, count_shown(self._answers, each)) for each in AnswerFilter),
            shown=self._shown,
            order=self._order,
        )

    def replace(self, answers: tuple[OwnAnswer, ...]) -> MyAnswersView:
        """Show these answers, read after one was changed."""
        self._answers = answers
        return self.view

    def show(self, shown: AnswerFilter) -> MyAnswersView:
        self._shown = shown
        return self.view

    def sort(self, order: AnswerOrder) -> MyAnswersView:
        self._order = order
        return self.view

    def _tile(self, answer: OwnAnswer) -> AnswerTile:
        return AnswerTile(
            trial_id=answer.trial_id,
            position=answer.position,
            wnid=answer.label,
            name=self._name(answer.label),
            confidence=answer.confidence,
            time="" if answer.active_ms is None else _clock_time(answer.active_ms),
            words=", ".join(word for applies, word in _WORDS if applies(answer)),
        )


def _clock_time(milliseconds: int) -> str:
    minutes, seconds = divmod(round(milliseconds / 1000), _SECONDS_PER_MINUTE)
    return f"{minutes}:{seconds:02}"
