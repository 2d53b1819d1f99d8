"""Changes that leave an image a near-duplicate: zoom, colour, stretch, a small shift."""

import numpy as np
from numpy.typing import NDArray

from labeler.core.curation.fingerprints import SIDE, Pixels

_ZOOM, _STRETCH = 0.94, 0.92
_SHIFT = 6
_TINT = np.array([1.08, 1.0, 0.9], dtype=np.float32)[:, None, None]
# The limit lets through so many of the slight changes.
_SHARE = 95.0


def slight_changes(pixels: Pixels) -> list[Pixels]:
    """Return the image with each of the changes that reviewers count as duplicates."""
    whole = np.arange(SIDE)
    middle = (SIDE - 1) / 2
    zoomed = np.round((whole - middle) * _ZOOM + middle).astype(np.int64)
    stretched = np.round((whole - middle) * _STRETCH + middle).astype(np.int64)
    shifted = np.clip(whole + _SHIFT, 0, SIDE - 1)
    tinted = np.clip(pixels * _TINT, 0, 255).astype(np.uint8)
    return [
        pixels[:, zoomed][:, :, zoomed],
        pixels[:, :, stretched],
        pixels[:, shifted][:, :, shifted],
        tinted,
    ]


def limit_from_changes(distances: NDArray[np.float64]) -> float:
    """Return the limit below which 95 % of the slightly changed images are."""
    return float(np.percentile(distances, _SHARE))
