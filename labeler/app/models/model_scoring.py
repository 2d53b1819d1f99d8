"""What the Models screen asks of a study, in calls that may block."""

import json
import subprocess
import sys
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
from labeler.core.models.scoring import CatalogueEntry, ModelSpec, WeightsLocation
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.scoring.extras import are_extras_installed
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class ModelsSnapshot:
    """What the Models screen has to know before it shows anything."""

    overview: ModelsOverview
    can_score: bool
    may_see_accuracy: bool


class ModelScoring:
    """A lead's desk for models; `code` is the lead's own."""

    def __init__(self, store: StudyStore, code: str) -> None:
        self._store = store
        self._code = code

    def snapshot(self) -> ModelsSnapshot:
        """What the screen begins with."""
        return ModelsSnapshot(
            overview=models_overview(self._store),
            can_score=are_extras_installed(),
            may_see_accuracy=self._may_see_accuracy(),
        )

    def catalogue(self) -> list[CatalogueEntry]:
        """timm's models, from a process of their own: importing timm would hold up the window."""
        if not are_extras_installed():
            return []
        listed = subprocess.run(
            [sys.executable, "-m", "labeler.scoring.catalogue"],
            capture_output=True,
            check=False,
        )
        if listed.returncode:
            return []  # names can be typed without a list
        return [
            CatalogueEntry(**{**entry, "weights": WeightsLocation(entry["weights"])})
            for entry in json.loads(listed.stdout)
        ]

    def score(
        self,
        spec: ModelSpec,
        how: ScoringChoices,
        *,
        watcher: ScoringWatcher,
        cancelled: CancelCheck,
    ) -> list[DatasetScoringResult]:
        """Score a model on the chosen datasets, or go on with it."""
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
        """One who labels too would learn how hard the images are, and sees it after the lock."""
        with self._store.read() as study:
            person = study.participants.find(self._code)
            locked = study.phases.states()[Phase.EVALUATE] is PhaseState.LOCKED
        return locked or person is None or Role.LABELER not in person.roles
