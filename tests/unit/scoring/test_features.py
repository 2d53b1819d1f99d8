"""The penultimate layer of a model, without its classifier."""

from pathlib import Path

import numpy as np
import pytest

from labeler.core.curation.slight_changes import limit_from_changes, slight_changes
from labeler.core.models.scoring import ModelSpec
from labeler.images.decoder import decode_stretched
from labeler.scoring.features import FeatureExtractor
from tests.scored_pictures import MODEL


@pytest.fixture(scope="module")
def extractor() -> FeatureExtractor:
    return FeatureExtractor(ModelSpec(model=MODEL, name=MODEL), device="cpu")


def pixels_of(path: Path) -> np.ndarray:
    picture = decode_stretched(path, size=(256, 256))
    return np.ascontiguousarray(np.asarray(picture).transpose(2, 0, 1))


def test_a_slightly_changed_image_is_nearer_than_any_other(
    extractor: FeatureExtractor, pictures: list[Path]
) -> None:
    images = [pixels_of(path) for path in pictures[:6]]
    features = extractor.features(images)
    changed = extractor.features(slight_changes(images[0]))
    to_changed = ((changed - features[0]) ** 2).sum(axis=1)
    to_others = ((features[1:] - features[0]) ** 2).sum(axis=1)
    assert features.shape == (6, 1280)
    assert to_changed.max() < to_others.min()
    assert limit_from_changes(to_changed.astype(np.float64)) < to_others.min()


def test_no_prediction_is_computed(
    extractor: FeatureExtractor, pictures: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_inputs: object) -> None:
        raise AssertionError("the classifier was used")

    monkeypatch.setattr(extractor._module.get_classifier(), "forward", refuse)
    assert extractor.features([pixels_of(pictures[0])]).shape == (1, 1280)
