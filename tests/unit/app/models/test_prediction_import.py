"""Predictions made elsewhere come in where their count matches and their order is declared."""

import os
from pathlib import Path

import numpy as np
import pytest

from labeler.app.models.prediction_import import PredictionFile, import_prediction_file
from labeler.core.errors import InputError, RefusedError
from labeler.core.models.prediction_order import ImageOrder
from labeler.store.study_store import StudyStore
from tests.scored_study import CLASSES

RIGHT = np.arange(CLASSES)


def imported(
    store: StudyStore, folder: Path, rows: np.ndarray, **changes: object
) -> "tuple[np.ndarray, np.ndarray | None]":
    np.save(folder / "rows.npy", rows)
    options = {"order": ImageOrder.NAMES, "model": "m", "dataset": "original", **changes}
    import_prediction_file(store, PredictionFile(file=folder / "rows.npy", **options))  # type: ignore[arg-type]
    with store.read() as study:
        found = study.model_predictions.find("m", "original")
    assert found is not None
    scores = found.predictions.scores
    return found.predictions.labels, None if scores is None else np.asarray(scores)


def holding(value: float) -> np.ndarray:
    """Logits that are right, but for one place."""
    logits = np.zeros((CLASSES, 1000), np.float32)
    logits[RIGHT, RIGHT] = 5
    logits[7, 3] = value
    return logits


def test_class_indices_in_the_order_of_the_names(store: StudyStore, tmp_path: Path) -> None:
    labels, scores = imported(store, tmp_path, RIGHT)
    assert np.array_equal(labels[:, 0], RIGHT)
    assert scores is None


def test_class_indices_with_further_ranks(store: StudyStore, tmp_path: Path) -> None:
    labels, _ = imported(store, tmp_path, np.stack([RIGHT, RIGHT + 1, RIGHT + 2], 1), ranks=2)
    assert np.array_equal(labels, np.stack([RIGHT, RIGHT + 1], 1))


def test_logits_become_ranked_probabilities(store: StudyStore, tmp_path: Path) -> None:
    logits = np.zeros((CLASSES, 1000), np.float32)
    logits[RIGHT, RIGHT] = 5
    logits[RIGHT, 900] = 3
    labels, scores = imported(store, tmp_path, logits)
    assert np.array_equal(labels[:, :2], np.stack([RIGHT, np.full(CLASSES, 900)], 1))
    expected = np.exp(5) / (np.exp(5) + np.exp(3) + 998)
    assert scores is not None
    assert np.allclose(scores[:, 0], expected)


def test_probabilities_stay_as_they_are_and_blank_rows_have_no_label(
    store: StudyStore, tmp_path: Path
) -> None:
    given = np.full((CLASSES, 1000), 0.2 / 999)
    given[RIGHT, RIGHT] = 0.8
    given[4] = np.nan
    labels, scores = imported(store, tmp_path, given)
    assert labels[4, 0] == 0xFFFF
    assert scores is not None
    assert np.isnan(scores[4]).all()
    assert np.allclose(np.delete(scores[:, 0], 4), 0.8)


def test_a_list_of_names_can_be_the_order(store: StudyStore, tmp_path: Path) -> None:
    with store.read() as study:
        names = [image.name for image in study.model_predictions.images("original")]
    (tmp_path / "order.txt").write_text("\n".join(reversed(names)), encoding="utf-8")
    labels, _ = imported(store, tmp_path, RIGHT[::-1].copy(), order=tmp_path / "order.txt")
    assert np.array_equal(labels[:, 0], RIGHT)


