"""Pictures for tests of the image view: plain colours, known pixels, real decoding."""

from io import BytesIO

import numpy as np
from PIL import Image

from labeler.core.labeling.blind_types import BlindImage, EncodedImage
from labeler.core.view_geometry import Viewport
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid, build_pyramid

RED = (220, 30, 30)


def encoded(image: Image.Image) -> EncodedImage:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return EncodedImage(buffer.getvalue(), apply_exif=False)


def plain(width: int, height: int, colour: tuple[int, int, int] = RED) -> Image.Image:
    return Image.new("RGB", (width, height), colour)


def coordinates(width: int, height: int) -> Image.Image:
    """A picture whose red and green say where in it a pixel is, up to 250 across and down."""
    down, across = np.mgrid[0:height, 0:width]
    return Image.fromarray(
        np.stack([across, down, np.full_like(down, 200)], axis=-1).astype(np.uint8)
    )


def blind(trial_id: str, image: Image.Image, viewport: Viewport) -> BlindImage[ImagePyramid]:
    return BlindImage(trial_id, build_pyramid(encoded(image), viewport))
