"""A picture that somebody made for a page, as a person sees it and not as a model does."""

from PIL import Image

from labeler.images.decoder import decode_scaled
from labeler.images.pillow import load_pixels, open_header


def decode_illustration(data: bytes, *, size: tuple[int, int]) -> Image.Image:
    """The picture upright, inside a size, on white where it is transparent; or UnreadableImage."""
    image = open_header(data)
    if not image.has_transparency_data:
        return decode_scaled(data, size=size, apply_exif=True)
    load_pixels(image)
    clear = image.convert("RGBA")
    clear.thumbnail(size)
    paper = Image.new("RGBA", clear.size, "white")
    return Image.alpha_composite(paper, clear).convert("RGB")
