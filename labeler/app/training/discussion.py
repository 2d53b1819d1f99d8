"""The group discussion: answers to the same images side by side, disagreements first."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from labeler.app.chart_views import AnswerTone, PictureRow
from labeler.app.draft_writer import DraftWriter
from labeler.app.runner import LatestRequest, Runner
from labeler.app.training.discussion_facts import MIN_GROUP_SIZE, DiscussionFacts
from labeler.app.training.progress_text import format_moment
from labeler.app.training.training_review import TrainingReview
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.discussion import AnswerAccord, DiscussedImage, DiscussionNote

SOMEONE_WAITS = "someone in the group hasn't answered yet."
CHOOSE_TWO = "Choose at least two labelers to compare their answers."
NO_COMMON_IMAGE = (
    "There is no image that all of them have answered. Train on the same family, then return here."
)
NOT_TRAINED = "You haven't trained yet. Answer some training images, then discuss them here."
NO_ONE_TRAINED = (
    "There are no training answers yet. A discussion needs answers from at least two people."
)


@dataclass(frozen=True, slots=True)
class MemberView:
    """A person who has trained: whether they are in the group, and whether that can be changed."""

    code: str
    chosen: bool
    fixed: bool


@dataclass(frozen=True, slots=True)
class DiscussedAnswerView:
    """One labeler's first answer."""

    labeler: str
    label: str
    right: bool

    @property
    def word(self) -> str:
        return "right" if self.right else "wrong"


@dataclass(frozen=True, slots=True)
class NoteView:
    author: str
    when: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussedImageView:
    """The image under discussion; `classes` by wnid are those whose references are shown.

    `note_draft` is a note that the viewer hasn't added yet.
    """

    image: int
    place: str
    answers: tuple[DiscussedAnswerView, ...]
    accepted: str
    classes: tuple[str, ...]
    notes: tuple[NoteView, ...]
    note_draft: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussionView:
    """The whole screen; `sentence` says why there are no images, if there are none."""

    members: tuple[MemberView, ...]
    summary: str
    rows: tuple[PictureRow, ...]
    current: int | None
    discussed: DiscussedImageView | None
    sentence: str


# More columns of references than this would be too narrow.
_MOST_CLASSES = 4
_TONES = {
    AnswerAccord.DIFFERENT: (AnswerTone.DIFFERENT, "different answers"),
    AnswerAccord.SAME_AND_WRONG: (AnswerTone.WRONG, "all wrong"),
    AnswerAccord.SAME_AND_RIGHT: (AnswerTone.RIGHT, "all right"),
}
assert set(_TONES) == set(AnswerAccord), "every accord has its tone"


