"""Reviewing class by class: one class at a time, every image for which it is asked as a grid."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from labeler.app.presenters.class_views import ResultRow
from labeler.app.presenters.review_sitting import ReviewSitting
from labeler.app.presenters.review_views import ClassReviewView, ReviewStage, TileView
from labeler.core.blind_review import OwnVerdict
from labeler.core.class_rounds import Round
from labeler.core.study import CorrectKind, Verdict

_DONE = "Every image of this class is judged."


class ReviewByClass:
    """Takes what the reviewer means, and gives views; the sitting keeps the verdicts."""

    def __init__(self, *, sitting: ReviewSitting, name_class: Callable[[str], ResultRow]) -> None:
        self._sitting, self._name_class = sitting, name_class
        self._show: Callable[[ClassReviewView], None] = lambda _view: None
        self._rounds: tuple[Round, ...] = ()
        self._round: Round | None = None
        self._places: dict[str, int] = {}
        self.view = ClassReviewView()

    def listen(self, show: Callable[[ClassReviewView], None]) -> None:
        self._show = show

    def start(self) -> None:
        """Begin at the first class of which an image waits."""
        self._sitting.storing.listen(self._stored)
        self._rounds = self._sitting.order.rounds()
        waiting = self._waiting(self._rounds)
        if waiting is None:
            self._finish()
        else:
            self.open(waiting)

    def open(self, one: Round) -> None:
        """Show a class with its images, in an order that stays while the class is open."""
        self._round, wnid = one, one.wnid
        tiles = self._sitting.order.tiles(one)
        self._places = {visit_id: place for place, visit_id in enumerate(tiles)}
        view = ClassReviewView(
            stage=ReviewStage.JUDGING,
            wnid=wnid,
            name=self._name_class(wnid).name,
            number=self._rounds.index(one) + 1,
            classes=len(self._rounds),
            tiles=tuple([TileView(v, self._sitting.order.own(v, wnid)) for v in tiles]),
        )
        self._render(self._counted(view))

    def judge(
        self, places: Sequence[int], verdict: Verdict, kind: CorrectKind | None = None
    ) -> None:
        """Give the tiles at those places one verdict."""
        wnid = self.view.wnid
        if self.view.stage is not ReviewStage.JUDGING or wnid is None:
            return
        chosen = [self.view.tiles[place].visit_id for place in places]
        self._sitting.judge([(v, wnid) for v in chosen], OwnVerdict(verdict, kind))
        self._refresh(chosen)

    def undo(self) -> int | None:
        """Take the last verdicts back; give the place of the first, for the eye to return to."""
        act = () if self._paused else self._sitting.undo()
        if not act:
            return None
        order, first = self._sitting.order, act[0]
        one = order.round_of(first.visit_id, first.wnid)
        if one != self._round:
            self.open(one)
        else:
            self._refresh([order.owner(judged.visit_id, judged.wnid) for judged in act])
        return self._places.get(order.owner(first.visit_id, first.wnid))

    def next_waiting(self, after: int) -> int:
        """The place of the next tile without a verdict; the last place where there is none."""
        tiles = self.view.tiles
        following = (n for n in range(after + 1, len(tiles)) if tiles[n].own is None)
        return next(following, min(after + 1, len(tiles) - 1))

    def next_class(self) -> None:
        """Go on to the next class of which an image waits; at the end, to the first such."""
        if self._round is None or self._paused:
            return
        place = self._rounds.index(self._round)
        waiting = self._waiting(self._rounds[place + 1 :] + self._rounds[:place])
        if waiting is not None:
            self.open(waiting)
        elif self.view.left == 0:
            self._finish()

    def previous_class(self) -> None:
        place = 0 if self._round is None else self._rounds.index(self._round)
        if place and not self._paused:
            self.open(self._rounds[place - 1])

    def pause_or_resume(self) -> None:
        if self.view.stage is ReviewStage.PAUSED:
            self._sitting.resume()
            self._render(replace(self.view, stage=ReviewStage.JUDGING))
        elif self.view.stage is ReviewStage.JUDGING:
            self._sitting.pause()
            self._render(replace(self.view, stage=ReviewStage.PAUSED))

    @property
    def _paused(self) -> bool:
        """While the clock stands still, nothing but going on is done."""
        return self.view.stage is ReviewStage.PAUSED

    def _waiting(self, rounds: Sequence[Round]) -> Round | None:
        return next((one for one in rounds if self._sitting.order.left_in(one)), None)

    def _finish(self) -> None:
        self._round = None
        view = ClassReviewView(stage=ReviewStage.FINISHED, classes=len(self._rounds))
        self._render(self._counted(view))

    def _refresh(self, changed: Sequence[str]) -> None:
        wnid = self.view.wnid
        assert wnid is not None
        tiles = list(self.view.tiles)
        for visit_id in changed:
            place = self._places.get(visit_id)
            if place is not None:
                tiles[place] = TileView(visit_id, self._sitting.order.own(visit_id, wnid))
        self._render(self._counted(replace(self.view, tiles=tuple(tiles))))

    def _counted(self, view: ClassReviewView) -> ClassReviewView:
        left = 0 if self._round is None else self._sitting.order.left_in(self._round)
        return replace(
            view,
            left=left,
            progress=self._sitting.progress,
            # A second look isn't in sight here, and so isn't taken back.
            can_undo=self._sitting.can_undo_verdict,
            notice=_DONE if view.tiles and not left else "",
            trouble=self._sitting.storing.trouble,
        )

    def _stored(self) -> None:
        if self._sitting.storing.trouble != self.view.trouble:
            self._render(replace(self.view, trouble=self._sitting.storing.trouble))

    def _render(self, view: ClassReviewView) -> None:
        self.view = view
        self._show(view)
