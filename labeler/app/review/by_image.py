"""Review by image: all labels of an image, then automatically the next image."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from labeler.app.classes.class_view import ClassListRow
from labeler.app.review.session_presenter import ReviewSessionPresenter
from labeler.app.review.views import (
    LOADING_REVIEW,
    TAKEN_BACK,
    ImageReviewView,
    LabelView,
    ProposedLabelView,
    ReviewStage,
    flag_notice,
)
from labeler.app.trial_image_loader import PREFETCH_COUNT, TrialImageLoader, TrialImageView
from labeler.core.review.blind_types import OwnFlag, OwnVerdict
from labeler.core.review.subset_relations import proposed_relations
from labeler.core.review.visit_order import ClassRound
from labeler.core.study.entities import CorrectKind, Verdict

Pixels = TypeVar("Pixels")

NO_PROBLEM_FLAG = OwnFlag(frozenset())
ANSWER_SUGGESTION = (
    "All labels are judged. Add the suggested class or go to the next image; to change a verdict, "
    "choose its label first."
)
UNFINISHED_NOTE = "You have an unfinished note on this image. Choose “Problematic” to continue it."


class ReviewByImage(Generic[Pixels]):
    """Handles the reviewer's actions and renders views; verdicts are in the session presenter."""

    def __init__(
        self,
        *,
        session_presenter: ReviewSessionPresenter,
        images: TrialImageLoader[Pixels],
        name_class: Callable[[str], ClassListRow],
    ) -> None:
        self._session_presenter, self._images, self._name_class = (
            session_presenter,
            images,
            name_class,
        )
        self._show: Callable[[ImageReviewView[Pixels]], None] = lambda _view: None
        self._moving_on = False
        # All labels are judged, and a suggestion may be open; ends when a label is chosen.
        self._suggesting = False
        self.view: ImageReviewView[Pixels] = ImageReviewView()

    def listen(self, show: Callable[[ImageReviewView[Pixels]], None]) -> None:
        self._show = show

    def start(self, *, look_back: bool = False) -> None:
        """Start at the first open image; if there is none and `look_back`, at the last one."""
        self._images.listen(self._image_arrived)
        self._session_presenter.storing.listen(self._stored)
        self._session_presenter.go_to(replace(self._session_presenter.place, by_class=False))
        waiting = self._session_presenter.order.first_waiting()
        if waiting is None and look_back:
            waiting = self._session_presenter.order.last()
        self._go_to_waiting(waiting)
        self._session_presenter.notify_when_complete(self._count)
        if self._session_presenter.message:
            self._render(replace(self.view, notice=self._session_presenter.message))

    # Judging.

    def judge(self, verdict: Verdict, kind: CorrectKind | None = None) -> None:
        """Give the focused label a verdict and go to the next open label."""
        wnid, visit_id = self.view.focused_wnid, self.view.visit_id
        if self.view.stage is not ReviewStage.JUDGING or wnid is None or visit_id is None:
            return
        if self._suggesting and self.view.proposed:
            # The key is meant for the suggestion, and must not change the label before it.
            self._render(replace(self.view, notice=ANSWER_SUGGESTION))
            return
        self._session_presenter.judge([(visit_id, wnid)], OwnVerdict(verdict, kind))
        self._refresh(proposes=True)
        self._suggesting = all(label.own is not None for label in self.view.labels)
        self._go_on()

    def undo(self) -> None:
        """Take back the last verdict or second check and return to it; not during a pause."""
        if self.view.stage is ReviewStage.PAUSED:
            return
        if self._session_presenter.can_undo_look:
            self._session_presenter.take_back_check(done=self._reopen_check, failed=self._failed)
            return
        act = self._session_presenter.undo()
        if act:
            self._open(act[0].visit_id, label=act[0].wnid, notice=TAKEN_BACK)

    def focus(self, number: int) -> None:
        """Focus another label; numbers out of range are clamped."""
        if self.view.labels:
            within = max(0, min(number, len(self.view.labels) - 1))
            self._suggesting = False
            self._render(replace(self.view, focused=within, notice=""))

    def step(self, labels: int) -> None:
        self.focus(self.view.focused + labels)

    def add_label(self, wnid: str) -> None:
        """Add a label that no one proposed; an existing one is focused."""
        visit_id = self.view.visit_id
        if visit_id is None or self.view.stage is not ReviewStage.JUDGING:
            return
        if wnid not in {label.wnid for label in self.view.labels}:
            self._session_presenter.database.run(
                "add label",
                lambda: self._session_presenter.session.add_label(visit_id, wnid),
                done=lambda _nothing: self._added(visit_id, wnid),
                failed=self._failed,
            )
        else:
            self._refresh(focus=wnid)

    def accept_proposal(self) -> None:
        """Add the first proposed class; its verdict is still to be given."""
        if self.view.proposed:
            self.add_label(self.view.proposed[0].wnid)

    # Flags and checks.

    def keep_flag(self, flag: OwnFlag) -> None:
        """Store an unfinished flag on the image."""
        visit_id = self.view.visit_id
        if visit_id is not None and self.view.stage is ReviewStage.JUDGING:
            self._submit(lambda: self._session_presenter.session.keep_flag(visit_id, flag))
            self._render(replace(self.view, half_written=flag))

    def leave_flag(self) -> None:
        """Discard the unfinished flag and restore the stored one."""
        visit_id = self.view.visit_id
        if visit_id is not None and self.view.stage is ReviewStage.JUDGING:
            self._session_presenter.database.run(
                "forget flag",
                lambda: self._session_presenter.session.forget_flag(visit_id),
                done=lambda flag: self._has_flag(visit_id, flag),
                failed=self._failed,
            )

    def flag(self, flag: OwnFlag) -> None:
        """Flag the image as problematic; in a second check, this is the answer."""
        visit_id = self.view.visit_id
        if visit_id is None:
            return
        if self.view.stage is ReviewStage.CHECKING:
            self._session_presenter.answer_check(
                visit_id, flag, done=lambda: self._go_to_waiting(None), failed=self._failed
            )
        elif self.view.stage is ReviewStage.JUDGING:
            stored = flag if flag.reasons else None
            self._submit(lambda: self._session_presenter.session.flag(visit_id, flag))
            notice = flag_notice(flag)
            self._render(replace(self.view, flag=stored, half_written=None, notice=notice))

    # Moving.

    def back(self) -> None:
        """Return to the previous image."""
        if self.view.visit_id is not None and self.view.stage is ReviewStage.JUDGING:
            self.when_complete(self._go_back)

    def next_image(self) -> None:
        """Go to the next open image; an unfinished one is shown again later."""
        if self.view.visit_id is not None and self.view.stage is ReviewStage.JUDGING:
            self._leave(self.view.visit_id, again=self.next_image)

    def to_classes(self, found: Callable[[ClassRound | None], None]) -> None:
        """Find the class to continue with by class, with a notice if that takes a moment."""
        if not self._session_presenter.is_complete:
            self._render(replace(self.view, notice=LOADING_REVIEW))
        self._session_presenter.find_round(
            self._session_presenter.place.at, past=False, found=found
        )

    def when_complete(self, then: Callable[[], None]) -> None:
        """Run something that needs all visits, with a notice if that takes a moment."""
        if not self._session_presenter.is_complete:
            self._render(replace(self.view, notice=LOADING_REVIEW))
        self._session_presenter.when_complete(then)

    def pause_or_resume(self) -> None:
        if self.view.stage is ReviewStage.PAUSED:
            self._session_presenter.resume()
            self._render(replace(self.view, stage=self._stage_at_work()))
        elif self.view.stage in (ReviewStage.JUDGING, ReviewStage.CHECKING):
            self._session_presenter.pause()
            self._render(replace(self.view, stage=ReviewStage.PAUSED))

    def _go_on(self) -> None:
        """Go to the next open label or, once all verdicts are stored, to the next open image."""
        labels = self.view.labels
        following = [*range(self.view.focused + 1, len(labels)), *range(self.view.focused)]
        waiting = next((number for number in following if labels[number].own is None), None)
        if waiting is not None:
            self.focus(waiting)
        elif not self.view.proposed and labels[self.view.focused].own is not None:
            self._moving_on = True
            self._stored()

    def _stored(self) -> None:
        trouble = self._session_presenter.storing.trouble
        if trouble != self.view.trouble:
            self._render(replace(self.view, trouble=trouble))
        if (
            self._moving_on
            and not self._session_presenter.storing.waits
            and self.view.visit_id is not None
        ):
            self._leave(self.view.visit_id, again=self._stored)

    def _leave(self, visit_id: str, *, again: Callable[[], None]) -> None:
        """Go to the next open image; if it isn't loaded yet, try again later."""
        following = self._next_of(visit_id)
        if self._session_presenter.is_complete or following not in (None, visit_id):
            self._moving_on = False
            self._go_to_waiting(following)
        else:
            self.when_complete(again)

    def _go_back(self) -> None:
        if self.view.visit_id is None or self.view.stage is not ReviewStage.JUDGING:
            return
        before = self._session_presenter.order.before(self.view.visit_id)
        if before is not None:
            self._open(before)

    def _next_of(self, visit_id: str) -> str | None:
        order = self._session_presenter.order
        following = next(iter(order.waiting(visit_id, count=1)), None)
        return following if following is not None or not order[visit_id].waits else visit_id

    def _go_to_waiting(self, visit_id: str | None) -> None:
        if visit_id is not None:
            self._open(visit_id)
        elif self._session_presenter.checks:
            self._open_check(self._session_presenter.checks[0])
        else:
            progress = self._session_presenter.progress
            self._render(ImageReviewView(stage=ReviewStage.FINISHED, progress=progress))

    def _open(self, visit_id: str, *, label: str | None = None, notice: str = "") -> None:
        self._moving_on = self._suggesting = False
        order = self._session_presenter.order
        labels = self._labels(visit_id)
        waiting = (n for n, view in enumerate(labels) if view.own is None)
        focused = next((n for n, view in enumerate(labels) if view.wnid == label), None)
        view: ImageReviewView[Pixels] = ImageReviewView(
            stage=ReviewStage.JUDGING,
            visit_id=visit_id,
            position=self._position(visit_id),
            labels=labels,
            focused=next(waiting, 0) if focused is None else focused,
            progress=self._session_presenter.progress,
            can_undo=self._session_presenter.can_undo,
            notice=notice,
            trouble=self._session_presenter.storing.trouble,
        )
        self._render(view)
        self._images.show(visit_id)
        self._images.prefetch(order.waiting(visit_id, count=PREFETCH_COUNT))
        self._session_presenter.database.run(
            "read flags",
            lambda: self._flags_of(visit_id),
            done=lambda flags: self._flags_arrived(visit_id, *flags),
            failed=self._failed,
            urgent=False,
        )

    def _reopen_check(self, check_id: str) -> None:
        self._open_check(check_id, notice=TAKEN_BACK)

    def _open_check(self, check_id: str, *, notice: str = "") -> None:
        view: ImageReviewView[Pixels] = ImageReviewView(
            stage=ReviewStage.CHECKING,
            visit_id=check_id,
            position="Second check",
            progress=self._session_presenter.progress_of_checks,
            can_undo=self._session_presenter.can_undo,
            notice=notice,
        )
        self._render(view)
        self._images.show(check_id)
        self._images.prefetch(self._session_presenter.checks[1 : 1 + PREFETCH_COUNT])

    # Views.

    def _position(self, visit_id: str) -> str:
        order = self._session_presenter.order
        return (
            f"Image {order.place(visit_id):,} of {len(order):,}"
            if self._session_presenter.is_complete
            else ""
        )

    def _count(self) -> None:
        """Show the position of the image, now that all visits are loaded."""
        view, progress = self.view, self._session_presenter.progress
        if view.visit_id is None or view.visit_id not in self._session_presenter.order:
            return
        notice = "" if view.notice == LOADING_REVIEW else view.notice
        position = self._position(view.visit_id)
        self._render(replace(view, position=position, progress=progress, notice=notice))

    def _labels(self, visit_id: str) -> tuple[LabelView, ...]:
        views = []
        for label in self._session_presenter.order[visit_id].labels:
            row = self._name_class(label.wnid)
            views.append(LabelView(label.wnid, row.name, row.note, row.path, label.own))
        return tuple(views)

    def _proposed(self, labels: Sequence[LabelView]) -> tuple[ProposedLabelView, ...]:
        """Return classes that may also be correct, given the labels judged correct."""
        known = {label.wnid for label in labels}
        correct = [label for label in labels if label.own and label.own.verdict is Verdict.CORRECT]
        found = {
            also.also: ProposedLabelView(also.also, self._name_class(also.also).name, also.when)
            for label in correct
            for also in proposed_relations(
                self._session_presenter.subsets, judged_correct=label.wnid, known=known
            )
        }
        return tuple(found.values())

    def _refresh(self, *, proposes: bool = False, focus: str | None = None) -> None:
        """Show the current state of the image's labels."""
        view = self.view
        assert view.visit_id is not None
        labels = self._labels(view.visit_id)
        self._suggesting = self._suggesting and focus is None
        focused = next((n for n, label in enumerate(labels) if label.wnid == focus), view.focused)
        known = {label.wnid for label in labels}
        proposed = self._proposed(labels) if proposes else view.proposed
        self._render(
            replace(
                view,
                labels=labels,
                focused=focused,
                proposed=tuple(label for label in proposed if label.wnid not in known),
                progress=self._session_presenter.progress,
                can_undo=self._session_presenter.can_undo,
                notice="",
            )
        )

    def _added(self, visit_id: str, wnid: str) -> None:
        self.when_complete(lambda: self._take_label(visit_id, wnid))

    def _take_label(self, visit_id: str, wnid: str) -> None:
        self._session_presenter.order.add_label(visit_id, wnid)
        if self.view.visit_id == visit_id:
            self._refresh(focus=wnid)

    def _flags_of(self, visit_id: str) -> tuple[OwnFlag | None, OwnFlag | None]:
        session = self._session_presenter.session
        return session.flag_of(visit_id), session.half_written_flag(visit_id)

    def _flags_arrived(
        self, visit_id: str, flag: OwnFlag | None, half_written: OwnFlag | None
    ) -> None:
        view = self.view
        changed_meanwhile = view.flag is not None or view.half_written is not None
        if view.visit_id != visit_id or changed_meanwhile or flag is half_written is None:
            return
        notice = view.notice or ("" if half_written is None else UNFINISHED_NOTE)
        self._render(replace(view, flag=flag, half_written=half_written, notice=notice))

    def _has_flag(self, visit_id: str, flag: OwnFlag | None) -> None:
        if self.view.visit_id == visit_id:
            self._render(replace(self.view, flag=flag, half_written=None))

    def _image_arrived(self, image: TrialImageView[Pixels]) -> None:
        if image.trial_id == self.view.visit_id:
            self._render(replace(self.view, image=image.image, unseen=image.sentence))
            if image.image is not None:
                self._session_presenter.saw([image.trial_id])

    def _stage_at_work(self) -> ReviewStage:
        at_check = self.view.visit_id in self._session_presenter.checks
        return ReviewStage.CHECKING if at_check else ReviewStage.JUDGING

    def _submit(self, work: Callable[[], None]) -> None:
        self._session_presenter.database.run(
            "store review note", work, done=lambda _nothing: None, failed=self._failed
        )

    def _failed(self, error: Exception) -> None:
        self._render(replace(self.view, trouble=self._session_presenter.sentence(error)))

    def _render(self, view: ImageReviewView[Pixels]) -> None:
        self.view = view
        self._show(view)
