"""ReaL accuracies of a study's models come from the numbers in their images' names."""

import json
from pathlib import Path

import pytest
from sqlalchemy import update

from labeler.app.models.real_accuracy import real_accuracies
from labeler.app.models.scoring_run import score_model
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.store.schema import ImageRow
from labeler.store.study_store import StudyStore
from tests.scored_study import CLASSES
from tests.unit.app.models.conftest import Recording


@pytest.fixture
def scored(store: StudyStore, watcher: Recording) -> StudyStore:
    """Two datasets scored with the right label each; one holds validation files, backwards."""
    score_model(store, ModelSpec(model="scores", name="m", batch_size=8), watcher=watcher)
    with store.write() as study:
        for ordinal in range(CLASSES):
            study.session.execute(
                update(ImageRow)
                .where(ImageRow.dataset_id == 1, ImageRow.ordinal == ordinal)
                .values(name=f"ILSVRC2012_val_{CLASSES - ordinal:08d}.JPEG")
            )
    return store


def test_images_are_matched_by_number(scored: StudyStore, tmp_path: Path) -> None:
    real: list[list[int]] = [[] for _ in range(50_000)]
    for ordinal in range(CLASSES):
        real[CLASSES - ordinal - 1] = [ordinal, 900] if ordinal % 2 else [900]
    real[0] = []  # that of the last image
    (tmp_path / "real.json").write_text(json.dumps(real), encoding="utf-8")
    (one,) = real_accuracies(scored, tmp_path / "real.json")
    assert (one.model, one.dataset) == ("m", "original")
    assert (one.real.right, one.real.images, one.real.excluded) == (19, 39, 1)


def test_a_study_without_validation_files_is_refused(
    store: StudyStore, watcher: Recording, tmp_path: Path
) -> None:
    score_model(store, ModelSpec(model="scores", name="m", batch_size=8), watcher=watcher)
    (tmp_path / "real.json").write_text(json.dumps([[]] * 50_000), encoding="utf-8")
    with pytest.raises(RefusedError, match="ILSVRC2012_val_00000001"):
        real_accuracies(store, tmp_path / "real.json")
    with pytest.raises(EnvironmentFault, match="can't be read"):
        real_accuracies(store, tmp_path / "none.json")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"\xff\xfe[", "not UTF-8"), (b"[" * 100_000, "nested too deeply"), (b"{}", "a list of")],
)
def test_a_file_of_another_kind_is_refused_with_its_name(
    store: StudyStore, tmp_path: Path, content: bytes, sentence: str
) -> None:
    file = tmp_path / "real.json"
    file.write_bytes(content)
    with pytest.raises(RefusedError, match=f"{file}: .*{sentence}"):
        real_accuracies(store, file)
