"""Names, a model and answers for a small study with crowd tasks."""

import numpy as np
from sqlalchemy import select

from labeler.core.crowd.entities import ContainsState
from labeler.core.crowd.grids import GridRules
from labeler.core.study.entities import Participant, ParticipantKind
from labeler.store.models.predictions import PackedPredictions
from labeler.store.schema import ContainsAnswerRow, ParticipantRow
from labeler.store.study_store import StudyStore

GOLDFISH, SHARK, TENCH = "n01443537", "n01484850", "n01440764"
CLASSES = (GOLDFISH, SHARK, TENCH)
ANNOTATORS = ("K", "L", "M", "N")
RULES = GridRules(images=8, positive=2, negative=1)


def add_model(store: StudyStore, code: str, *ranks: str) -> None:
    """A model that gives the same ranked labels for every image."""
    indices = [store.taxonomy.class_wnids.index(wnid) for wnid in ranks]
    with store.write() as study:
        study.participants.add(Participant(code, ParticipantKind.MODEL))
        labels = np.array([indices] * 9, dtype=np.uint16)
        study.model_predictions.put(code, "val", PackedPredictions(labels, None), {})


def select_everything(store: StudyStore) -> None:
    """Let everyone whose code starts with P select every image of every grid."""
    with store.write() as study:
        people = study.session.scalars(
            select(ParticipantRow.id).where(ParticipantRow.code.startswith("P"))
        ).all()
        for grid in study.crowd.grids().values():
            for person in people:
                study.session.add(
                    ContainsAnswerRow(
                        participant_id=person,
                        grid_id=grid.id,
                        revision=1,
                        selected="|".join(map(str, sorted(grid.images))),
                        submitted_at="2026-01-01T00:00:00Z",
                        state=ContainsState.SUBMITTED,
                    )
                )
