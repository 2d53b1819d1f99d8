"""A model is scored over a study: all of it once, whatever happens on the way."""

import signal
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from labeler.app.models.part_file import PartFile, parts_in
from labeler.app.models.scoring_request import DatasetScoringResult, ScoringOptions
from labeler.app.models.scoring_run import score_model
from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.core.study.entities import Participant, ParticipantKind
from labeler.scoring.worker_pool import ScoringCancelled
from labeler.store.models.predictions import PackedPredictions
from labeler.store.study_store import StudyStore
from tests.scored_study import CLASSES, LOAD_SCORER
from tests.stand_in_worker import LIBRARY_OUTPUT, load_stand_in
from tests.unit.app.models.conftest import Recording

SPEC = ModelSpec(model="scores", name="scores", batch_size=2)


def scored(
    store: StudyStore, watcher: Recording, spec: ModelSpec = SPEC, **changes: object
) -> list[DatasetScoringResult]:
    options = ScoringOptions(**{"ranks": 2, "workers": 1, **changes})
    return score_model(store, spec, watcher=watcher, options=options)


def labels(store: StudyStore, model: str = "scores", dataset: str = "original") -> np.ndarray:
    with store.read() as study:
        found = study.model_predictions.find(model, dataset)
    assert found is not None
    return found.predictions.labels


def test_every_evaluation_dataset_gets_a_row_of_the_models_labels(
    store: StudyStore, watcher: Recording
) -> None:
    one, two = scored(store, watcher)
    assert (one.dataset, one.images, one.answered, one.scored_now) == ("original", 40, 40, 40)
    assert (two.dataset, two.right, two.top1) == ("new", 40, 1.0)
    assert np.array_equal(labels(store)[:, 0], np.arange(CLASSES))
    assert watcher.begun == [("original", 0, 40), ("new", 0, 40)]
    assert (watcher.images, watcher.right) == (80, 80)
    assert watcher.words[0] == LIBRARY_OUTPUT


def test_the_model_becomes_a_participant_and_its_provenance_is_kept(
    store: StudyStore, watcher: Recording
) -> None:
    scored(store, watcher)
    with store.read() as study:
        assert study.participants.find("scores") == Participant(
            "scores", ParticipantKind.MODEL, "scores"
        )
        row = study.model_predictions.find("scores", "original")
        actions = [entry.action for entry in study.audit.entries()]
    assert row is not None
    assert row.provenance["identity"]["weights_hash"] == "0"
    assert row.provenance["identity"]["transform"] == {"input_size": [3, 224, 224]}
    assert row.provenance["runs"][0]["versions"] == {"torch": "0"}
    assert row.predictions.scores is not None
    assert row.predictions.scores.dtype == np.float32
    assert actions.count("model scored") == 2


def test_a_second_time_there_is_nothing_to_do(store: StudyStore, watcher: Recording) -> None:
    scored(store, watcher)
    again = Recording()
    outcomes = scored(store, again)
    assert [(o.answered, o.scored_now) for o in outcomes] == [(40, 0), (40, 0)]
    assert not again.facts, "no model was loaded"


def test_a_cancelled_scoring_continues_where_it_stopped(
    store: StudyStore, watcher: Recording
) -> None:
    stop = {"now": False}
    watcher.on_scored = lambda: stop.update(now=True)
    with pytest.raises(ScoringCancelled):
        score_model(
            store,
            SPEC,
            watcher=watcher,
            options=ScoringOptions(ranks=2, workers=1),
            cancelled=lambda: stop["now"],
        )
    assert 0 < watcher.images < 40
    again = Recording()
    scored(store, again)
    assert again.begun[0] == ("original", watcher.images, 40)
    assert watcher.images + again.images == 80
    assert np.array_equal(labels(store)[:, 0], np.arange(CLASSES))
    assert not parts_in(store.folder)


def interrupt(store: StudyStore, spec: ModelSpec) -> None:
    """Score the first chunk only."""
    watcher = Recording()
    options = ScoringOptions(ranks=2, workers=1)
    with pytest.raises(ScoringCancelled):
        score_model(
            store, spec, watcher=watcher, options=options, cancelled=lambda: watcher.images > 0
        )


