"""Who is told of attention while somebody reviews."""

from typing import Protocol

from labeler.core.study.entities import AttentionPlace


class AttentionListener(Protocol):
    """Measures the time of verdicts from what happens on a screen."""

    def attend(self, place: AttentionPlace) -> None: ...
    def turn_away(self) -> None: ...
    def input(self) -> None: ...
    def tick(self) -> None: ...
