"""Fetching a training image for somebody who looks back at it."""

from labeler.app.training.viewer import TrainingViewer
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.blind_types import EncodedImage
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.store.study_store import StudyStore

_UNREADABLE = (
    "This training image can't be read any more. The check names its file to the lead: Set up, "
    "“Backups and check”."
)


def training_picture(store: StudyStore, viewer: TrainingViewer, image: int) -> EncodedImage:
    """The bytes of an image that was trained on; safe on any thread."""
    with store.read() as study:
        file = study.training_record.file(image)
    _note_seen(store, viewer, image)
    try:
        return EncodedImage(read_known_file(file), file.apply_exif)
    except UnreadableImage:
        fault = EnvironmentFault(_UNREADABLE, by_command="`labeler check STUDY` names its file.")
    # Raised apart, so that no traceback leads back to the file's name.
    raise fault


def _note_seen(store: StudyStore, viewer: TrainingViewer, image: int) -> None:
    """A lead who labels too must not meet in an evaluation what they saw here with its labels."""
    with store.read() as study:
        known = study.training_record.has_seen(viewer.code, image)
    if not known:
        with store.write() as study:
            study.training_record.record_seen(viewer.code, image)
