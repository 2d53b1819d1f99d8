"""Review the classes of a revision: its images above originals, one class after another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from labeler.app.curation.duplicate_marks import marked_pair, set_words, sets_summary
from labeler.app.curation.rejections import REASON_WORDS
from labeler.app.curation.revision_history import RevisionReader
from labeler.app.runner import Runner
from labeler.app.study.settings import read_study_settings
from labeler.core.curation.entities import (
    BuiltImage,
    Candidate,
    RejectReason,
    RevisionState,
)
from labeler.core.curation.near_duplicates import JudgedPair
from labeler.core.curation.revisions import ClassState
from labeler.core.errors import RefusedError
from labeler.core.hash_order import derived_seed, shuffled
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun
from labeler.images.file_reader import read_image_bytes
from labeler.store.study_store import StudyStore, Transaction

NOTHING_TO_REVIEW = "No revision waits for a review."
ALL_REVIEWED = "Every class is reviewed."
FIRST_OF_PAIR = "duplicate of…"


@dataclass(frozen=True, slots=True)
class ClassReviewProgress:
    """The newest revision that isn't final, and how many of its classes are reviewed."""

    dataset: str
    revision: int
    classes: int
    reviewed: int
    needs_work: int


def class_review_progress(study: Transaction) -> ClassReviewProgress | None:
    """Return the newest revision that can be reviewed, or None."""
    waiting = [r for r in study.built_datasets.revisions() if r.state is not RevisionState.FINAL]
    if not waiting:
        return None
    newest = waiting[-1]
    states = RevisionReader(study, newest.dataset).states(newest.revision)
    return ClassReviewProgress(
        newest.dataset,
        newest.revision,
        len(states),
        sum(state.reviewed for state in states.values()),
        sum(state.needs_work for state in states.values()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTile:
    """An image of the class as the screen shows it: by number, without its file or source.

    `mark` says that it is rejected and why, `same_set` which near-duplicates it belongs to;
    `frequency` is empty unless the reviewer may see it.
    """

    number: int
    taken: str
    query: str
    mark: str = ""
    same_set: str = ""
    chosen: bool = True
    frequency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetReviewView:
    """One class of the queue."""

    name: str
    gloss: str
    dataset: str
    revision: int
    position: int
    total: int
    reviewed: int
    needs_work: int
    state: ClassState
    tiles: tuple[ReviewTile, ...]
    chosen: int
    candidates: int
    originals: tuple[str, ...]
    shows_all: bool
    summary: str


@dataclass(slots=True)
class _ClassContents:
    """What was read about the shown class; the keys never reach the screen."""

    label: str
    images: list[Candidate]
    chosen: frozenset[ImageKey]
    originals: list[ImageKey] = field(default_factory=list)
    sets: list[tuple[ImageKey, ...]] = field(default_factory=list)


class ClassReviewPresenter:
    """One reviewer's way through the classes; every decision is stored before the next class.

    With `shows_frequencies` the person sees them whatever the study's setting is.
    """

    def __init__(
        self,
        *,
        store: StudyStore,
        reviewer: str,
        runner: Runner,
        describe: Callable[[Exception], str],
        dataset: str = "",
        revision: int = 0,
        shows_frequencies: bool = False,
    ) -> None:
        self._store, self._reviewer, self._runner = store, reviewer, runner
        self._describe = describe
        self._dataset, self._revision = dataset, revision
        self._shows_frequencies = self._may_see_frequencies = shows_frequencies
        self._states: dict[str, ClassState] = {}
        self._built_images: dict[int, list[BuiltImage]] = {}
        self._contents: _ClassContents | None = None
        self._shows_all = False
        self._draw = 0
        # How the last changes in this class are taken back.
        self._undo: list[Callable[[], _ClassContents]] = []
        # The image whose duplicate is asked for.
        self._first: ImageKey | None = None
        self.message = ""
        self.busy = False
        self._show: Callable[[], None] = _ignore

    def listen(self, show: Callable[[], None]) -> None:
        self._show = show

    def start(self) -> None:
        """Show the first open class of this reviewer's part of the queue."""
        self._do("read class review", lambda: self._read(self._first_open()))

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
        labels = list(self._states)
        shown = self._shown()
        taxonomy = self._store.taxonomy
        rejected = sum(each.rejected is not None for each in shown)
        same = set_words(contents.sets, [*self.keys, *contents.originals])
        parts = (f"{count_noun(rejected, 'image')} rejected" if rejected else "",)
        return DatasetReviewView(
            name=taxonomy.display_names[contents.label],
            gloss=taxonomy[contents.label].gloss,
            dataset=self._dataset,
            revision=self._revision,
            position=labels.index(contents.label) + 1,
            total=len(labels),
            reviewed=sum(state.reviewed for state in self._states.values()),
            needs_work=sum(state.needs_work for state in self._states.values()),
            state=self._states[contents.label],
            tiles=tuple(self._tile(number, each, same) for number, each in enumerate(shown, 1)),
            chosen=len(contents.chosen),
            candidates=len(contents.images),
            originals=tuple(self._set_mark(key, same) for key in contents.originals),
            shows_all=self._shows_all,
            summary=" · ".join(filter(None, (*parts, sets_summary(same)))),
        )

    def show_all(self, shows_all: bool) -> None:
        """Show all candidates of the class, or only the chosen images."""
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
        """Store that the class is reviewed, and whether it needs work; show the next open one."""
        if self._contents is None or self.busy:
            return
        label = self._contents.label
        self._forget()
        self._do("store class review", lambda: self._record(label, needs_work=needs_work))

    def move(self, step: int) -> None:
        """Show the next or previous class, reviewed or not."""
        if self._contents is not None and not self.busy:
            labels = list(self._states)
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

    def _first_open(self) -> str:
        with self._store.read() as study:
            if not self._revision:
                progress = class_review_progress(study)
                if progress is None:
                    raise RefusedError(NOTHING_TO_REVIEW)
                self._dataset, self._revision = progress.dataset, progress.revision
            states = self._reader(study).states(self._revision)
        if not states:
            raise RefusedError(NOTHING_TO_REVIEW)
        labels = list(states)
        # Several reviewers begin at different classes, so that they rarely meet.
        start = derived_seed(0, "class review", self._reviewer) % len(labels)
        queue = labels[start:] + labels[:start]
        return next((label for label in queue if not states[label].is_done), labels[0])

    def _reader(self, study: Transaction) -> RevisionReader:
        return RevisionReader(study, self._dataset, known_images=self._built_images)

    def _read(self, label: str) -> _ClassContents:
        with self._store.read() as study:
            reader = self._reader(study)
            self._states = reader.states(self._revision)
            allowed = read_study_settings(study).shows_frequencies
            self._shows_frequencies = self._may_see_frequencies or allowed
            revision = reader.require(self._revision)
            built = study.built_datasets.images(self._dataset, self._revision, label=label)
            candidates = study.pools.candidates(revision.pool, label=label)
            images = _in_order(candidates, built, by_frequency=self._shows_frequencies)
            reference = str(revision.parameters.get("reference") or _reference(study))
            originals = study.pools.images_of_class(reference, label) if reference else []
            drawn = shuffled(
                originals,
                seed=self._draw,
                purpose="originals",
                key=lambda key: (key.dataset, key.image),
            )[: max(10, len(built))]
            shown = [*(each.image for each in images), *drawn]
            sets = study.near_duplicates.sets_with(shown)
        return _ClassContents(label, images, frozenset(b.image for b in built), drawn, sets)

    def _set_rejection(
        self, image: ImageKey, reason: RejectReason | None, label: str
    ) -> _ClassContents:
        with self._store.write() as study:
            if reason is None:
                study.pools.unreject(image)
            else:
                study.pools.reject(image, reason, by=self._reviewer)
            study.audit.record(
                "candidate rejected" if reason else "rejection taken back",
                actor=self._reviewer,
                pool=image.dataset,
                image=image.image,
                reason=str(reason or ""),
            )
        return self._read(label)

    def _judge(self, pair: JudgedPair, label: str, *, withdrawn: bool = False) -> _ClassContents:
        with self._store.write() as study:
            study.near_duplicates.judge([pair], withdrawn=withdrawn)
        return self._read(label)

    def _record(self, label: str, *, needs_work: bool) -> _ClassContents:
        with self._store.write() as study:
            study.class_reviews.record(
                dataset=self._dataset,
                revision=self._revision,
                label=label,
                reviewer=self._reviewer,
                reviewed=True,
                needs_work=needs_work,
            )
        with self._store.read() as study:
            states = self._reader(study).states(self._revision)
        labels = list(states)
        after = labels.index(label) + 1
        queue = labels[after:] + labels[:after]
        return self._read(next((each for each in queue if not states[each].reviewed), label))

    # Back on the GUI thread.

    def _do(self, name: str, work: Callable[[], _ClassContents]) -> None:
        self.busy, self.message = True, ""
        self._runner.run(name, work, done=self._arrived, failed=self._failed)

    def _arrived(self, contents: _ClassContents) -> None:
        if self._contents is not None and contents.label != self._contents.label:
            self._shows_all = False
        self._contents, self.busy = contents, False
        if all(state.reviewed for state in self._states.values()):
            self.message = ALL_REVIEWED
        self._show()

    def _failed(self, error: Exception) -> None:
        self.busy, self.message = False, self._describe(error)
        self._show()

    def _shown(self) -> list[Candidate]:
        contents = self._contents
        assert contents is not None, "a class is shown"
        if self._shows_all:
            return contents.images
        return [each for each in contents.images if each.image in contents.chosen]

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
        if self._shows_frequencies and each.frequency is not None:
            counts = f"{each.frequency.selected} of {each.frequency.shown}"
            return replace(tile, frequency=counts)
        return tile


def candidate_picture(store: StudyStore, key: ImageKey) -> EncodedImage | None:
    """Return the file of a candidate or original, or None if it has none."""
    with store.read() as study:
        file = study.pools.files([key]).get(key)
    return None if file is None else EncodedImage(read_image_bytes(file.path), file.apply_exif)


def _in_order(
    candidates: list[Candidate], built: list[BuiltImage], *, by_frequency: bool
) -> list[Candidate]:
    """Return the chosen images by date taken, then the other candidates.

    These are by frequency only for those who may see it, because an order gives it away.
    """
    chosen = {each.image for each in built}

    def order(each: Candidate) -> tuple[bool, Fraction, str, ImageKey]:
        ranked = by_frequency and each.image not in chosen
        rank = -each.value if ranked else Fraction(0)
        return each.image not in chosen, rank, each.source.taken_at, each.image

    return sorted(candidates, key=order)


def _reference(study: Transaction) -> str:
    """Return the first dataset that the images can be compared with."""
    linked = study.built_datasets.linked()
    names = [d.name for d in study.datasets.all() if d.name not in (*linked, *study.pools.names())]
    return names[0] if names else ""


def _ignore() -> None:
    """Show nothing before a screen listens."""
