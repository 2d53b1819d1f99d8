"""A checkpoint that says which output is which class is taken at its word, and held to it."""

import json
from pathlib import Path

import pytest
import timm
import torch
from safetensors.torch import save_file

from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.checkpoint import checkpoint_classes
from labeler.scoring.class_lists import class_columns, is_order_assumed
from labeler.scoring.model_loader import LoadedModel, load_model

TINY = "test_resnet.r160_in1k"
WNIDS = load_default().class_wnids
TURNED = list(WNIDS[::-1])


@pytest.fixture(scope="module")
def weights() -> dict[str, torch.Tensor]:
    torch.manual_seed(3)
    return dict(timm.create_model(TINY).state_dict())


def loaded(file: Path) -> LoadedModel:
    return load_model(ModelSpec(model=TINY, name="own", checkpoint=str(file)))


@pytest.mark.parametrize(
    "beside",
    [
        {"class_to_idx": {wnid: number for number, wnid in enumerate(TURNED)}},
        {"meta": {"CLASSES": TURNED}},
        {"args": {"classes": tuple(TURNED)}},
    ],
)
def test_a_list_next_to_the_weights_maps_the_outputs(
    tmp_path: Path, weights: dict[str, torch.Tensor], beside: dict[str, object]
) -> None:
    torch.save({"state_dict": weights, **beside}, tmp_path / "own.pth")
    model = loaded(tmp_path / "own.pth")
    columns = class_columns(model, classes=None, wnids=WNIDS)
    assert columns.columns == tuple(range(999, -1, -1))
    assert not is_order_assumed(model, classes=None)


def test_a_list_in_the_metadata_of_safetensors_maps_the_outputs(
    tmp_path: Path, weights: dict[str, torch.Tensor]
) -> None:
    metadata = {"format": "pt", "classes": json.dumps(TURNED)}
    save_file(weights, tmp_path / "own.safetensors", metadata=metadata)
    model = loaded(tmp_path / "own.safetensors")
    assert class_columns(model, classes=None, wnids=WNIDS).columns[0] == 999


def test_a_class_list_that_contradicts_the_checkpoint_is_refused(
    tmp_path: Path, weights: dict[str, torch.Tensor]
) -> None:
    torch.save({"state_dict": weights, "classes": TURNED}, tmp_path / "own.pth")
    (tmp_path / "list.txt").write_text("\n".join(WNIDS), encoding="utf-8")
    with pytest.raises(RefusedError, match="contradicts the weights: its line 1"):
        class_columns(loaded(tmp_path / "own.pth"), classes=str(tmp_path / "list.txt"), wnids=WNIDS)


def test_a_list_of_another_length_is_refused(
    tmp_path: Path, weights: dict[str, torch.Tensor]
) -> None:
    torch.save({"state_dict": weights, "classes": TURNED[:7]}, tmp_path / "own.pth")
    with pytest.raises(RefusedError, match="7 lines, but the model has 1,000 outputs"):
        class_columns(loaded(tmp_path / "own.pth"), classes=None, wnids=WNIDS)


@pytest.mark.parametrize(
    "contents",
    [
        {"classes": ["tench", "goldfish"]},
        {"class_to_idx": {"n01440764": 3}},
        {"class_to_idx": {"n01440764": "0"}},
        {"args": "none"},
        [],
    ],
)
def test_what_is_no_list_of_wnids_says_nothing(contents: object) -> None:
    assert checkpoint_classes(contents) is None


def test_without_any_list_the_order_is_taken_for_granted(
    tmp_path: Path, weights: dict[str, torch.Tensor]
) -> None:
    torch.save(weights, tmp_path / "own.pth")
    assert is_order_assumed(loaded(tmp_path / "own.pth"), classes=None)
    assert not is_order_assumed(loaded(tmp_path / "own.pth"), classes="list.txt")