def test_other_class_orders_are_mapped_by_wnid(store: StudyStore, tmp_path: Path) -> None:
    labels, _ = imported(store, tmp_path, RIGHT + 1, classes="background-first")
    assert np.array_equal(labels[:, 0], RIGHT)
    (tmp_path / "classes.txt").write_text(
        "\n".join(reversed(store.taxonomy.class_wnids)), encoding="utf-8"
    )
    labels, _ = imported(
        store, tmp_path, 999 - RIGHT, classes=str(tmp_path / "classes.txt"), replace=True
    )
    assert np.array_equal(labels[:, 0], RIGHT)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (RIGHT[1:], "39 entries, but the dataset has 40 images"),
        (np.full(CLASSES, 1000), "row 0 has the class index 1000"),
        (np.full(CLASSES, -1), "row 0 has the class index -1"),
        (
            np.zeros((CLASSES, 1001), np.float32),
            "1,001 columns, but the class list has 1,000",
        ),
        (np.zeros(CLASSES, np.float32), "class indices must be whole numbers"),
        (np.zeros((CLASSES, 2, 2)), "at most two dimensions"),
        (np.array(["a"] * CLASSES), "class indices must be whole numbers"),
        (holding(np.nan), "row 7 has nan in column 3, which isn't a score"),
        (holding(np.inf), "row 7 has inf in column 3"),
        (holding(-np.inf), "row 7 has -inf in column 3"),
        (np.full((CLASSES, 1000), np.nan), "it contains no prediction: every row is NaN"),
        (np.random.default_rng(1).permutation(1000)[:CLASSES], "no better than chance"),
    ],
)
def test_what_doesnt_fit_is_refused_and_nothing_is_stored(
    store: StudyStore, tmp_path: Path, rows: np.ndarray, sentence: str
) -> None:
    with pytest.raises(RefusedError, match=sentence):
        imported(store, tmp_path, rows)
    with store.read() as study:
        assert study.model_predictions.all() == []
        assert study.participants.find("m") is None


def test_a_pickle_in_disguise_is_refused(store: StudyStore, tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.array([{}], object), allow_pickle=True)
    given = PredictionFile(
        file=tmp_path / "rows.npy", model="m", dataset="new", order=ImageOrder.STUDY
    )
    with pytest.raises(InputError, match=r"isn't a \.npy file of numbers"):
        import_prediction_file(store, given)


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4",  # ends within brackets
        '{"descr": """<f4',  # ends within a string
        "{'descr': <f4}",
        "(" * 5000,
        "{'descr': '<f4', 'fortran_order': False, 'shape': ('a',)}",
    ],
)
def test_a_damaged_header_is_refused_with_a_sentence(
    store: StudyStore, tmp_path: Path, header: str
) -> None:
    text = header.encode() + b"\n"
    start = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little")
    (tmp_path / "rows.npy").write_bytes(start + text + bytes(48))
    given = PredictionFile(
        file=tmp_path / "rows.npy", model="m", dataset="new", order=ImageOrder.STUDY
    )
    with pytest.raises(InputError, match=r"isn't a \.npy file of numbers"):
        import_prediction_file(store, given)


def test_labels_that_are_all_of_the_background_are_no_predictions(
    store: StudyStore, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="isn't a class of the study"):
        imported(store, tmp_path, np.zeros(CLASSES, int), classes="background-first")


@pytest.mark.parametrize("cut", [None, -30])
def test_an_archive_of_arrays_is_refused_with_what_to_save_instead(
    store: StudyStore, tmp_path: Path, cut: int | None
) -> None:
    file = tmp_path / "rows.npz"
    np.savez(file, logits=RIGHT)
    file.write_bytes(file.read_bytes()[:cut])
    given = PredictionFile(file=file, model="m", dataset="original", order=ImageOrder.STUDY)
    with pytest.raises(InputError, match=r"an archive of arrays.*\.npy file"):
        import_prediction_file(store, given)


def test_no_one_waits_for_predictions_from_a_pipe(store: StudyStore, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows.npy")
    given = PredictionFile(
        file=tmp_path / "rows.npy", model="m", dataset="original", order=ImageOrder.STUDY
    )
    with pytest.raises(RefusedError, match="is a pipe or a device"):
        import_prediction_file(store, given)


def test_predictions_that_are_there_are_replaced_only_when_asked(
    store: StudyStore, tmp_path: Path
) -> None:
    imported(store, tmp_path, RIGHT)
    with pytest.raises(RefusedError, match="already has predictions of m on original") as refused:
        imported(store, tmp_path, RIGHT)
    assert "--replace" in refused.value.typed
    imported(store, tmp_path, RIGHT, replace=True)
