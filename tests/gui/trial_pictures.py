"""Pictures for tests of the image view: plain colours, known pixels, real decoding."""

from io import BytesIO

import numpy as np
from PIL import Image

from labeler.core.labeling.blind_types import BlindImage, EncodedPicture
from labeler.core.view_geometry import Viewport
from labeler.ui.kit.pictures.image_pyramid import TrialPixels, prepare

RED = (220, 30, 30)


def encoded(image: Image.Image) -> EncodedPicture:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return EncodedPicture(buffer.getvalue(), apply_exif=False)


def plain(width: int, height: int, colour: tuple[int, int, int] = RED) -> Image.Image:
    return Image.new("RGB", (width, height), colour)


def coordinates(width: int, height: int) -> Image.Image:
    """A picture whose red and green say where in it a pixel lies, up to 250 across and down."""
    down, across = np.mgrid[0:height, 0:width]
    return Image.fromarray(
        np.stack([across, down, np.full_like(down, 200)], axis=-1).astype(np.uint8)
    )


def blind(trial_id: str, image: Image.Image, viewport: Viewport) -> BlindImage[TrialPixels]:
    return BlindImage(trial_id, prepare(encoded(image), viewport))
