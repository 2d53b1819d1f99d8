"""Review by class: one class at a time, with all its images in a grid."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from labeler.app.classes.class_view import ClassListRow
from labeler.app.review.session import ReviewPosition
from labeler.app.review.session_presenter import ReviewSessionPresenter
from labeler.app.review.views import (
    LOADING_REVIEW,
    ClassReviewView,
    ReviewStage,
    TileView,
    flag_notice,
)
from labeler.core.review.blind_types import OwnFlag, OwnVerdict
from labeler.core.review.visit_order import ClassRound
from labeler.core.study.entities import CorrectKind, Verdict

CLASS_DONE = "All images of this class have been judged."
MOVED_ON = "All images of “{name}” have been judged. Undo returns to them."
LABEL_ADDED = "“{name}” is now a label of this image. You judge it with the images of its class."


class ReviewByClass:
    """Handles the reviewer's actions and renders views; the session presenter holds the verdicts.

    In a large review the current class is loaded completely before the others: until all are loaded
    it has no number, and going to an unknown class waits for the rest.
    """

    def __init__(
        self,
        *,
        session_presenter: ReviewSessionPresenter,
        name_class: Callable[[str], ClassListRow],
    ) -> None:
        self._session_presenter, self._name_class = session_presenter, name_class
        self._show: Callable[[ClassReviewView], None] = lambda _view: None
        self._left = False
        # The last open image was judged: the next class is opened when that is stored.
        self._moving_on = False
        self._flagged: frozenset[str] = frozenset()
        self._round: ClassRound | None = None
        self._positions: dict[str, int] = {}
        self.view = ClassReviewView()

    def listen(self, show: Callable[[ClassReviewView], None]) -> None:
        self._show = show

    def leave(self) -> None:
        """Stop rendering; pending results are ignored."""
        self._left = True

    def start(self, class_round: ClassRound | None) -> None:
        """Start with a class that has an open image, or finish if there is none."""
        self._session_presenter.storing.listen(self._stored)
        if class_round is None:
            self._finish()
        else:
            self.open(class_round)
        self._session_presenter.notify_when_complete(self._count)
        self._session_presenter.database.run(
            "list flagged images",
            self._session_presenter.session.flagged_visits,
            done=self._flags_arrived,
            failed=self._failed,
            urgent=False,
        )

    def open(self, class_round: ClassRound) -> None:
        """Show a class with its images, in an order that stays fixed while the class is open."""
        self._moving_on = False
        self._round, wnid = class_round, class_round.wnid
        self._session_presenter.go_to(ReviewPosition(by_class=True, at=class_round))
        tiles = self._session_presenter.order.tiles(class_round)
        self._positions = {visit_id: position for position, visit_id in enumerate(tiles)}
        view = ClassReviewView(
            stage=ReviewStage.JUDGING,
            wnid=wnid,
            name=self._name_class(wnid).name,
            tiles=tuple([self._tile(visit_id, wnid) for visit_id in tiles]),
        )
        self._render(self._counted(view))

    def judge(
        self,
        positions: Sequence[int],
        verdict: Verdict,
        kind: CorrectKind | None = None,
        *,
        moves_on: bool = True,
    ) -> None:
        """Give the tiles at these positions the same verdict.

        After the last open image of the class the next class is opened, unless `moves_on` is false.
        """
        wnid = self.view.wnid
        if self.view.stage is not ReviewStage.JUDGING or wnid is None:
            return
        chosen = [self.view.tiles[position].visit_id for position in positions]
        was_open = self.view.left > 0
        self._session_presenter.judge([(v, wnid) for v in chosen], OwnVerdict(verdict, kind))
        self._refresh(chosen)
        self._moving_on = moves_on and was_open and not self.view.left
        self._stored()

    def reject_rest(self) -> None:
        """Judge all remaining tiles of the class as wrong; one undo takes all of it back."""
        rest = [n for n, tile in enumerate(self.view.tiles) if tile.own is None]
        if rest:
            self.judge(rest, Verdict.WRONG)

    def undo(self) -> None:
        """Take back the last verdicts and move to the first of them."""
        act = () if self._paused else self._session_presenter.undo()
        if not act:
            return
        self._moving_on = False
        order, first = self._session_presenter.order, act[0]
        class_round = order.round_of(first.visit_id, first.wnid)
        visit_id = order.owner(first.visit_id, first.wnid)
        if class_round == self._round:
            self._refresh([order.owner(judged.visit_id, judged.wnid) for judged in act])
            self._point_at(visit_id)
        else:
            self._when_complete(lambda: self._return_to(class_round, visit_id))

    # Flags and added labels.

    def read_flag(self, visit_id: str, found: Callable[[OwnFlag | None], None]) -> None:
        """Pass the reviewer's unfinished or stored flag on the image to `found`."""
        session = self._session_presenter.session
        self._session_presenter.database.run(
            "read flags",
            lambda: session.half_written_flag(visit_id) or session.flag_of(visit_id),
            done=lambda flag: None if self._left else found(flag),
            failed=self._failed,
        )

    def keep_flag(self, visit_id: str, flag: OwnFlag) -> None:
        """Store an unfinished flag on the image."""
        self._submit(lambda: self._session_presenter.session.keep_flag(visit_id, flag))

    def leave_flag(self, visit_id: str) -> None:
        """Discard the unfinished flag; the stored one stays."""
        self._submit(lambda: self._session_presenter.session.forget_flag(visit_id))

    def flag(self, visit_id: str, flag: OwnFlag) -> None:
        """Flag the image as problematic or, without a reason, withdraw the flag."""

        def stored(_nothing: object) -> None:
            marked = {visit_id} if flag.reasons else set()
            self._flags_arrived(self._flagged - {visit_id} | marked)
            self._render(replace(self.view, notice=flag_notice(flag)))

        self._submit(lambda: self._session_presenter.session.flag(visit_id, flag), stored)

    def add_label(self, visit_id: str, wnid: str) -> None:
        """Add a label to an image; it is judged with the other images of its class."""
        self._submit(
            lambda: self._session_presenter.session.add_label(visit_id, wnid),
            lambda _nothing: self._when_complete(lambda: self._label_added(visit_id, wnid)),
        )

    def saw(self, visit_ids: Iterable[str]) -> None:
        """The images are visible."""
        self._session_presenter.saw(visit_ids)

    def next_waiting(self, after: int) -> int:
        """Return the position of the next tile without a verdict, or the last position."""
        tiles = self.view.tiles
        following = (n for n in range(after + 1, len(tiles)) if tiles[n].own is None)
        return next(following, min(after + 1, len(tiles) - 1))

    def next_class(self) -> None:
        """Go to the next class with an open image; after the end, to the first."""
        if self._round is not None and not self._paused:
            self._session_presenter.find_round(self._round, past=True, found=self._go_on)

    def previous_class(self) -> None:
        if self._round is not None and not self._paused:
            self._when_complete(self._go_back)

    def pause_or_resume(self) -> None:
        if self.view.stage is ReviewStage.PAUSED:
            self._session_presenter.resume()
            self._render(replace(self.view, stage=ReviewStage.JUDGING))
        elif self.view.stage is ReviewStage.JUDGING:
            self._session_presenter.pause()
            self._render(replace(self.view, stage=ReviewStage.PAUSED))

    @property
    def _paused(self) -> bool:
        """While paused, only resuming is possible."""
        return self.view.stage is ReviewStage.PAUSED

    def _advance(self, judged: ClassRound, following: ClassRound | None) -> None:
        """Open the next class, unless the reviewer has undone something or gone elsewhere."""
        unchanged = self._round == judged and not self._session_presenter.order.left_in(judged)
        if following is not None and unchanged and not self._left and not self._paused:
            notice = MOVED_ON.format(name=self.view.name)
            self.open(following)
            self._render(replace(self.view, notice=notice))

    def _label_added(self, visit_id: str, wnid: str) -> None:
        self._session_presenter.order.add_label(visit_id, wnid)
        notice = LABEL_ADDED.format(name=self._name_class(wnid).name)
        self._render(replace(self._counted(self.view), notice=notice))

    def _flags_arrived(self, flagged: frozenset[str]) -> None:
        changed, self._flagged = self._flagged ^ flagged, frozenset(flagged)
        if self.view.wnid is not None and not self._left:
            self._refresh(changed & self._positions.keys())

    def _go_on(self, following: ClassRound | None) -> None:
        if self._left or self._paused:
            return
        if following is None:
            self._finish()
        else:
            self.open(following)

    def _go_back(self) -> None:
        before = (
            None if self._round is None else self._session_presenter.order.round_before(self._round)
        )
        if before is not None and not self._left and not self._paused:
            self.open(before)

    def _return_to(self, class_round: ClassRound, visit_id: str) -> None:
        if not self._left and not self._paused:
            self.open(class_round)
            self._point_at(visit_id)

    def _point_at(self, visit_id: str) -> None:
        if visit_id in self._positions:
            self._render(replace(self.view, pointed_at=self._positions[visit_id]))
            # Reset, so that later renderings don't move the selection.
            self.view = replace(self.view, pointed_at=None)

    def _when_complete(self, then: Callable[[], None]) -> None:
        """Run something that needs all visits, with a notice if that takes a moment."""
        if not self._session_presenter.is_complete:
            self._render(replace(self.view, notice=LOADING_REVIEW))
        self._session_presenter.when_complete(then)

    def _count(self) -> None:
        """All visits are loaded: show the number of the class and what is left."""
        if not self._left:
            self._render(self._counted(self.view))

    def _finish(self) -> None:
        self._round = None
        self._render(self._counted(ClassReviewView(stage=ReviewStage.FINISHED)))

    def _tile(self, visit_id: str, wnid: str) -> TileView:
        own = self._session_presenter.order.own(visit_id, wnid)
        return TileView(visit_id, own, visit_id in self._flagged)

    def _refresh(self, changed: Iterable[str]) -> None:
        wnid = self.view.wnid
        assert wnid is not None
        tiles = list(self.view.tiles)
        for visit_id in changed:
            position = self._positions.get(visit_id)
            if position is not None:
                tiles[position] = self._tile(visit_id, wnid)
        self._render(self._counted(replace(self.view, tiles=tuple(tiles))))

    def _counted(self, view: ClassReviewView) -> ClassReviewView:
        session_presenter, class_round = self._session_presenter, self._round
        left = 0 if class_round is None else session_presenter.order.left_in(class_round)
        return replace(
            view,
            number=session_presenter.order.number_of(class_round)
            if class_round is not None and session_presenter.is_complete
            else 0,
            classes=len(session_presenter.order.rounds()) if session_presenter.is_complete else 0,
            left=left,
            progress=session_presenter.progress,
            # Answers to second checks aren't visible here and so can't be undone here.
            can_undo=session_presenter.can_undo_verdict,
            notice=CLASS_DONE if view.tiles and not left else "",
            trouble=session_presenter.storing.trouble,
        )

    def _stored(self) -> None:
        if self._session_presenter.storing.trouble != self.view.trouble:
            self._render(replace(self.view, trouble=self._session_presenter.storing.trouble))
        judged = self._round
        if self._moving_on and judged is not None and not self._session_presenter.storing.waits:
            self._moving_on = False
            self._session_presenter.find_round(
                judged, past=True, found=lambda following: self._advance(judged, following)
            )

    def _submit(
        self, work: Callable[[], object], done: Callable[[object], None] = lambda _nothing: None
    ) -> None:
        self._session_presenter.database.run(
            "store review note",
            work,
            done=lambda answer: None if self._left else done(answer),
            failed=self._failed,
        )

    def _failed(self, error: Exception) -> None:
        self._render(replace(self.view, trouble=self._session_presenter.sentence(error)))

    def _render(self, view: ClassReviewView) -> None:
        self.view = view
        if not self._left:
            self._show(view)
