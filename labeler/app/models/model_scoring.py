"""The blocking calls of the Models screen: load models, list timm's, score."""

from dataclasses import dataclass, replace

from labeler.app.models.overview import ModelsOverview, models_overview
from labeler.app.models.scoring_request import (
    DatasetScoringResult,
    ScoringChoices,
    ScoringOptions,
    ScoringWatcher,
)
from labeler.app.models.scoring_run import score_model
from labeler.app.progress import CancelCheck
from labeler.core.models.scoring import CatalogueEntry, ModelSpec
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.scoring.extras import are_extras_installed
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class ModelsSnapshot:
    """What the Models screen needs before it shows anything."""

    overview: ModelsOverview
    can_score: bool
    may_see_accuracy: bool


class ModelScoring:
    """Access to a study's models for the lead with this code."""

    def __init__(self, store: StudyStore, code: str) -> None:
        self._store = store
        self._code = code

    def snapshot(self) -> ModelsSnapshot:
        """Return the initial state of the screen."""
        return ModelsSnapshot(
            overview=models_overview(self._store),
            can_score=are_extras_installed(),
            may_see_accuracy=self._may_see_accuracy(),
        )

    def catalogue(self) -> list[CatalogueEntry]:
        """Return timm's models."""
        if not are_extras_installed():
            return []
        from labeler.scoring.catalogue import list_models

        try:
            return list_models()
        except OSError:
            return []  # names can be typed without a list

    def score(
        self,
        spec: ModelSpec,
        how: ScoringChoices,
        *,
        watcher: ScoringWatcher,
        cancelled: CancelCheck,
    ) -> list[DatasetScoringResult]:
        """Score a model on the chosen datasets, or resume it."""
        return score_model(
            self._store,
            replace(spec, batch_size=spec.batch_size or how.batch_size),
            watcher=watcher,
            datasets=how.datasets,
            options=ScoringOptions(
                ranks=how.ranks,
                device=how.device,
                precision=how.precision,
                logits=how.logits,
                replace=how.replace,
                accept_chance=how.accept_chance,
            ),
            cancelled=cancelled,
        )

    def _may_see_accuracy(self) -> bool:
        """Return False for a lead who also labels, until the evaluation is locked.

        Accuracies would reveal how hard the images are.
        """
        with self._store.read() as study:
            person = study.participants.find(self._code)
            locked = study.phases.states()[Phase.EVALUATE] is PhaseState.LOCKED
        return locked or person is None or Role.LABELER not in person.roles
