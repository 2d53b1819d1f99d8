"""Gathering what a labeler's trainings are drawn from."""

from collections import Counter
from datetime import datetime

from labeler.app.training.selection import TrainingMaterial
from labeler.core.classes.taxonomy import Taxonomy
from labeler.store.study_store import Transaction


def read_training_material(
    study: Transaction,
    participant: str,
    *,
    taxonomy: Taxonomy,
    guide_pairs: frozenset[tuple[str, str]],
    now: datetime,
) -> TrainingMaterial:
    """What the pool offers, the answers so far and the families, as they are for one labeler."""
    return TrainingMaterial(
        taxonomy=taxonomy,
        offered=Counter(image.target for image in study.training.pool(participant)),
        answers=tuple(study.training_record.answers(participant)),
        families=tuple(study.families.of(participant)),
        guide_pairs=guide_pairs,
        now=now,
    )
