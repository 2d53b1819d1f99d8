"""The lead's desk tells what the study has of each model."""

import pytest

from labeler.app.models.model_scoring import ModelScoring
from labeler.app.models.overview import DatasetRecord
from labeler.app.models.scoring_request import ScoringOptions
from labeler.app.models.scoring_run import score_model
from labeler.core.models.scoring import ModelSpec
from labeler.core.study.phases import Phase
from labeler.scoring.worker_pool import ScoringCancelled
from labeler.store.study_store import StudyStore
from tests.unit.app.models.conftest import Recording

SPEC = ModelSpec(model="scores", name="mine", batch_size=4)


def test_a_scored_model_is_reported_with_how_it_was_made(
    store: StudyStore, watcher: Recording
) -> None:
    assert ModelScoring(store, "L").snapshot().overview.models == ()
    score_model(store, SPEC, watcher=watcher)
    facts = ModelScoring(store, "L").snapshot()
    (model,) = facts.overview.models
    assert (model.name, model.spec, model.weights, model.device) == (
        "mine",
        SPEC,
        "a stand-in",
        "cpu",
    )
    assert model.datasets == (
        DatasetRecord(dataset="original", done=40, images=40, answered=40, right=40),
        DatasetRecord(dataset="new", done=40, images=40, answered=40, right=40),
    )
    assert facts.overview.datasets == {"original": 40, "new": 40}


def test_a_half_scored_model_is_reported_with_how_far_it_is(
    store: StudyStore, watcher: Recording
) -> None:
    stop = {"now": False}
    watcher.on_scored = lambda: stop.update(now=True)
    with pytest.raises(ScoringCancelled):
        score_model(store, SPEC, watcher=watcher, cancelled=lambda: stop["now"])
    (model,) = ModelScoring(store, "L").snapshot().overview.models
    assert (model.spec, model.done, model.images) == (SPEC, watcher.images, 80)
    assert 0 < model.done < 40
    assert model.datasets[0].right == model.done
    assert (model.datasets[0].interrupted, model.datasets[1].interrupted) == (True, False)


def test_a_replacement_that_was_interrupted_is_reported_as_far_as_it_is(
    store: StudyStore, watcher: Recording
) -> None:
    score_model(store, SPEC, watcher=watcher)
    other = ModelSpec(model="waits", name="mine", batch_size=4)
    begun, stop = Recording(), {"now": False}
    begun.on_scored = lambda: stop.update(now=True)
    with pytest.raises(ScoringCancelled):
        score_model(
            store,
            other,
            watcher=begun,
            options=ScoringOptions(replace=True, device="cpu"),
            cancelled=lambda: stop["now"],
        )
    (model,) = ModelScoring(store, "L").snapshot().overview.models
    assert (model.spec, model.datasets[0].done) == (other, begun.images)
    assert (model.datasets[1].done, model.datasets[1].interrupted) == (40, False)


def test_a_lead_who_labels_sees_no_accuracy_before_the_lock(store: StudyStore) -> None:
    assert ModelScoring(store, "L").snapshot().may_see_accuracy
    assert not ModelScoring(store, "B").snapshot().may_see_accuracy
    with store.write() as study:
        study.phases.open(Phase.EVALUATE)
        study.phases.lock(Phase.EVALUATE)
    assert ModelScoring(store, "B").snapshot().may_see_accuracy
