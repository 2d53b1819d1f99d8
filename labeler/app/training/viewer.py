"""Who views training results, and whose results they may see."""

from dataclasses import dataclass

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import Role
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.store.study_store import StudyStore

NOT_IN_DISCUSSION = "Only participants of a discussion and the lead can see it."
OTHERS_TRAINING = "Only the lead can see another person's training."


@dataclass(frozen=True, slots=True)
class TrainingViewer:
    """The signed-in person with the role they chose."""

    code: str
    role: Role

    @property
    def is_lead(self) -> bool:
        return self.role is Role.LEAD

    def require_access_to(self, code: str) -> None:
        """Refuse labelers access to another one's progress, and reviewers to anyone's."""
        own = self.role is Role.LABELER and code == self.code
        if not (self.is_lead or own):
            raise RefusedError(OTHERS_TRAINING)

    def require_member_of(self, group: tuple[str, ...]) -> None:
        """Refuse access to anyone who is neither in the group nor the lead."""
        takes_part = self.role is Role.LABELER and self.code in group
        if not (self.is_lead or takes_part):
            raise RefusedError(NOT_IN_DISCUSSION)


_UNREADABLE = (
    "This training image can't be read. The lead can find its file under Set up, “Backups and "
    "check”."
)


def training_picture(store: StudyStore, viewer: TrainingViewer, image: int) -> EncodedImage:
    """Return the bytes of a training image; safe on any thread."""
    with store.read() as study:
        file = study.training_record.file(image)
    _note_seen(store, viewer, image)
    try:
        return EncodedImage(read_known_file(file), file.apply_exif)
    except UnreadableImage:
        fault = EnvironmentFault(_UNREADABLE, by_command="`labeler check STUDY` names its file.")
    # Raised outside the handler, so that no traceback contains the file's name.
    raise fault


def _note_seen(store: StudyStore, viewer: TrainingViewer, image: int) -> None:
    """Record the exposure, so that a lead who labels too isn't evaluated on this image."""
    with store.read() as study:
        known = study.training_record.has_seen(viewer.code, image)
    if not known:
        with store.write() as study:
            study.training_record.record_seen(viewer.code, image)
