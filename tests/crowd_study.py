"""Names, a model and answers for a small study with crowd tasks."""

from collections.abc import Mapping, Sequence

import numpy as np
from sqlalchemy import select

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.core.crowd.entities import ContainsState, ImageLabel, SelectionFrequency
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.grids import GridRules
from labeler.core.study.entities import ImageKey, Participant, ParticipantKind, Role
from labeler.store.models.predictions import PackedPredictions
from labeler.store.schema import ClassifyAnswerRow, ContainsAnswerRow, ParticipantRow
from labeler.store.study.sessions import person_id
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


def annotate(
    store: StudyStore,
    frequencies: Mapping[ImageLabel, SelectionFrequency],
    classify: Mapping[ImageKey, Sequence[str]],
) -> None:
    """Store frequencies and classify-answers of P1, P2, … and aggregate them.

    An answer is a list of labels such as "a|b", the main one first.
    """
    most = max((len(answers) for answers in classify.values()), default=0)
    with store.write() as study:
        for number in range(1, most + 1):
            if study.participants.find(f"P{number}") is None:
                study.participants.add(
                    Participant(
                        f"P{number}", ParticipantKind.HUMAN, roles=frozenset({Role.ANNOTATOR})
                    )
                )
        study.crowd.replace_frequencies(frequencies)
        for image, answers in classify.items():
            for number, labels in enumerate(answers, 1):
                main = labels.split("|")[0]
                study.session.add(
                    ClassifyAnswerRow(
                        participant_id=person_id(study.session, f"P{number}"),
                        image_id=study.crowd._image_ids[image],
                        revision=1,
                        labels="|".join(sorted(labels.split("|"))),
                        main=main,
                        submitted_at=f"2026-01-01T00:00:0{number}Z",
                    )
                )
    aggregate_crowd(store, quality=QualityRule.CONTROLS)
