"""Models' predictions are held within a limit of memory, and nothing is lost by that."""

import numpy as np
import pytest

from labeler.store.exchange.prediction_arrays import (
    ConflictingPrediction,
    PredictionArraysCache,
    PredictionArraysKey,
    PredictionColumns,
    RepeatedPrediction,
    empty_prediction_arrays,
    exact_scores,
    prediction_arrays_from,
)
from labeler.store.models.predictions import NO_LABEL, PackedPredictions


def guess(ordinal: int, *, rank: int = 0, label: int = 5, score: float = 0.5) -> PredictionColumns:
    return PredictionColumns(
        np.array([ordinal]), np.array([rank]), np.array([label], np.uint16), np.array([score])
    )


def test_idle_sheets_go_to_disk_and_come_back(tmp_path):
    sheets = PredictionArraysCache(lambda _key: empty_prediction_arrays(100), tmp_path, limit=1500)
    for ordinal in range(3):
        for participant in range(1, 5):
            sheets.put(PredictionArraysKey(participant, 1), guess(ordinal, label=participant))
    assert any(tmp_path.iterdir())
    drained = dict(sheets.drain())
    assert list(drained) == [PredictionArraysKey(number, 1) for number in range(1, 5)]
    for key, sheet in drained.items():
        assert sheet.changed
        assert sheet.labels[:4, 0].tolist() == [key.participant_id] * 3 + [NO_LABEL]
    assert not any(tmp_path.iterdir())


def test_a_guess_made_before_the_sheet_went_to_disk_is_still_known(tmp_path):
    sheets = PredictionArraysCache(lambda _key: empty_prediction_arrays(100), tmp_path, limit=0)
    sheets.put(PredictionArraysKey(1, 1), guess(0))
    sheets.put(PredictionArraysKey(2, 1), guess(0))
    with pytest.raises(RepeatedPrediction):
        sheets.put(PredictionArraysKey(1, 1), guess(0))


def test_a_sheet_grows_with_the_ranks():
    sheet = empty_prediction_arrays(2)
    sheet.put(guess(0))
    sheet.put(guess(1, rank=3))
    assert sheet.labels.shape == (2, 4)
    assert sheet.without_first_rank() == 1


def test_stored_guesses_are_compared_and_counted():
    stored = PackedPredictions(np.array([[5]], np.uint16), np.array([[0.5]]))
    assert prediction_arrays_from(stored, 3).put(guess(0)).skipped == 1
    assert prediction_arrays_from(stored, 3).put(guess(2)).skipped == 0
    with pytest.raises(ConflictingPrediction) as caught:
        prediction_arrays_from(stored, 3).put(guess(0, score=0.25))
    assert (caught.value.column, caught.value.stored) == ("score", 0.5)


def test_a_four_byte_score_becomes_the_double_of_its_text():
    assert exact_scores(np.array([0.1, np.nan], np.float32)).tolist()[0] == 0.1
