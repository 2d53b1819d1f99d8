"""What the Models screen wants of a study."""

from typing import Protocol

from labeler.app.models.model_scoring import ModelsFacts
from labeler.app.models.scoring_queue import Scoring
from labeler.core.models.catalogue import CatalogueEntry


class Desk(Protocol):
    """The study behind the screen; every call may block."""

    def look(self) -> ModelsFacts: ...

    def catalogue(self) -> list[CatalogueEntry]: ...

    @property
    def score(self) -> Scoring: ...
