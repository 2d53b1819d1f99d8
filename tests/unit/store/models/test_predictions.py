"""Packed predictions come back as they were, bit for bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from labeler.store.models.predictions import NO_LABEL, PackedPredictions, pack, unpack

_SHAPES = st.tuples(st.integers(0, 20), st.integers(1, 6))


@st.composite
def predictions(draw: st.DrawFn) -> PackedPredictions:
    shape = draw(_SHAPES)
    labels = draw(arrays.arrays(np.uint16, shape))
    kind = draw(st.sampled_from([None, np.float32, np.float64]))
    scores = None if kind is None else draw(arrays.arrays(kind, shape))
    return PackedPredictions(labels, scores)


@given(predictions())
def test_labels_and_scores_survive(original: PackedPredictions) -> None:
    restored = unpack(pack(original))

    np.testing.assert_array_equal(restored.labels, original.labels)
    assert (restored.images, restored.ranks) == original.labels.shape
    if original.scores is None:
        assert restored.scores is None
    else:
        assert restored.scores is not None
        assert restored.scores.dtype == original.scores.dtype
        np.testing.assert_array_equal(restored.scores, original.scores)


def test_the_bytes_are_the_same_on_every_machine() -> None:
    labels = np.array([[1, 256], [NO_LABEL, 0]], dtype=">u2")
    scores = np.array([[1.0, 0.5], [np.nan, 0.0]], dtype=">f4")

    packed = pack(PackedPredictions(labels, scores))

    assert packed.labels.hex(" ", 2) == "0100 0001 ffff 0000"
    assert packed.scores is not None
    assert packed.scores.hex(" ", 4) == "0000803f 0000003f 0000c07f 00000000"
    assert packed.score_bytes == 4


def test_a_thousand_predictions_take_two_bytes_for_each_label() -> None:
    packed = pack(PackedPredictions(np.zeros((1000, 5), dtype=np.uint16), None))

    assert (len(packed.labels), packed.scores) == (10_000, None)
