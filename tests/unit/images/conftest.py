"""Real image files of every kind that an import may meet."""

import struct
import threading
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


class Gallery:
    """Writes image files into a folder, each with the oddity that its method is named for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def photograph(self, name: str = "photo.JPEG", *, size: tuple[int, int] = (60, 40)) -> Path:
        return self._save(colourful(size), name, format="JPEG", quality=90)

    def progressive(self, name: str = "progressive.JPEG") -> Path:
        return self._save(colourful((200, 160)), name, format="JPEG", progressive=True)

    def png(self, name: str = "plain.png", *, size: tuple[int, int] = (60, 40)) -> Path:
        return self._save(colourful(size), name, format="PNG")

    def cmyk(self, name: str = "cmyk.jpg") -> Path:
        return self._save(colourful((60, 40)).convert("CMYK"), name, format="JPEG")

    def greyscale(self, name: str = "grey.jpg") -> Path:
        return self._save(colourful((60, 40)).convert("L"), name, format="JPEG")

    def transparent_palette(self, name: str = "palette.png") -> Path:
        image = colourful((60, 40)).quantize(16)
        return self._save(image, name, format="PNG", transparency=bytes(range(0, 256, 16)))

    def translucent(self, name: str = "alpha.png") -> Path:
        image = colourful((60, 40))
        image.putalpha(Image.linear_gradient("L").resize((60, 40)))
        return self._save(image, name, format="PNG")

    def sixteen_bit_grey(self, name: str = "deep.png", *, value: int = 0x8000) -> Path:
        pixels = np.full((40, 60), value, dtype=np.uint16)
        return self._save(Image.fromarray(pixels), name, format="PNG")

    def sixteen_bit_colour(self, name: str = "deep_colour.png", *, value: int = 0x8000) -> Path:
        row = b"\x00" + struct.pack(">H", value) * 3 * 60
        header = struct.pack(">IIBBBBB", 60, 40, 16, 2, 0, 0, 0)
        return self._write(name, png_of(header, zlib.compress(row * 40)))

    def floating_point(self, name: str = "float.tif") -> Path:
        return self._save(Image.new("F", (8, 8), 0.5), name, format="TIFF")

    def animated(self, name: str = "moving.gif") -> Path:
        frames = [Image.new("RGB", (30, 20), colour) for colour in ("red", "lime", "blue")]
        return self._save(
            frames[0], name, format="GIF", save_all=True, append_images=frames[1:], duration=50
        )

    def rotated(self, orientation: int, name: str = "rotated.jpg") -> Path:
        exif = Image.Exif()
        exif[0x0112] = orientation
        return self._save(quartered(), name, format="JPEG", quality=95, exif=exif)

    def bomb(self, name: str = "bomb.png", *, side: int = 20_000) -> Path:
        header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
        return self._write(name, png_of(header, zlib.compress(b"\x00")))

    def garbage(self, name: str = "garbage.JPEG") -> Path:
        return self._write(name, b"this was never a picture\n" * 40)

    def empty(self, name: str = "empty.JPEG") -> Path:
        return self._write(name, b"")

    def cut_short(self, whole: Path, *, kept: float = 0.5) -> Path:
        data = whole.read_bytes()
        return self._write(f"cut_{whole.name}", data[: int(len(data) * kept)])

    def _save(self, image: Image.Image, name: str, **options: object) -> Path:
        buffer = BytesIO()
        image.save(buffer, **options)
        return self._write(name, buffer.getvalue())

    def _write(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path


def colourful(size: tuple[int, int]) -> Image.Image:
    """A picture in which every pixel matters: gradients with a fixed grain."""
    width, height = size
    x, y = np.meshgrid(np.linspace(0, 200, width), np.linspace(0, 200, height))
    grain = np.random.default_rng(7).integers(0, 50, size=(height, width, 3))
    pixels = np.stack([x, y, 200 - x], axis=-1) + grain
    return Image.fromarray(pixels.astype(np.uint8))


def quartered() -> Image.Image:
    """64 × 32 with a red top left quarter, green right of it, blue below, white in the corner."""
    image = Image.new("RGB", (64, 32), "white")
    image.paste((255, 0, 0), (0, 0, 32, 16))
    image.paste((0, 255, 0), (32, 0, 64, 16))
    image.paste((0, 0, 255), (0, 16, 32, 32))
    return image


def png_of(header: bytes, pixels: bytes) -> bytes:
    """A PNG file from its two chunks' contents."""
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


@pytest.fixture
def gallery(tmp_path: Path) -> Gallery:
    return Gallery(tmp_path)
