"""The only decoder: screen, thumbnails and models get the same pixels."""

from pathlib import Path

from PIL import Image
from PIL.Image import Transpose

from labeler.images.file_reader import read_image_bytes
from labeler.images.pillow import load_pixels, open_header, orientation, to_rgb

_UPRIGHT_TRANSPOSE = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
_SIDEWAYS = frozenset({5, 6, 7, 8})


def decode(source: Path | bytes, *, apply_exif: bool = False) -> Image.Image:
    """Return the first frame of an image as 8-bit RGB, or raise UnreadableImage."""
    image = open_header(_bytes_of(source))
    turn = orientation(image) if apply_exif else 1
    load_pixels(image)
    return _upright(to_rgb(image), turn)


def decode_scaled(
    source: Path | bytes, *, size: tuple[int, int], apply_exif: bool = False
) -> Image.Image:
    """Decode an image and shrink it to fit a size; it is never enlarged or cropped."""
    image = open_header(_bytes_of(source))
    turn = orientation(image) if apply_exif else 1
    # A rotated picture is turned last, so the box is rotated until then.
    box = (size[1], size[0]) if turn in _SIDEWAYS else size
    target = fit_size(image.size, box)
    # The JPEG decoder can scale to eighths, which is faster than decoding the full size.
    image.draft(None, target)
    load_pixels(image)
    return _upright(_shrunk(to_rgb(image), target), turn)


def decode_stretched(
    source: Path | bytes, *, size: tuple[int, int], apply_exif: bool = False
) -> Image.Image:
    """Decode an image and bring it to exactly this size, whatever its shape."""
    image = open_header(_bytes_of(source))
    turn = orientation(image) if apply_exif else 1
    # Twice the size is enough for a good reduction.
    image.draft(None, (2 * size[0], 2 * size[1]))
    load_pixels(image)
    upright = _upright(to_rgb(image), turn)
    return upright.resize(size, Image.Resampling.BILINEAR)


def fit_size(size: tuple[int, int], box: tuple[int, int]) -> tuple[int, int]:
    """Return the largest size of the same shape inside a box, at least one pixel."""
    width, height = size
    scale = min(1.0, box[0] / width, box[1] / height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def _bytes_of(source: Path | bytes) -> bytes:
    return source if isinstance(source, bytes) else read_image_bytes(source)


def _shrunk(image: Image.Image, target: tuple[int, int]) -> Image.Image:
    return image if image.size == target else image.resize(target, Image.Resampling.HAMMING)


def _upright(image: Image.Image, turn: int) -> Image.Image:
    return image.transpose(_UPRIGHT_TRANSPOSE[turn]) if turn in _UPRIGHT_TRANSPOSE else image


def decode_illustration(data: bytes, *, size: tuple[int, int]) -> Image.Image:
    """Return the picture upright, inside a size, with white where it is transparent."""
    image = open_header(data)
    if not image.has_transparency_data:
        return decode_scaled(data, size=size, apply_exif=True)
    load_pixels(image)
    clear = image.convert("RGBA")
    clear.thumbnail(size)
    paper = Image.new("RGBA", clear.size, "white")
    return Image.alpha_composite(paper, clear).convert("RGB")
