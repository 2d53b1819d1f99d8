"""timm's models are listed with what is known of each."""

import pytest
import timm

from labeler.app.models.testbed import paper_testbed
from labeler.core.models.scoring import WeightsLocation
from labeler.scoring.catalogue import list_models


def test_every_model_of_timm_is_listed_with_its_size() -> None:
    listed = {entry.name: entry for entry in list_models()}
    assert set(timm.list_pretrained()) <= listed.keys()
    lite = listed["tf_efficientnet_lite0.in1k"]
    assert (lite.input_size, lite.outputs, lite.weights) == (224, 1000, WeightsLocation.INSTALLED)
    assert lite.parameters == 4_652_008
    assert listed["resnet50.tv_in1k"].weights is WeightsLocation.HUB
    assert listed["efficientnet_lite1"].weights is WeightsLocation.NONE


def test_the_prepared_list_is_what_timm_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = list_models()
    monkeypatch.setattr("labeler.scoring.catalogue.version", lambda _package: "another version")
    assert list_models() == prepared


def test_timm_has_the_equivalents_of_the_papers_models() -> None:
    known = set(timm.list_pretrained())
    assert [model.timm for model in paper_testbed() if model.timm and model.timm not in known] == []
