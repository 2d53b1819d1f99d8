"""All workers use the same batch size if it fits into their memory."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from safetensors.torch import save_file
from timm.models import register_model
from torch import Tensor, nn

from labeler.core.models.scoring import ImageToScore, ModelSpec, ScoringChunk
from labeler.scoring.scorer import ASSUMED_ORDER, SMALLER_BATCHES, Scorer
from tests.unit.scoring.conftest import chunk_of, setup_for

ROOM = 4


class Narrow(nn.Module):
    """A model on a device with room for four images: a fifth is one too many."""

    def __init__(self) -> None:
        super().__init__()
        self.num_classes = 1000
        self.pretrained_cfg = timm.get_pretrained_cfg("resnet18").to_dict()
        self.fc = nn.Linear(3, 1000)

    def forward(self, batch: Tensor) -> Tensor:
        if torch.jit.is_tracing():
            raise RuntimeError("this one is no graph")
        if len(batch) > ROOM:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return self.fc(batch.mean((2, 3)))


@register_model
def narrow_of_this_test(**_arguments: object) -> Narrow:
    return Narrow()


@pytest.fixture
def narrow(tmp_path: Path) -> ModelSpec:
    torch.manual_seed(1)
    save_file(Narrow().state_dict(), tmp_path / "narrow.safetensors")
    return ModelSpec(
        model="narrow_of_this_test",
        name="narrow",
        checkpoint=str(tmp_path / "narrow.safetensors"),
        batch_size=16,
    )


def test_a_model_that_runs_out_of_memory_continues_with_half_the_batch(
    narrow: ModelSpec, pictures: list[Path]
) -> None:
    result: list[str] = []
    tight = Scorer(setup_for(spec=narrow), "cpu", notify=result.append)
    assert result.pop(0) == ASSUMED_ORDER.format(weights="narrow.safetensors")
    assert result == [SMALLER_BATCHES.format(size=size) for size in (8, 4)]
    assert tight.facts.batch_size == ROOM
    roomy = Scorer(setup_for(spec=replace(narrow, batch_size=2)), "cpu", notify=result.append)
    one, two = tight.score(chunk_of(pictures[:6])), roomy.score(chunk_of(pictures[:6]))
    assert np.array_equal(one.labels, two.labels)


def test_what_ran_out_of_memory_once_takes_no_larger_batches_from_others(
    narrow: ModelSpec, pictures: list[Path]
) -> None:
    result: list[str] = []
    tight = Scorer(setup_for(spec=narrow), "cpu", notify=result.append)
    before = len(result)
    assert len(tight.score(_in_batches_of(16, pictures[:6]))) == 6
    assert (tight.facts.batch_size, len(result)) == (ROOM, before)


def test_a_process_takes_the_batches_that_another_found_best(
    scorer: Scorer, pictures: list[Path]
) -> None:
    other = Scorer(setup_for(batch_size=2, wants_logits=True), "cpu", notify=print)
    one = scorer.score(_in_batches_of(8, pictures[:5]))
    two = other.score(_in_batches_of(8, pictures[:5]))
    assert np.array_equal(one.logits, two.logits)


def _in_batches_of(size: int, pictures: list[Path]) -> ScoringChunk:
    images = tuple(ImageToScore(n, str(path)) for n, path in enumerate(pictures))
    return ScoringChunk(0, images, apply_exif=False, batch_size=size)