def use_found_batch_size(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(LOAD_SCORER, partial(load_stand_in, found_batch_size=size))


def batch_sizes(store: StudyStore, dataset: str = "original") -> list[int]:
    """The batch size of each run that a dataset was scored in."""
    with store.read() as study:
        found = study.model_predictions.find("scores", dataset)
    assert found is not None
    return [run["batch_size"] for run in found.provenance["runs"]]


def test_a_resumed_scoring_keeps_its_batch_size(
    store: StudyStore, watcher: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = ModelSpec(model="scores", name="scores")
    for size in (8, 16):
        use_found_batch_size(monkeypatch, size)
        interrupt(store, spec)
    use_found_batch_size(monkeypatch, 32)
    scored(store, watcher, spec)
    assert batch_sizes(store) == [8, 8, 8]
    assert batch_sizes(store, "new") == [8]
    assert watcher.facts[0].batch_size == 8, "the worker doesn't look for another size"


def test_an_image_repaired_later_is_scored_with_the_same_batch_size(
    store: StudyStore, watcher: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = ModelSpec(model="scores", name="scores")
    set_path(store, 7, path="broken")
    use_found_batch_size(monkeypatch, 8)
    scored(store, watcher, spec)
    restore_file(store, 7)
    use_found_batch_size(monkeypatch, 16)
    scored(store, watcher, spec)
    assert batch_sizes(store) == [8, 8]


def test_a_given_batch_size_replaces_the_earlier_one(
    store: StudyStore, watcher: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_found_batch_size(monkeypatch, 8)
    interrupt(store, ModelSpec(model="scores", name="scores"))
    scored(store, watcher, ModelSpec(model="scores", name="scores", batch_size=4))
    assert batch_sizes(store) == [8, 4]


KILLED = """
import os, signal, sys
from pathlib import Path
from labeler.app.models.scoring_request import ScoringOptions
from labeler.app.models.scoring_run import score_model
from labeler.core.clock import SystemClock
from labeler.scoring import worker_pool
from labeler.store.study_opening import open_study
from tests.unit.app.models.conftest import Recording
from tests.unit.app.models.test_scoring_run import SPEC
from tests.stand_in_worker import load_stand_in

worker_pool.load_scorer = load_stand_in
watcher = Recording()
watcher.on_scored = lambda: os.kill(os.getpid(), signal.SIGKILL)
with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
    score_model(store, SPEC, watcher=watcher, options=ScoringOptions(ranks=2, workers=1))
"""


def test_a_kill_loses_nothing_and_nothing_is_scored_twice(
    store: StudyStore, watcher: Recording
) -> None:
    for _round in range(2):
        killed = subprocess.run([sys.executable, "-c", KILLED, store.folder.path], check=False)
        assert killed.returncode == -signal.SIGKILL
    (part,) = parts_in(store.folder)
    kept = [ordinal for chunk in part.chunks for ordinal in chunk.ordinals]
    assert len(kept) == len(set(kept)) == 16
    scored(store, watcher)
    assert watcher.begun[0] == ("original", 16, 40)
    assert np.array_equal(labels(store)[:, 0], np.arange(CLASSES))
    with store.read() as study:
        found = study.model_predictions.find("scores", "original")
    assert found is not None
    assert len(found.provenance["runs"]) == 3


def test_a_line_torn_by_a_crash_is_scored_again(store: StudyStore, watcher: Recording) -> None:
    stop = {"now": False}
    watcher.on_scored = lambda: stop.update(now=True)
    options = ScoringOptions(ranks=2, workers=1)
    with pytest.raises(ScoringCancelled):
        score_model(store, SPEC, watcher=watcher, options=options, cancelled=lambda: stop["now"])
    file = PartFile(store.folder, model="scores", dataset="original").file
    file.write_bytes(file.read_bytes()[:-30])
    again = Recording()
    scored(store, again)
    assert again.begun[0] == ("original", watcher.images - 8, 40)
    assert np.array_equal(labels(store)[:, 0], np.arange(CLASSES))


def test_two_programs_cant_score_the_same(store: StudyStore, watcher: Recording) -> None:
    with (
        PartFile(store.folder, model="scores", dataset="original"),
        pytest.raises(RefusedError, match="by another program"),
    ):
        scored(store, watcher)


def test_images_without_a_file_or_unreadable_are_listed(
    store: StudyStore, watcher: Recording
) -> None:
    set_path(store, 3, path="")
    set_path(store, 7, path="broken")
    outcome, _new = scored(store, watcher)
    assert (outcome.images, outcome.answered) == (40, 38)
    assert [(left.image[:9], left.reason) for left in outcome.not_scored] == [
        ("n01491361", "missing"),
        ("n01514668", "truncated"),
    ]
    assert labels(store)[[3, 7], 0].tolist() == [0xFFFF, 0xFFFF]
    restore_file(store, 7)
    again = Recording()
    (repaired, _new) = scored(store, again)
    assert (repaired.answered, repaired.scored_now, again.images) == (39, 1, 1)


def set_path(store: StudyStore, ordinal: int, *, path: str | None) -> None:
    from sqlalchemy import update

    from labeler.store.schema import ImageRow

    with store.write() as study:
        study.session.execute(
            update(ImageRow)
            .where(ImageRow.dataset_id == 1, ImageRow.ordinal == ordinal)
            .values(path=path)
        )


def restore_file(store: StudyStore, ordinal: int) -> None:
    set_path(store, ordinal, path=None)


def test_predictions_made_otherwise_are_never_mixed(store: StudyStore, watcher: Recording) -> None:
    scored(store, watcher)
    other = ModelSpec(model="hangs", name="scores", batch_size=2)
    with pytest.raises(RefusedError, match="made with a different architecture") as refused:
        scored(store, Recording(), other)
    assert "--replace" in refused.value.typed
    again = Recording()
    scored(store, again, replace=True)
    assert again.images == 80


def test_a_replacement_that_was_interrupted_continues(
    store: StudyStore, watcher: Recording
) -> None:
    scored(store, watcher)
    stopped = Recording()
    stop = {"now": False}
    stopped.on_scored = lambda: stop.update(now=True)
    options = ScoringOptions(ranks=2, workers=1, replace=True)
    with pytest.raises(ScoringCancelled):
        score_model(store, SPEC, watcher=stopped, options=options, cancelled=lambda: stop["now"])
    assert len(labels(store)) == 40  # what is there stays until all of it is replaced
    again = Recording()
    scored(store, again, replace=True)
    assert again.begun[0] == ("original", stopped.images, 40)
    assert stopped.images + again.images == 80
    assert not parts_in(store.folder)


def test_a_replacement_continues_without_being_asked_again(
    store: StudyStore, watcher: Recording
) -> None:
    scored(store, watcher)
    stop = {"now": False}
    watcher.on_scored = lambda: stop.update(now=True)
    options = ScoringOptions(ranks=2, workers=1, replace=True)
    with pytest.raises(ScoringCancelled):
        score_model(store, SPEC, watcher=watcher, options=options, cancelled=lambda: stop["now"])
    again = Recording()
    one, two = scored(store, again)
    assert again.begun == [("original", watcher.images - 80, 40), ("new", 40, 40)]
    assert (one.scored_now, two.scored_now) == (120 - watcher.images, 0)


def test_predictions_made_elsewhere_are_never_mixed(store: StudyStore, watcher: Recording) -> None:
    given = PackedPredictions(np.zeros((40, 1), np.uint16), None)
    with store.write() as study:
        study.participants.add(Participant("scores", ParticipantKind.MODEL))
        study.model_predictions.put("scores", "original", given, {})
    with pytest.raises(RefusedError, match="imported predictions"):
        scored(store, watcher)


def test_a_person_and_a_model_cant_share_a_name(store: StudyStore, watcher: Recording) -> None:
    with store.write() as study:
        study.participants.add(Participant("A", ParticipantKind.HUMAN))
    with pytest.raises(RefusedError, match="is a person"):
        scored(store, watcher, ModelSpec(model="scores", name="A"))
    with pytest.raises(RefusedError, match="can't be a participant's code"):
        scored(store, watcher, ModelSpec(model="scores", name="hf-hub:timm/x"))


def test_labels_no_better_than_chance_are_refused(store: StudyStore, watcher: Recording) -> None:
    shuffle_targets(store)
    with pytest.raises(RefusedError, match=r"no better than chance .* another order"):
        scored(store, watcher)
    with store.read() as study:
        assert study.model_predictions.find("scores", "original") is None
    again = Recording()
    scored(store, again, accept_chance=True)
    assert again.begun[0] == ("original", 40, 40), "the scored images are still there"


def shuffle_targets(store: StudyStore) -> None:
    """Targets as if the model's classes were in another order."""
    from sqlalchemy import update

    from labeler.store.schema import ImageRow

    order = np.random.default_rng(5).permutation(1000)
    with store.write() as study:
        for ordinal in range(CLASSES):
            study.session.execute(
                update(ImageRow)
                .where(ImageRow.ordinal == ordinal)
                .values(target_id=int(order[ordinal]))
            )


def test_an_unknown_dataset_is_refused_with_those_there_are(
    store: StudyStore, watcher: Recording
) -> None:
    with pytest.raises(RefusedError, match=r"'val' isn't an evaluation dataset.*original, new"):
        score_model(store, SPEC, watcher=watcher, datasets=("val",))


def test_without_torch_there_is_a_sentence(
    store: StudyStore, watcher: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labeler.scoring.extras.find_spec", lambda _module: None)
    with pytest.raises(RefusedError, match="aren't installed") as refused:
        scored(store, watcher)
    assert "pip install 'labeler[models]'" in refused.value.typed
