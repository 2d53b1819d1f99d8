"""Who looks back at training, and at whose answers they may look."""

from dataclasses import dataclass

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import Role
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.store.study_store import StudyStore

OTHERS_TRAINING = "Only the lead can see another person's training."


@dataclass(frozen=True, slots=True)
class TrainingViewer:
    """The person who signed in, in the role that they chose."""

    code: str
    role: Role

    @property
    def is_lead(self) -> bool:
        return self.role is Role.LEAD

    def require_access_to(self, code: str) -> None:
        """Refuse a labeler another one's progress, and a reviewer anyone's."""
        own = self.role is Role.LABELER and code == self.code
        if not (self.is_lead or own):
            raise RefusedError(OTHERS_TRAINING)

    def require_member_of(self, group: tuple[str, ...]) -> None:
        """Refuse a discussion to anyone who is neither in its group nor the lead."""
        takes_part = self.role is Role.LABELER and self.code in group
        if not (self.is_lead or takes_part):
            raise RefusedError(
                "Only those who take part in a discussion, and the lead, can see it."
            )


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
