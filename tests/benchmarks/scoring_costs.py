"""What an image costs one core: from its file to the model's input, and its forward pass."""

import json
import sys
import time
from pathlib import Path

import torch

from labeler.core.scoring import ModelSpec, Precision
from labeler.images.decode import decode
from labeler.scoring.forward import channels_last, fast_forward
from labeler.scoring.models import load_model
from labeler.scoring.transform import Transform, transform_of
from tests.benchmarks.scoring import MODEL

_BATCH, _ROUNDS = 16, 8


def main() -> None:
    torch.set_num_threads(1)
    files = sorted(Path(sys.argv[1]).rglob("*.jpg"))[: _BATCH * _ROUNDS]
    model = load_model(ModelSpec(model=MODEL, name=MODEL)).module
    transform = transform_of(model)
    forward = fast_forward(
        model,
        device=torch.device("cpu"),
        size=transform.input_size,
        precision=Precision.FLOAT32,
    )
    begin = time.perf_counter()
    batches = [_batch(files[n : n + _BATCH], transform) for n in range(0, len(files), _BATCH)]
    decoding = (time.perf_counter() - begin) / len(files)
    with torch.inference_mode():
        for batch in batches[:3]:
            forward(batch)
        begin = time.perf_counter()
        for batch in batches:
            forward(batch)
        seconds = (time.perf_counter() - begin) / len(files)
    json.dump({"decoding": decoding, "forward": seconds}, sys.stdout)


def _batch(files: list[Path], transform: Transform) -> torch.Tensor:
    pixels = torch.stack([transform.crop(decode(file)) for file in files])
    return channels_last(transform.normalised(pixels))


if __name__ == "__main__":
    main()
