"""The pictures of an exported guide, written anew: of their files only the pixels are taken."""

import hashlib
import io
from collections.abc import Callable, Mapping

from PIL.Image import Image

from labeler.core.labeling.blind_types import EncodedImage
from labeler.guide.links import GuidePicture, PictureFile
from labeler.guide.picture_files import PictureLoader
from labeler.guide.rendering.document_tree import DocumentData
from labeler.images.decoder import decode_scaled
from labeler.images.illustration import decode_illustration
from labeler.images.unreadable import UnreadableImage

# Sharp in print at the width that a picture may take there.
_MAX_SIZE = (1200, 1200)
_QUALITY = 88


class DocumentPictures:
    """Gathers the pictures that pages show, each once; what can't be shown is counted."""

    def __init__(
        self, own: PictureLoader, *, reference: Callable[[str, int], EncodedImage | None]
    ) -> None:
        """`reference` gives a class's reference image of a number, counted from 1."""
        self._own = own
        self._reference = reference
        self._assets: dict[str, bytes] = {}
        self._known: dict[GuidePicture, DocumentData | None] = {}

    @property
    def assets(self) -> Mapping[str, bytes]:
        """All pictures so far by the names that the data calls them."""
        return self._assets

    @property
    def missing(self) -> tuple[GuidePicture, ...]:
        """The pictures that pages name and that can't be shown."""
        return tuple(picture for picture, shown in self._known.items() if shown is None)

    def take(self, picture: GuidePicture) -> DocumentData | None:
        """The picture's name and size for a template, or None where there is none to show."""
        if picture not in self._known:
            self._known[picture] = self._encode(picture)
        return self._known[picture]

    def _encode(self, picture: GuidePicture) -> DocumentData | None:
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

    def _decoded(self, picture: GuidePicture) -> Image | None:
        if isinstance(picture, PictureFile):
            content = self._own(picture.path)
            return decode_illustration(content, size=_MAX_SIZE) if content else None
        original = self._reference(picture.wnid, picture.number)
        if original is None:
            return None
        return decode_scaled(original.data, size=_MAX_SIZE, apply_exif=original.apply_exif)
