"""Review the classes of a revision: its images above originals, one class after another."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from labeler.app.curation.class_review_session import (
    ClassContents,
    ReviewedClasses,
    RevisionClasses,
    set_rejection,
    set_verdict,
)
from labeler.app.curation.class_review_views import DatasetReviewView, ReviewTile
from labeler.app.curation.duplicate_marks import marked_pair, set_words, sets_summary
from labeler.app.curation.rejections import REASON_WORDS
from labeler.app.runner import Runner
from labeler.core.curation.entities import Candidate, RejectReason
from labeler.core.curation.near_duplicates import JudgedPair
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore

ALL_REVIEWED = "Every class is reviewed."
FIRST_OF_PAIR = "duplicate of…"


class ClassReviewPresenter:
    """One reviewer's way through the classes; every decision is stored before the next class.

    By default they are those of the newest revision that isn't final.
    """

    def __init__(
        self,
        *,
        store: StudyStore,
        reviewer: str,
        runner: Runner,
        describe: Callable[[Exception], str],
        classes: ReviewedClasses | None = None,
    ) -> None:
        self._store, self._reviewer, self._runner = store, reviewer, runner
        self._describe = describe
        self._classes: ReviewedClasses = classes or RevisionClasses(store)
        self._contents: ClassContents | None = None
        self._shows_all = False
        self._draw = 0
        # How the last changes in this class are taken back.
        self._undo: list[Callable[[], ClassContents]] = []
        # The image whose duplicate is asked for.
        self._first: ImageKey | None = None
        self.message = ""
        self.busy = False
        self._show: Callable[[], None] = _ignore

    def listen(self, show: Callable[[], None]) -> None:
        self._show = show

    def start(self) -> None:
        """Show the first open class of this reviewer's part of the queue."""
        self._do("read class review", lambda: self._classes.first(self._reviewer, draw=self._draw))

    @property
    def keys(self) -> list[ImageKey]:
        """The images of the tiles in their order, for the picture loader."""
        return [] if self._contents is None else [each.image for each in self._shown()]

    @property
    def original_keys(self) -> list[ImageKey]:
        return [] if self._contents is None else self._contents.originals

    @property
    def view(self) -> DatasetReviewView | None:
        contents = self._contents
        if contents is None:
            return None
        states = contents.states
        labels = list(states)
        shown = self._shown()
        taxonomy = self._store.taxonomy
        rejected = sum(each.rejected is not None for each in shown)
        same = set_words(contents.sets, [*self.keys, *contents.originals])
        parts = (f"{count_noun(rejected, 'image')} rejected" if rejected else "",)
        return DatasetReviewView(
            name=taxonomy.display_names[contents.label],
            gloss=taxonomy[contents.label].gloss,
            dataset=self._classes.name,
            revision=self._classes.revision,
            position=labels.index(contents.label) + 1,
            total=len(labels),
            reviewed=sum(state.reviewed for state in states.values()),
            needs_work=sum(state.needs_work for state in states.values()),
            state=states[contents.label],
            tiles=tuple(self._tile(number, each, same) for number, each in enumerate(shown, 1)),
            chosen=len(contents.chosen),
            candidates=len(contents.images),
            originals=tuple(self._set_mark(key, same) for key in contents.originals),
            shows_all=self._shows_all_images,
            summary=" · ".join(filter(None, (*parts, sets_summary(same)))),
        )

    def show_all(self, shows_all: bool) -> None:
        """Show all candidates of the class, or only the chosen images; a pool has none yet."""
        self._shows_all = shows_all
        self._show()

    def other_originals(self) -> None:
        """Draw other originals."""
        if self._contents is not None:
            self._draw += 1
            label = self._contents.label
            self._do("read originals", lambda: self._read(label))

    def reject(self, number: int, reason: RejectReason) -> None:
        """Reject an image; it leaves the dataset with the next revision."""
        self._change(number, reason)

    def take_back(self, number: int) -> None:
        """Take a rejection back."""
        self._change(number, None)

    def mark_duplicate(self, number: int, *, original: bool = False) -> None:
        """Begin a pair of near-duplicates with an image, or complete it with another one."""
        keys = self.original_keys if original else self.keys
        if self.busy or self._contents is None or not 1 <= number <= len(keys):
            return
        first, image, label = self._first, keys[number - 1], self._contents.label
        self._first = image if first is None else None
        if first is None or first == image:
            self._show()
            return
        pair = marked_pair(first, image, reviewer=self._reviewer, clock=self._store.clock)
        self._undo.append(lambda: self._judge(pair, label, withdrawn=True))
        self._do("store near-duplicates", lambda: self._judge(pair, label))

    def undo(self) -> None:
        """Take the last rejection or pair of near-duplicates in this class back."""
        if self._first is not None:
            self._first = None
            self._show()
        elif self._undo and not self.busy:
            self._do("undo in class review", self._undo.pop())

    def finish_class(self, *, needs_work: bool = False) -> None:
        """Store that the class is reviewed, and whether it needs work; show the next open one.

        A class of a pool isn't reviewed, nor does it need work: only the next one is shown.
        """
        of_pool = not self._classes.revision
        if self._contents is None or self.busy or (of_pool and needs_work):
            return
        label = self._contents.label
        self._forget()
        self._do(
            "store class review",
            lambda: self._classes.record(
                label, self._reviewer, needs_work=needs_work, draw=self._draw
            ),
        )

    def move(self, step: int) -> None:
        """Show the next or previous class, reviewed or not."""
        if self._contents is not None and not self.busy:
            labels = list(self._contents.states)
            place = (labels.index(self._contents.label) + step) % len(labels)
            self._forget()
            self._do("read class review", lambda: self._read(labels[place]))

    def _forget(self) -> None:
        self._undo, self._first = [], None

    def _change(self, number: int, reason: RejectReason | None) -> None:
        if self.busy or self._contents is None or not 1 <= number <= len(self._shown()):
            return
        each, label = self._shown()[number - 1], self._contents.label
        if each.rejected is reason:
            return
        self._undo.append(lambda: self._set_rejection(each.image, each.rejected, label))
        self._do("store rejection", lambda: self._set_rejection(each.image, reason, label))

    # On the database thread.

    def _read(self, label: str) -> ClassContents:
        return self._classes.read(label, draw=self._draw)

    def _set_rejection(
        self, image: ImageKey, reason: RejectReason | None, label: str
    ) -> ClassContents:
        set_rejection(self._store, image, reason, by=self._reviewer)
        return self._read(label)

    def _judge(self, pair: JudgedPair, label: str, *, withdrawn: bool = False) -> ClassContents:
        set_verdict(self._store, pair, withdrawn=withdrawn)
        return self._read(label)

    # Back on the GUI thread.

    def _do(self, name: str, work: Callable[[], ClassContents]) -> None:
        self.busy, self.message = True, ""
        self._runner.run(name, work, done=self._arrived, failed=self._failed)

    def _arrived(self, contents: ClassContents) -> None:
        if self._contents is not None and contents.label != self._contents.label:
            self._shows_all = False
        self._contents, self.busy = contents, False
        if all(state.reviewed for state in contents.states.values()):
            self.message = ALL_REVIEWED
        self._show()

    def _failed(self, error: Exception) -> None:
        self.busy, self.message = False, self._describe(error)
        self._show()

    def _shown(self) -> list[Candidate]:
        contents = self._contents
        assert contents is not None, "a class is shown"
        if self._shows_all_images:
            return contents.images
        return [each for each in contents.images if each.image in contents.chosen]

    @property
    def _shows_all_images(self) -> bool:
        return self._shows_all or not self._classes.revision

    def _set_mark(self, key: ImageKey, same: Mapping[ImageKey, str]) -> str:
        return FIRST_OF_PAIR if key == self._first else same.get(key, "")

    def _tile(self, number: int, each: Candidate, same: Mapping[ImageKey, str]) -> ReviewTile:
        assert self._contents is not None, "a class is shown"
        tile = ReviewTile(
            number=number,
            taken=each.source.taken_at[:10],
            query=each.source.query,
            mark=REASON_WORDS[each.rejected] if each.rejected else "",
            same_set=self._set_mark(each.image, same),
            chosen=each.image in self._contents.chosen,
        )
        if self._contents.shows_frequencies and each.frequency is not None:
            counts = f"{each.frequency.selected} of {each.frequency.shown}"
            return replace(tile, frequency=counts)
        return tile


def _ignore() -> None:
    """Show nothing before a screen listens."""