class GroupDiscussion:
    """Shows one image of the discussion at a time; notes are stored before they are shown."""

    def __init__(
        self,
        *,
        table: TrainingReview,
        taxonomy: Taxonomy,
        runner: Runner,
        describe_error: Callable[[Exception], str],
    ) -> None:
        self._table, self._runner, self._describe_error = table, runner, describe_error
        self._names = taxonomy.display_names
        self._facts: DiscussionFacts | None = None
        self._current = 0
        self._wanted = LatestRequest(runner)
        self._show: Callable[[DiscussionView], None] = lambda _view: None
        self._fail: Callable[[str], None] = lambda _sentence: None
        self._note_drafts: dict[int, str] = {}
        self._on_its_way: tuple[int, str] | None = None
        self._drafts = DraftWriter[str](
            keep=lambda image, text: table.save_note_draft(int(image), text),
            runner=runner,
            notify=self._draft_written,
        )

    def listen(
        self,
        *,
        show: Callable[[DiscussionView], None],
        fail: Callable[[str], None],
    ) -> None:
        """Set the function that shows the view."""
        self._show, self._fail = show, fail

    def open(self, group: tuple[str, ...] | None = None) -> None:
        """Show the discussion of a group, or of everyone."""
        self._wanted.run(
            "read discussion",
            lambda: self._table.discussion(group),
            done=self._has_come,
            failed=lambda error: self._fail(self._describe_error(error)),
        )

    def refresh(self) -> None:
        """Show notes that others have added meanwhile; everything else stays as it is."""
        if self._facts is None or self._on_its_way is not None:
            return
        group = self._facts.discussion.group
        self._runner.run(
            "read notes",
            lambda: self._table.discussion(group),
            done=self._take_newer_notes,
            failed=lambda error: self._fail(self._describe_error(error)),
        )

    def _take_newer_notes(self, facts: DiscussionFacts) -> None:
        shown = self._facts
        if shown is None or facts.discussion.group != shown.discussion.group:
            return
        if facts.notes != shown.notes and self._on_its_way is None:
            self._facts = replace(shown, notes=facts.notes)
            self._render()

    def toggle(self, code: str) -> None:
        """Add a person to the group, or remove them."""
        if self._facts is not None:
            chosen = set(self._facts.discussion.group) ^ {code}
            self.open(tuple(code for code in self._facts.trained if code in chosen))

    def go_to(self, place: int) -> None:
        """Show another image; indices beyond either end are clamped."""
        if self._images:
            wanted = max(0, min(place, len(self._images) - 1))
            if wanted != self._current:
                self._current = wanted
                self._render()

    def step(self, steps: int) -> None:
        self.go_to(self._current + steps)

    def edit_note_draft(self, text: str) -> None:
        """Save what is typed about the current image."""
        if self._images:
            image = self._images[self._current].image
            self._note_drafts[image] = text
            self._drafts.put(str(image), text)

    def add_note(self) -> None:
        """Add what was typed to the notes of the current image."""
        if self._facts is None or not self._images:
            return
        image, group = self._images[self._current].image, self._facts.discussion.group
        text = self._note_drafts.get(image, "")
        # A second press while the note is being stored must not add it twice.
        if self._on_its_way == (image, text) or not text.strip():
            return
        self._on_its_way = (image, text)
        self._drafts.forget(str(image))
        self._runner.run(
            "add note",
            lambda: self._table.add_note(group, image=image, text=text),
            done=lambda notes: self._take_notes(image, text, notes),
            failed=self._not_added,
        )

    def keep(self) -> None:
        """Submit unsaved note drafts to the database worker now."""
        self._drafts.finish()

    def close(self) -> None:
        """Cancel reads; running writes finish."""
        self._wanted.drop()
        self.keep()
        self.listen(show=lambda _view: None, fail=lambda _sentence: None)

    @property
    def _images(self) -> tuple[DiscussedImage, ...]:
        return self._facts.discussion.images if self._facts else ()

    def _has_come(self, facts: DiscussionFacts) -> None:
        self._facts, self._current = facts, 0
        self._note_drafts = dict(facts.note_drafts)
        self._render()

    def _take_notes(self, image: int, text: str, notes: tuple[DiscussionNote, ...]) -> None:
        """Show the notes, and keep what was typed since the last one was added."""
        self._on_its_way = None
        if self._note_drafts.get(image) == text:
            del self._note_drafts[image]
        if self._facts is not None:
            self._facts = replace(self._facts, notes={**self._facts.notes, image: notes})
            self._render()

    def _not_added(self, error: Exception) -> None:
        self._on_its_way = None
        self._fail(self._describe_error(error))

    def _draft_written(self, fault: Exception | None) -> None:
        if fault is not None:
            self._fail(self._describe_error(fault))

    # Views.

    def _render(self) -> None:
        facts = self._facts
        if facts is None:
            return
        images = self._images
        self._show(
            DiscussionView(
                members=self._members(facts),
                summary=_summary(facts),
                rows=tuple(self._row(image) for image in images),
                current=self._current if images else None,
                discussed=self._discussed(images[self._current]) if images else None,
                sentence="" if images else self._why_nothing(facts),
            )
        )

    def _members(self, facts: DiscussionFacts) -> tuple[MemberView, ...]:
        viewer = self._table.viewer
        own = None if viewer.is_lead else viewer.code
        return tuple(
            MemberView(code, code in facts.discussion.group, code == own) for code in facts.trained
        )

    def _row(self, image: DiscussedImage) -> PictureRow:
        tone, word = _TONES[image.accord]
        notes = len(self._notes(image.image))
        return PictureRow(
            image=image.image,
            answer=" / ".join(self._names[wnid] for wnid in image.labels),
            tone=tone,
            word=word,
            accepted=self._accepted(image),
            caption=f"{notes} {'note' if notes == 1 else 'notes'}" if notes else "",
        )

    def _discussed(self, image: DiscussedImage) -> DiscussedImageView:
        return DiscussedImageView(
            image=image.image,
            place=f"{self._current + 1:,} of {len(self._images):,}",
            answers=tuple(
                DiscussedAnswerView(answer.labeler, self._names[answer.label], answer.right)
                for answer in image.answers
            ),
            accepted=self._accepted(image),
            classes=image.in_question[:_MOST_CLASSES],
            notes=tuple(
                NoteView(note.author, format_moment(datetime.fromisoformat(note.at)), note.text)
                for note in self._notes(image.image)
            ),
            note_draft=self._note_drafts.get(image.image, ""),
        )

    def _notes(self, image: int) -> tuple[DiscussionNote, ...]:
        return self._facts.notes.get(image, ()) if self._facts else ()

    def _accepted(self, image: DiscussedImage) -> str:
        return " or ".join(self._names[wnid] for wnid in image.accepted) or "none"

    def _why_nothing(self, facts: DiscussionFacts) -> str:
        viewer, trained = self._table.viewer, facts.trained
        if not trained:
            return NO_ONE_TRAINED
        if not viewer.is_lead and viewer.code not in trained:
            return NOT_TRAINED
        if len(trained) < MIN_GROUP_SIZE:
            return (
                f"Only {trained[0]} has trained so far. A discussion needs at least two labelers."
            )
        if len(facts.discussion.group) < MIN_GROUP_SIZE:
            return CHOOSE_TWO
        return NO_COMMON_IMAGE


def _summary(facts: DiscussionFacts) -> str:
    """Return how many images are shown, and how many aren't because an answer is missing."""
    found = facts.discussion
    if len(found.group) < MIN_GROUP_SIZE:
        return ""
    images = "1 image" if len(found.images) == 1 else f"{len(found.images):,} images"
    waiting = "1 more isn't" if found.waiting == 1 else f"{found.waiting:,} more aren't"
    return (
        f"{images} answered by all, {found.different:,} of them differently. {waiting} shown: "
        f"{SOMEONE_WAITS}"
        if found.waiting
        else f"{images} answered by all, {found.different:,} of them differently."
    )
