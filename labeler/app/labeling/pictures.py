"""Fetching a trial's image: the only place at which its file is known, and left again."""

from typing import TYPE_CHECKING

from labeler.core.datasets.known_file import ImageFile
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.blind_types import EncodedImage
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage

if TYPE_CHECKING:
    from labeler.store.study_store import StudyStore


def read_trial_image(store: "StudyStore", trial_id: str) -> EncodedImage:
    """The bytes of the trial's image; safe on any thread."""
    with store.read() as study:
        file = study.labeling.image_file(trial_id)
    return read_image_file(file)


def read_image_file(file: ImageFile) -> EncodedImage:
    """The bytes of a file; what is wrong with it is told without its place."""
    try:
        return EncodedImage(read_known_file(file), file.apply_exif)
    except UnreadableImage as error:
        sentence = f"{error} Flag this trial and go on, and tell the lead."
    # Raised apart, so that no traceback leads back to the file's name.
    raise EnvironmentFault(sentence)
