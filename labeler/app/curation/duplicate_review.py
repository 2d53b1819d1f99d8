"""Review of near-duplicates, a candidate and its neighbours at a time; for the lead."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from labeler.app.curation.duplicate_session import (
    PLACES,
    DuplicateSession,
    PairDecisions,
    ReviewQueue,
)
from labeler.app.curation.duplicate_views import (
    METRIC_NAMES,
    DuplicateReviewView,
    LargeSet,
    NeighbourView,
    SurvivorView,
    format_distance,
)
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.curation.duplicate_sets import (
    LARGE_SET,
    duplicate_pairs,
    duplicate_sets,
    suggest_split,
)
from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.curation.near_duplicates import (
    DuplicateRow,
    ImagePair,
    JudgedPair,
)
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.core.text import count_noun
from labeler.store.curation.duplicate_searches import ComparedImage

NOTHING_OPEN = "Every pair within the limits is reviewed."
NOT_SEARCHED = "The images weren't searched for near-duplicates yet."


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
        self._decisions = PairDecisions(verdicts={}, kept=frozenset())
        self._joined: list[ImagePair] = []
        self._sets: list[tuple[ImageKey, ...]] = []
        # How what was stored in this session is taken back.
        self._given: list[_Given] = []
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
            queue, row = self._queue, self._row
            assert queue is not None, "it has neighbours"
            assert row is not None, "it has neighbours"
            self._show(focused=index, survivor=self._survivor(queue, row, index))

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
        self._judge((given,), then=partial(self._focus_next, self.view.focused))

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
            self._judge(rest, then=self._next_row)
        else:
            self._next_row()

    def undo(self) -> None:
        """Take the last verdicts back, and open the row where they were given."""
        if not self._given or self.view.busy:
            return
        last = self._given[-1]

        def then() -> None:
            self._given.pop()
            self._at = last.at
            self._render(focused=last.focused)

        self._run("undo in near-duplicates", last.take_back, then=then)

    def keep_candidate(self) -> None:
        """Keep the candidate of its set."""
        survivor, row = self.view.survivor, self._row
        if row is not None and survivor is not None and survivor.can_keep_candidate:
            self._keep(row.candidate)

    def keep_neighbour(self) -> None:
        """Keep the focused neighbour of the candidate's set."""
        survivor, row = self.view.survivor, self._row
        if row is not None and survivor is not None and survivor.can_keep_neighbour:
            self._keep(row.neighbours[self.view.focused].image)

    def split(self, index: int) -> None:
        """Separate the parts of a large set: the pairs between them become distinct."""
        if self.view.busy or not 0 <= index < len(self.view.large_sets):
            return
        cut = self.view.large_sets[index].split.cut
        given = tuple(
            self._session.judgement(pair, PairVerdict.DISTINCT, DuplicateMetric.MANUAL, None)
            for pair in cut
        )
        self._judge(given, then=self._render)

    @property
    def _row(self) -> DuplicateRow | None:
        if self._queue is None or self._at >= len(self._queue.rows):
            return None
        return self._queue.rows[self._at]

    def _begin(self, queue: ReviewQueue) -> None:
        self._queue, self._at = queue, 0
        self._decide(queue.decisions)
        self._render()

    @property
    def _verdicts(self) -> Mapping[ImagePair, JudgedPair]:
        return self._decisions.verdicts

    def _judge(self, judged: tuple[JudgedPair, ...], *, then: Callable[[], None]) -> None:
        focused = self._place_of(judged[0]) if len(judged) == 1 else 0
        given = _Given(self._at, focused, lambda: self._session.withdraw(judged))
        self._store("store pair verdicts", lambda: self._session.judge(judged), given, then=then)

    def _keep(self, image: ImageKey) -> None:
        if self.view.busy:
            return
        row, focused = self._row, self.view.focused
        assert row is not None, "an image of it is kept"
        members = self._set_of(row.candidate)
        before = next((key for key in members if key in self._decisions.kept), None)
        given = _Given(self._at, focused, lambda: self._session.keep_before(image, before))
        self._store(
            "keep near-duplicate",
            lambda: self._session.keep(image),
            given,
            then=lambda: self._render(focused=focused),
        )

    def _store(
        self,
        name: str,
        work: Callable[[], PairDecisions],
        given: "_Given",
        *,
        then: Callable[[], None],
    ) -> None:
        def stored() -> None:
            self._given.append(given)
            then()

        self._run(name, work, then=stored)

    def _run(
        self, name: str, work: Callable[[], PairDecisions], *, then: Callable[[], None]
    ) -> None:
        def done(decisions: PairDecisions) -> None:
            self._decide(decisions)
            then()

        self._show(busy=True, trouble="")
        self._runner.run(name, work, done=done, failed=self._fail)

    def _decide(self, decisions: PairDecisions) -> None:
        self._decisions = decisions
        self._joined = duplicate_pairs(decisions.verdicts)
        self._sets = duplicate_sets(self._joined)

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
        row = self._row
        shared = DuplicateReviewView(
            loading=False,
            number=min(self._at + 1, len(queue.rows)),
            total=len(queue.rows),
            sets=len(self._sets),
            large_sets=self._large_sets(),
            can_undo=bool(self._given),
        )
        if row is None:
            ended = NOTHING_OPEN if queue.limits else NOT_SEARCHED
            self.view = replace(shared, finished=ended)
        else:
            self.view = replace(
                shared,
                candidate=row.candidate,
                place=PLACES[queue.images[row.candidate].role][0],
                about=self._about(queue, row),
                limit=format_distance(row.metric, queue.limits[row.metric]),
                neighbours=tuple(
                    self._neighbour(queue, row, n.image, n.distance) for n in row.neighbours
                ),
                focused=focused,
                warning=self._warning(queue, row),
                survivor=self._survivor(queue, row, focused),
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
            place=PLACES[queue.images[image].role][0],
            distance=distance,
            limit=queue.limits[row.metric],
            text=format_distance(row.metric, distance),
            others=" · ".join(others),
            verdict=None if judged is None else judged.verdict,
            is_kept=image in self._decisions.kept,
        )

    def _survivor(self, queue: ReviewQueue, row: DuplicateRow, focused: int) -> SurvivorView | None:
        members = self._set_of(row.candidate)
        if not members or any(self._role(queue, key) is not DatasetRole.POOL for key in members):
            return None
        kept = next((key for key in members if key in self._decisions.kept), None)
        neighbour = row.neighbours[focused].image
        return SurvivorView(
            sentence=f"One of this set of {len(members)} stays: {_kept_words(row, kept)}.",
            can_keep_candidate=kept != row.candidate,
            can_keep_neighbour=neighbour in members and kept != neighbour,
        )

    def _set_of(self, image: ImageKey) -> tuple[ImageKey, ...]:
        return next((members for members in self._sets if image in members), ())

    def _warning(self, queue: ReviewQueue, row: DuplicateRow) -> str:
        members = self._set_of(row.candidate)
        pool = [key for key in members if self._role(queue, key) is DatasetRole.POOL]
        if not pool or len(pool) == len(members):
            return ""
        lost = count_noun(len(pool), "pool image", "pool images")
        return f"A protected original is in this set of {len(members)}: its {lost} will be removed."

    def _role(self, queue: ReviewQueue, key: ImageKey) -> DatasetRole | None:
        image = queue.images.get(key)
        return None if image is None else image.role

    def _large_sets(self) -> tuple[LargeSet, ...]:
        distances = {pair: self._verdicts[pair].distance or 0.0 for pair in self._joined}
        return tuple(
            LargeSet(images=members, split=suggest_split(members, distances))
            for members in self._sets
            if len(members) > LARGE_SET
        )


@dataclass(frozen=True, slots=True)
class _Given:
    """What was stored: in which row, at which neighbour, and how it is taken back."""

    at: int
    focused: int
    take_back: Callable[[], PairDecisions]


def _kept_words(row: DuplicateRow, kept: ImageKey | None) -> str:
    if kept is None:
        return "the one that annotators select most, unless you choose"
    if kept == row.candidate:
        return "the candidate, as you chose"
    places = {found.image: number for number, found in enumerate(row.neighbours, 1)}
    return f"neighbour {places[kept]}, as you chose" if kept in places else "another, as you chose"
