"""What the Models screen wants of a study."""

from typing import Protocol

from labeler.app.models.model_scoring import ModelsSnapshot
from labeler.app.models.scoring_queue import ScoreModel
from labeler.core.models.catalogue import CatalogueEntry


class ModelScoringProtocol(Protocol):
    """The study behind the screen; every call may block."""

    def look(self) -> ModelsSnapshot: ...

    def catalogue(self) -> list[CatalogueEntry]: ...

    @property
    def score(self) -> ScoreModel: ...
