"""Review of near-duplicates, a candidate and its neighbours at a time; for the lead."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from labeler.app.curation.duplicate_overview import pairs_within
from labeler.app.runner import Runner
from labeler.core.clock import Clock, stamp
from labeler.core.curation.duplicate_sets import (
    LARGE_SET,
    SetSplit,
    duplicate_pairs,
    duplicate_sets,
    suggest_split,
)
from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.curation.near_duplicates import (
    DuplicateRow,
    ImagePair,
    JudgedPair,
    plan_review,
)
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.core.text import count_noun
from labeler.images.file_reader import read_known_file
from labeler.store.curation.duplicates import ComparedImage
from labeler.store.study_store import StudyStore

NOTHING_OPEN = "Every pair within the limits is reviewed."
NOT_SEARCHED = "The images weren't searched for near-duplicates yet."
METRIC_NAMES = {
    DuplicateMetric.L2: "pixels",
    DuplicateMetric.FEATURES: "network features",
    DuplicateMetric.DSSIM: "DSSIM",
    DuplicateMetric.SOURCE: "source",
    DuplicateMetric.MANUAL: "manual",
}
assert set(METRIC_NAMES) == set(DuplicateMetric), "every metric has a name"
_PLACES = {
    DatasetRole.POOL: ("pool", 0),
    DatasetRole.EVALUATION: ("original · protected", 1),
    DatasetRole.TRAINING: ("training", 2),
    DatasetRole.REFERENCE: ("references", 3),
}
assert set(_PLACES) == set(DatasetRole), "every role has its words"
_MILLION = 1e6


def format_distance(metric: DuplicateMetric, distance: float) -> str:
    """Return a distance as text; pixel distances are in millions."""
    if metric is DuplicateMetric.L2:
        return f"{distance / _MILLION:.1f} M"
    return f"{distance:.3f}" if metric is DuplicateMetric.DSSIM else f"{distance:.3g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourView:
    """A neighbour of the candidate: where it is, its distance, and its verdict if it has one."""

    image: ImageKey
    place: str
    distance: float
    limit: float
    text: str
    others: str
    verdict: PairVerdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeSet:
    """A set over ten images, and how it could be split."""

    images: tuple[ImageKey, ...]
    split: SetSplit


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateReviewView:
    """The row that is open, and how far the review is."""

    loading: bool = True
    number: int = 0
    total: int = 0
    candidate: ImageKey | None = None
    place: str = ""
    about: str = ""
    limit: str = ""
    neighbours: tuple[NeighbourView, ...] = ()
    focused: int = 0
    warning: str = ""
    sets: int = 0
    large_sets: tuple[LargeSet, ...] = ()
    can_undo: bool = False
    busy: bool = False
    finished: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQueue:
    """Everything that is read when the review begins."""

    rows: tuple[DuplicateRow, ...]
    images: Mapping[ImageKey, ComparedImage]
    limits: Mapping[DuplicateMetric, float]
    distances: Mapping[DuplicateMetric, Mapping[ImagePair, float]]
    verdicts: Mapping[ImagePair, JudgedPair]


class DuplicateSession:
    """The blocking calls of the review."""

    def __init__(self, store: StudyStore, code: str) -> None:
        self._store, self._code = store, code

    def queue(self) -> ReviewQueue:
        """Read the open pairs of every metric."""
        with self._store.read() as study:
            repository = study.near_duplicates
            records = repository.searches()
            pairs = {metric: pairs_within(study, record) for metric, record in records.items()}
            images = {image.key: image for image in repository.images()}
            verdicts = repository.verdicts()
            same_source = set(repository.same_source())
            rejected = {key for pool in study.pools.names() for key in study.pools.rejected(pool)}
        rows = plan_review(
            pairs,
            {metric: record.limit for metric, record in records.items()},
            reviewed={*verdicts, *same_source},
            protection={key: _PLACES[image.role][1] for key, image in images.items()},
            skipped=rejected,
        )
        return ReviewQueue(
            rows=tuple(rows),
            images=images,
            limits={metric: record.limit for metric, record in records.items()},
            distances=pairs,
            verdicts=verdicts,
        )

    def judge(self, judged: Sequence[JudgedPair]) -> Mapping[ImagePair, JudgedPair]:
        """Store verdicts durably and return all that count now."""
        with self._store.write() as study:
            study.near_duplicates.judge(judged)
            return study.near_duplicates.verdicts()

    def withdraw(self, judged: Sequence[JudgedPair]) -> Mapping[ImagePair, JudgedPair]:
        """Take verdicts back; they stay on record."""
        with self._store.write() as study:
            study.near_duplicates.judge(judged, withdrawn=True)
            return study.near_duplicates.verdicts()

    def judgement(
        self,
        pair: ImagePair,
        verdict: PairVerdict,
        metric: DuplicateMetric,
        distance: float | None,
    ) -> JudgedPair:
        now = stamp(self._store.clock.utc())
        return JudgedPair(pair, verdict, self._code, now, metric, distance)

    @staticmethod
    def picture(image: ComparedImage) -> EncodedImage:
        return EncodedImage(read_known_file(image.file), image.file.apply_exif)


class DuplicateReview:
    """Presents row after row; every verdict is stored before it is shown as given."""

    def __init__(
        self,
        *,
        session: DuplicateSession,
        runner: Runner,
        clock: Clock,
        describe_error: Callable[[Exception], str],
        name_class: Callable[[str], str],
    ) -> None:
        self._session, self._runner, self._clock = session, runner, clock
        self._describe_error, self._name_class = describe_error, name_class
        self._listener: Callable[[DuplicateReviewView], None] = lambda _view: None
        self._queue: ReviewQueue | None = None
        self._at = 0
        self._verdicts: dict[ImagePair, JudgedPair] = {}
        # What was stored in this session, with the row that was open, for undo.
        self._given: list[tuple[int, tuple[JudgedPair, ...]]] = []
        self.view = DuplicateReviewView()

    def listen(self, listener: Callable[[DuplicateReviewView], None]) -> None:
        self._listener = listener

    def start(self) -> None:
        """Read the rows and show the first."""
        self._runner.run(
            "read near-duplicates", self._session.queue, done=self._begin, failed=self._fail
        )

    def image(self, key: ImageKey) -> ComparedImage | None:
        return None if self._queue is None else self._queue.images.get(key)

    def focus(self, index: int) -> None:
        """Show a neighbour next to the candidate."""
        if 0 <= index < len(self.view.neighbours):
            self._show(focused=index)

    def step(self, steps: int) -> None:
        self.focus(min(max(self.view.focused + steps, 0), len(self.view.neighbours) - 1))

    def judge(self, verdict: PairVerdict) -> None:
        """Judge the focused neighbour, and go to the next without a verdict."""
        row = self._row
        if row is None or self.view.busy:
            return
        neighbour = row.neighbours[self.view.focused]
        given = self._session.judgement(
            ImagePair.of(row.candidate, neighbour.image), verdict, row.metric, neighbour.distance
        )
        self._store((given,), then=partial(self._focus_next, self.view.focused))

    def finish_row(self) -> None:
        """Judge the rest as distinct, and open the next row."""
        row = self._row
        if row is None or self.view.busy:
            return
        rest = tuple(
            self._session.judgement(
                ImagePair.of(row.candidate, n.image), PairVerdict.DISTINCT, row.metric, n.distance
            )
            for n in row.neighbours
            if ImagePair.of(row.candidate, n.image) not in self._verdicts
        )
        if rest:
            self._store(rest, then=self._next_row)
        else:
            self._next_row()

    def undo(self) -> None:
        """Take the last verdicts back, and open the row where they were given."""
        if not self._given or self.view.busy:
            return
        at, judged = self._given[-1]
        self._show(busy=True)

        def done(verdicts: Mapping[ImagePair, JudgedPair]) -> None:
            self._given.pop()
            self._verdicts = dict(verdicts)
            self._at = at
            self._render(focused=0 if len(judged) > 1 else self._place_of(judged[0]))

        self._runner.run(
            "withdraw pair verdicts",
            lambda: self._session.withdraw(judged),
            done=done,
            failed=self._fail,
        )

    def split(self, index: int) -> None:
        """Separate the parts of a large set: the pairs between them become distinct."""
        if self.view.busy or not 0 <= index < len(self.view.large_sets):
            return
        cut = self.view.large_sets[index].split.cut
        given = tuple(
            self._session.judgement(pair, PairVerdict.DISTINCT, DuplicateMetric.MANUAL, None)
            for pair in cut
        )
        self._store(given, then=self._render)

    @property
    def _row(self) -> DuplicateRow | None:
        if self._queue is None or self._at >= len(self._queue.rows):
            return None
        return self._queue.rows[self._at]

    def _begin(self, queue: ReviewQueue) -> None:
        self._queue, self._verdicts = queue, dict(queue.verdicts)
        self._at = 0
        self._render()

    def _store(self, judged: tuple[JudgedPair, ...], *, then: Callable[[], None]) -> None:
        self._show(busy=True, trouble="")
        at = self._at

        def done(verdicts: Mapping[ImagePair, JudgedPair]) -> None:
            self._given.append((at, judged))
            self._verdicts = dict(verdicts)
            then()

        self._runner.run(
            "store pair verdicts",
            lambda: self._session.judge(judged),
            done=done,
            failed=self._fail,
        )

    def _fail(self, error: Exception) -> None:
        self._show(busy=False, loading=False, trouble=self._describe_error(error))

    def _next_row(self) -> None:
        self._at += 1
        # Another row may have settled all pairs of this one.
        while (row := self._row) is not None and all(
            ImagePair.of(row.candidate, n.image) in self._verdicts for n in row.neighbours
        ):
            self._at += 1
        self._render()

    def _focus_next(self, judged: int) -> None:
        row = self._row
        assert row is not None, "a verdict was given in it"
        open_places = [
            place
            for place, n in enumerate(row.neighbours)
            if ImagePair.of(row.candidate, n.image) not in self._verdicts
        ]
        later = [place for place in open_places if place > judged]
        self._render(focused=(later or open_places or [judged])[0])

    def _place_of(self, judged: JudgedPair) -> int:
        row = self._row
        images = [] if row is None else [n.image for n in row.neighbours]
        return next(
            (p for p, i in enumerate(images) if i in (judged.pair.first, judged.pair.second)), 0
        )

    def _show(self, **changes: object) -> None:
        self.view = replace(self.view, **changes)  # type: ignore[arg-type]
        self._listener(self.view)

    def _render(self, *, focused: int = 0) -> None:
        queue = self._queue
        assert queue is not None, "the rows were read"
        joined = duplicate_pairs(self._verdicts)
        sets = duplicate_sets(joined)
        row = self._row
        shared = DuplicateReviewView(
            loading=False,
            number=min(self._at + 1, len(queue.rows)),
            total=len(queue.rows),
            sets=len(sets),
            large_sets=self._large_sets(sets, joined),
            can_undo=bool(self._given),
        )
        if row is None:
            ended = NOTHING_OPEN if queue.limits else NOT_SEARCHED
            self.view = replace(shared, finished=ended)
        else:
            self.view = replace(
                shared,
                candidate=row.candidate,
                place=_PLACES[queue.images[row.candidate].role][0],
                about=self._about(queue, row),
                limit=format_distance(row.metric, queue.limits[row.metric]),
                neighbours=tuple(
                    self._neighbour(queue, row, n.image, n.distance) for n in row.neighbours
                ),
                focused=focused,
                warning=self._warning(queue, row, sets),
            )
        self._listener(self.view)

    def _about(self, queue: ReviewQueue, row: DuplicateRow) -> str:
        name = self._name_class(queue.images[row.candidate].wnid)
        return f"{name} · {METRIC_NAMES[row.metric]}"

    def _neighbour(
        self, queue: ReviewQueue, row: DuplicateRow, image: ImageKey, distance: float
    ) -> NeighbourView:
        pair = ImagePair.of(row.candidate, image)
        judged = self._verdicts.get(pair)
        others = [
            f"{METRIC_NAMES[metric]} {format_distance(metric, found[pair])}"
            for metric, found in queue.distances.items()
            if metric is not row.metric and pair in found
        ]
        return NeighbourView(
            image=image,
            place=_PLACES[queue.images[image].role][0],
            distance=distance,
            limit=queue.limits[row.metric],
            text=format_distance(row.metric, distance),
            others=" · ".join(others),
            verdict=None if judged is None else judged.verdict,
        )

    def _warning(
        self, queue: ReviewQueue, row: DuplicateRow, sets: Sequence[tuple[ImageKey, ...]]
    ) -> str:
        members = next((found for found in sets if row.candidate in found), ())
        pool = [key for key in members if self._role(queue, key) is DatasetRole.POOL]
        if not pool or len(pool) == len(members):
            return ""
        lost = count_noun(len(pool), "pool image", "pool images")
        return f"A protected original is in this set of {len(members)}: its {lost} will be removed."

    def _role(self, queue: ReviewQueue, key: ImageKey) -> DatasetRole | None:
        image = queue.images.get(key)
        return None if image is None else image.role

    def _large_sets(
        self, sets: Sequence[tuple[ImageKey, ...]], joined: Sequence[ImagePair]
    ) -> tuple[LargeSet, ...]:
        distances = {pair: self._verdicts[pair].distance or 0.0 for pair in joined}
        return tuple(
            LargeSet(images=members, split=suggest_split(members, distances))
            for members in sets
            if len(members) > LARGE_SET
        )
