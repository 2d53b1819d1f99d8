"""Images are shared out in chunks of whole batches, several of them for a GPU."""

from pathlib import PurePosixPath

import pytest

from labeler.app.models.scoring_plan import DatasetPlan
from labeler.core.models.scoring import ImageToScore
from labeler.core.study.entities import Dataset, DatasetRole

PENDING = [ImageToScore(number, str(PurePosixPath("/", str(number)))) for number in range(3000)]


@pytest.mark.parametrize(
    ("batch_size", "on_gpu", "images"),
    [
        (1, False, 8),
        (3, False, 9),
        (32, False, 32),
        (8, True, 32),  # while one is computed the next is copied
        (512, True, 1024),
        (2048, True, 2048),
    ],
)
def test_a_chunk_holds_whole_batches(batch_size: int, on_gpu: bool, images: int) -> None:
    dataset = Dataset("new", DatasetRole.EVALUATION, images=len(PENDING))
    chunks = list(DatasetPlan(dataset, (), None).chunks(PENDING, batch_size, on_gpu=on_gpu))
    assert len(chunks[0].images) == images
    assert {chunk.batch_size for chunk in chunks} == {batch_size}
    assert [image for chunk in chunks for image in chunk.images] == PENDING
