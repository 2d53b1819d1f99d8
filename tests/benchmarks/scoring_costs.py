"""What an image costs one core, measured whenever a line with a batch size comes in.

D is from the file to the model's input: the product's one decoder, the model's own transform, a
batch of numbers. F is the bare forward pass of the same optimised model over that batch. Both are
measured in as many processes at once as there are cores, since that is what the cores allow, each
time over the next of the files, as scoring goes from one to the next.
"""

import json
import sys
import time
from itertools import cycle, islice
from pathlib import Path

import torch

from labeler.core.models.scoring import ModelSpec, Precision
from labeler.images.decoder import decode
from labeler.scoring.inference import ForwardFunction, channels_last, optimized_forward
from labeler.scoring.model_loader import load_model
from labeler.scoring.preprocessing import ModelTransform, model_transform
from labeler.scoring.worker import configure_process
from tests.benchmarks.scoring import MODEL

_IMAGES = 128


def main() -> None:
    configure_process()
    torch.set_num_threads(1)
    files = cycle(sorted(Path(sys.argv[1]).rglob("*.jpg")))
    model = load_model(ModelSpec(model=MODEL, name=MODEL)).module
    transform = model_transform(model)
    forward = optimized_forward(
        model,
        device=torch.device("cpu"),
        size=transform.input_size,
        precision=Precision.FLOAT32,
    )
    for line in sys.stdin:
        decoding, passing = _costs(list(islice(files, _IMAGES)), transform, forward, int(line))
        print(json.dumps({"decoding": decoding, "forward": passing}), flush=True)


def _costs(
    files: list[Path], transform: ModelTransform, forward: ForwardFunction, size: int
) -> tuple[float, float]:
    begin = time.perf_counter()
    batches = [_batch(files[n : n + size], transform) for n in range(0, len(files), size)]
    decoded = time.perf_counter()
    with torch.inference_mode():
        for batch in batches:
            forward(batch)
    return (decoded - begin) / len(files), (time.perf_counter() - decoded) / len(files)


def _batch(files: list[Path], transform: ModelTransform) -> torch.Tensor:
    pixels = torch.stack([transform.crop(decode(file)) for file in files])
    return channels_last(transform.normalised(pixels))


if __name__ == "__main__":
    main()
