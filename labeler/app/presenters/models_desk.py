"""What the Models screen wants of a study."""

from typing import Protocol

from labeler.app.presenters.scoring_queue import Scoring
from labeler.app.scoring.desk import ModelsFacts
from labeler.core.catalogue import CatalogueEntry


class Desk(Protocol):
    """The study behind the screen; every call may block."""

    def look(self) -> ModelsFacts: ...

    def catalogue(self) -> list[CatalogueEntry]: ...

    @property
    def score(self) -> Scoring: ...
