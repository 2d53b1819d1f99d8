"""Fetching a trial's image: the only place at which its file is known, and left again."""

from typing import TYPE_CHECKING

from labeler.core.datasets.known_file import KnownFile
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.blind_types import EncodedPicture
from labeler.images.file_reader import read_known
from labeler.images.unreadable import UnreadableImage

if TYPE_CHECKING:
    from labeler.store.study_store import StudyStore


def picture(store: "StudyStore", trial_id: str) -> EncodedPicture:
    """The bytes of the trial's image; safe on any thread."""
    with store.read() as study:
        file = study.labeling.image_file(trial_id)
    return picture_in(file)


def picture_in(file: KnownFile) -> EncodedPicture:
    """The bytes of a file; what is wrong with it is told without its place."""
    try:
        return EncodedPicture(read_known(file), file.apply_exif)
    except UnreadableImage as error:
        sentence = f"{error} Flag this trial and go on, and tell the lead."
    # Raised apart, so that no traceback leads back to the file's name.
    raise EnvironmentFault(sentence)
