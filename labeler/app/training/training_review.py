"""Use cases of the training progress and discussion screens."""

from labeler.app.training.discussion_facts import (
    DiscussionFacts,
    add_discussion_note,
    discussion_facts,
    save_note_draft,
)
from labeler.app.training.progress_facts import (
    AnsweredImage,
    ProgressFacts,
    answered_images,
    people_in_training,
    progress_facts,
)
from labeler.app.training.viewer import TrainingViewer, training_picture
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.discussion import DiscussionNote
from labeler.store.study_store import StudyStore


class TrainingReview:
    """Blocking calls for worker threads, on behalf of one viewer."""

    def __init__(self, store: StudyStore, viewer: TrainingViewer) -> None:
        self._store = store
        self.viewer = viewer

    def progress(self, code: str | None = None) -> ProgressFacts | None:
        """Return a labeler's progress, by default the first one's; None if there are none."""
        chosen = code or next(iter(people_in_training(self._store, self.viewer)), None)
        return None if chosen is None else progress_facts(self._store, self.viewer, chosen)

    def images(self, facts: ProgressFacts, part: TrainingFilter) -> tuple[AnsweredImage, ...]:
        return answered_images(self._store, self.viewer, facts, part)

    def picture(self, image: int) -> EncodedImage:
        return training_picture(self._store, self.viewer, image)

    def discussion(self, group: tuple[str, ...] | None = None) -> DiscussionFacts:
        return discussion_facts(self._store, self.viewer, group)

    def add_note(
        self, group: tuple[str, ...], *, image: int, text: str
    ) -> tuple[DiscussionNote, ...]:
        return add_discussion_note(self._store, self.viewer, group, image=image, text=text)

    def save_note_draft(self, image: int, text: str) -> None:
        save_note_draft(self._store, self.viewer, image=image, text=text)
