"""Weights come from checkpoints of several makes, but never from code."""

import pickle
from pathlib import Path

import pytest
import timm
import torch
from safetensors.torch import save_file

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.checkpoint import (
    CHECKPOINT_MISSING,
    MORE_THAN_WEIGHTS,
    UNREADABLE_CHECKPOINT,
    hash_weights,
    read_checkpoint,
)
from labeler.scoring.model_loader import load_model
from labeler.scoring.weight_sources import installed_weights, weights_package

TINY = "test_resnet.r160_in1k"
Weights = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def weights() -> Weights:
    torch.manual_seed(3)
    return dict(timm.create_model(TINY).state_dict())


def spec(file: Path, model: str = TINY) -> ModelSpec:
    return ModelSpec(model=model, name="own", checkpoint=str(file))


def test_one_hash_for_the_same_weights_in_any_file(tmp_path: Path, weights: Weights) -> None:
    torch.save(weights, tmp_path / "plain.pth")
    torch.save({"state_dict": {f"module.{n}": w for n, w in weights.items()}}, tmp_path / "in.pth")
    torch.save({"model": {}, "state_dict_ema": weights, "epoch": 3}, tmp_path / "ema.pth")
    save_file(weights, tmp_path / "safe.safetensors")
    hashes = {load_model(spec(file)).weights_hash for file in tmp_path.iterdir()}
    assert hashes == {hash_weights(weights)}


def test_other_weights_have_another_hash(weights: Weights) -> None:
    name = next(iter(weights))
    assert hash_weights({**weights, name: weights[name] + 1}) != hash_weights(weights)


class Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (Path("exploded"),))


def test_a_pickle_that_would_run_code_is_refused_unrun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bomb = tmp_path / "bomb.pth"
    torch.save({"state_dict": Bomb()}, bomb)
    with pytest.raises(InputError, match=MORE_THAN_WEIGHTS):
        read_checkpoint(bomb)
    bomb.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(InputError):
        read_checkpoint(bomb)
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("name", ["cut.pth", "cut.safetensors"])
def test_a_file_cut_short_is_refused(tmp_path: Path, weights: Weights, name: str) -> None:
    file = tmp_path / name
    save_file(weights, file) if name.endswith("tensors") else torch.save(weights, file)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(InputError, match=name):
        read_checkpoint(file)


def test_a_file_of_something_else_is_no_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "page.pth"
    file.write_text("<html>Not found</html>", encoding="utf-8")
    with pytest.raises(InputError, match=UNREADABLE_CHECKPOINT):
        read_checkpoint(file)


def test_a_missing_checkpoint_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=CHECKPOINT_MISSING):
        read_checkpoint(tmp_path / "none.pth")


def test_weights_of_another_model_are_refused(tmp_path: Path, weights: Weights) -> None:
    torch.save(weights, tmp_path / "w.pth")
    with pytest.raises(InputError, match=r"these aren't weights of test_vit"):
        load_model(spec(tmp_path / "w.pth", "test_vit"))


def test_a_checkpoint_may_have_another_number_of_outputs(tmp_path: Path) -> None:
    wide = timm.create_model(TINY, num_classes=1001).state_dict()
    torch.save(wide, tmp_path / "wide.pth")
    assert load_model(spec(tmp_path / "wide.pth")).outputs == 1001


def test_an_unknown_name_is_refused_with_near_ones() -> None:
    with pytest.raises(RefusedError, match=r"no model 'resnet5O'.*resnet50"):
        load_model(ModelSpec(model="resnet5O", name="x"))


def test_weights_that_need_a_network_are_refused_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(
        EnvironmentFault, match=r"published weights of .* can't be downloaded.*checkpoint"
    ):
        load_model(ModelSpec(model=TINY, name="x"))


def test_installed_weights_are_found_by_name_and_published_tag_only() -> None:
    assert installed_weights("tf_efficientnet_lite0") == installed_weights(
        "tf_efficientnet_lite0.in1k"
    )
    assert installed_weights("tf_efficientnet_lite0") is not None
    assert weights_package("tf_efficientnet_lite0.my_own") is None
    assert weights_package("resnet50") is None
