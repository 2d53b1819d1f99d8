"""Pictures that cost a decoder what photographs cost it."""

import numpy as np
from PIL import Image

SIZE = (500, 375)
QUALITY = 90


def photograph(seed: int) -> Image.Image:
    """Detail at every scale and little colour in the finest, as photographs have."""
    random = np.random.default_rng(seed)
    light = _detail(random, finest=0)
    tints = [light + 0.6 * _detail(random, finest=2) for _channel in range(3)]
    return Image.fromarray((np.stack(tints, axis=-1) * 0.8 + 127).clip(0, 255).astype(np.uint8))


def numbered(jpeg: bytes, number: int) -> bytes:
    """The same picture in a file of its own: cheap to make, honest to read."""
    # A comment segment right after the start marker.
    return jpeg[:2] + b"\xff\xfe\x00\x06" + number.to_bytes(4, "big") + jpeg[2:]


def _detail(random: np.random.Generator, *, finest: int) -> np.ndarray:
    """Noise of many sizes, the coarser the stronger."""
    whole = np.zeros(SIZE[::-1], dtype="float32")
    for octave in range(finest, 8):
        across, down = (max(2, side >> octave) for side in SIZE)
        noise = random.normal(0, 16 * 1.2**octave, (down, across)).astype("float32")
        whole += np.asarray(Image.fromarray(noise).resize(SIZE, Image.Resampling.BICUBIC))
    return whole
