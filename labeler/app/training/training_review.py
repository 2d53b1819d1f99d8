"""The desk at which a person looks back at training: every use case of those screens."""

from labeler.app.training.discussion_facts import (
    DiscussionFacts,
    add_note,
    discussion_facts,
    keep_half_written,
)
from labeler.app.training.pictures import training_picture
from labeler.app.training.progress_facts import (
    AnsweredImage,
    ProgressFacts,
    answered_images,
    people_in_training,
    progress_facts,
)
from labeler.app.training.viewer import Viewer
from labeler.core.labeling.blind_types import EncodedPicture
from labeler.core.training.answer_record import Part
from labeler.core.training.discussion import Note
from labeler.core.training.suggestions import Suggestion
from labeler.store.study_store import StudyStore


class LookingBack:
    """Blocking calls for worker threads, all in the name of one viewer."""

    def __init__(self, store: StudyStore, viewer: Viewer) -> None:
        self._store = store
        self.viewer = viewer

    def progress(self, code: str | None = None) -> ProgressFacts | None:
        """A labeler's progress, by default the first's; none where nobody could have any."""
        chosen = code or next(iter(people_in_training(self._store, self.viewer)), None)
        return None if chosen is None else progress_facts(self._store, self.viewer, chosen)

    def suggestions(self) -> tuple[Suggestion, ...]:
        """What the viewer could train next."""
        facts = self.progress(self.viewer.code)
        return () if facts is None else facts.suggestions

    def images(self, facts: ProgressFacts, part: Part) -> tuple[AnsweredImage, ...]:
        return answered_images(self._store, self.viewer, facts, part)

    def picture(self, image: int) -> EncodedPicture:
        return training_picture(self._store, self.viewer, image)

    def discussion(self, group: tuple[str, ...] | None = None) -> DiscussionFacts:
        return discussion_facts(self._store, self.viewer, group)

    def add_note(self, group: tuple[str, ...], *, image: int, text: str) -> tuple[Note, ...]:
        return add_note(self._store, self.viewer, group, image=image, text=text)

    def keep_half_written(self, image: int, text: str) -> None:
        keep_half_written(self._store, self.viewer, image=image, text=text)
