"""The pictures of an exported guide, written anew: of their files only the pixels are taken."""

import hashlib
import io
from collections.abc import Callable, Mapping

from PIL.Image import Image

from labeler.core.labeling.blind_types import EncodedPicture
from labeler.guide.links import OwnPicture, Picture
from labeler.guide.picture_files import OwnPictures
from labeler.guide.rendering.document_tree import Data
from labeler.images.decoder import decode_scaled
from labeler.images.illustration import decode_illustration
from labeler.images.unreadable import UnreadableImage

# Sharp in print at the width that a picture may take there.
_LARGEST = (1200, 1200)
_QUALITY = 88


class PrintedPictures:
    """Gathers the pictures that pages show, each once; what can't be shown is counted."""

    def __init__(
        self, own: OwnPictures, *, reference: Callable[[str, int], EncodedPicture | None]
    ) -> None:
        """`reference` gives a class's reference image of a number, counted from 1."""
        self._own = own
        self._reference = reference
        self._assets: dict[str, bytes] = {}
        self._known: dict[Picture, Data | None] = {}

    @property
    def assets(self) -> Mapping[str, bytes]:
        """All pictures so far by the names that the data calls them."""
        return self._assets

    @property
    def missing(self) -> tuple[Picture, ...]:
        """The pictures that pages name and that can't be shown."""
        return tuple(picture for picture, shown in self._known.items() if shown is None)

    def take(self, picture: Picture) -> Data | None:
        """The picture's name and size for a template, or None where there is none to show."""
        if picture not in self._known:
            self._known[picture] = self._taken(picture)
        return self._known[picture]

    def _taken(self, picture: Picture) -> Data | None:
        try:
            image = self._decoded(picture)
        except UnreadableImage:
            return None
        if image is None:
            return None
        written = io.BytesIO()
        image.save(written, "JPEG", quality=_QUALITY)
        name = f"{hashlib.sha256(written.getvalue()).hexdigest()[:16]}.jpg"
        self._assets[name] = written.getvalue()
        return {"name": name, "width": image.width, "height": image.height}

    def _decoded(self, picture: Picture) -> Image | None:
        if isinstance(picture, OwnPicture):
            content = self._own(picture.path)
            return decode_illustration(content, size=_LARGEST) if content else None
        original = self._reference(picture.wnid, picture.number)
        if original is None:
            return None
        return decode_scaled(original.data, size=_LARGEST, apply_exif=original.apply_exif)
