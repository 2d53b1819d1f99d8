"""Reads the original of a reference image; its path stays on this side of the window."""

from labeler.core.datasets.known_file import ImageFile
from labeler.core.labeling.blind_types import EncodedImage
from labeler.images.sheet_manifest import load_manifest
from labeler.store.datasets.image_roles import ReferenceImage
from labeler.store.study_store import StudyStore


class OriginalReader:
    """The originals behind the tiles of a study's reference panels; may be asked on any thread."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def read(self, wnid: str, number: int) -> EncodedImage | None:
        """The image behind a tile, or None where its file is gone or isn't what the tile shows."""
        # What reads image files comes with Pillow, which the window's first paint doesn't wait for.
        from labeler.images.file_reader import read_known_file
        from labeler.images.unreadable import UnreadableImage

        reference = self._reference(wnid, number)
        if reference is None:
            return None
        try:
            data = read_known_file(ImageFile(reference.path, content_hash=reference.content_hash))
        except UnreadableImage:
            return None
        return EncodedImage(data=data, apply_exif=reference.apply_exif)

    def _reference(self, wnid: str, number: int) -> ReferenceImage | None:
        """The study's image that the sheet shows as that tile, known by its contents."""
        sheet = load_manifest(self._store.folder.thumbnails, wnid)
        if sheet is None or not 0 <= number < len(sheet.sound_images):
            return None
        shown = sheet.sound_images[number].content_hash
        with self._store.read() as study:
            references = study.image_roles.references(wnid)
        return next((r for r in references if r.content_hash == shown), None)
