"""One small picture per class, for lists and tiles."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from labeler.app.classes.references import TileRect
from labeler.app.runner import Runner
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.images.sheet_manifest import load_manifest

Image = TypeVar("Image")


class ClassThumbnails(ThumbnailLoader[str, Image]):
    """The first sound reference image of each class, cut out of its contact sheet.

    No sheet is decoded as a whole for it: the decoder stops below the first row of tiles, which
    takes a tenth of the time, so no second file with first images has to be kept in step.
    """

    def __init__(
        self, *, folder: Path, runner: Runner, decode: Callable[[Path, TileRect], Image]
    ) -> None:
        super().__init__(runner=runner, load=lambda wnid: _first_tile(folder, wnid, decode))


def _first_tile(folder: Path, wnid: str, decode: Callable[[Path, TileRect], Image]) -> Image | None:
    sheet = load_manifest(folder, wnid)
    first = next(iter(sheet.sound_images), None) if sheet else None
    if sheet is None or first is None:
        return None
    return decode(sheet.jpeg, TileRect(*first.rect))
