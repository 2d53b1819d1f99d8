"""Models of annotators agree with what the annotators know."""

import csv

import pytest

from labeler.app.crowd.annotator_session import AnnotatorSession
from labeler.app.crowd.label_models import (
    COLUMNS,
    NO_JUDGEMENTS,
    LabelModel,
    model_labels,
    write_probabilities,
)
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.errors import RefusedError
from tests.crowd_study import ANNOTATORS


def answer_grids(store, code: str, *, careless: bool) -> None:
    """Answer every grid: rightly, or with nothing selected."""
    session = AnnotatorSession(store, code)
    while (question := session.next_contains()) is not None:
        with store.read() as study:
            grids = study.crowd.grids()
            targets = study.crowd.targets(
                shown.image for grid in grids.values() for shown in grid.images.values()
            )
            row = study.crowd_assignments._own(code, question.task.id)
            grid = grids[row.grid_id]
        right = {p for p, shown in grid.images.items() if targets[shown.image] == grid.label}
        session.submit_contains(question.task.id, set() if careless else right, active_ms=1)


@pytest.mark.parametrize("model", LabelModel)
def test_a_careless_annotator_is_outvoted_and_has_the_least_skill(
    crowd_study, planned, model, tmp_path
):
    if model is not LabelModel.ONE_COIN:
        pytest.importorskip("crowdkit", reason="crowd-kit isn't installed")
    planned(qualification=0, answers=4)
    for code in ANNOTATORS:
        answer_grids(crowd_study, code, careless=code == "M")
    found = model_labels(crowd_study, model=model, quality=QualityRule.NONE, seed=1)
    assert min(found.skills, key=found.skills.__getitem__) == "M"
    with crowd_study.read() as study:
        targets = study.crowd.targets(pair.image for pair in found.probabilities)
    assert all(
        (probability > 0.5) == (targets[pair.image] == pair.label)
        for pair, probability in found.probabilities.items()
    )
    write_probabilities(found, tmp_path / "p.csv")
    with (tmp_path / "p.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == len(found.probabilities)


def test_without_answers_there_is_nothing_to_model(crowd_study, planned):
    planned(qualification=0)
    with pytest.raises(RefusedError, match=NO_JUDGEMENTS[:20]):
        model_labels(crowd_study, model=LabelModel.ONE_COIN, quality=QualityRule.CONTROLS, seed=1)
