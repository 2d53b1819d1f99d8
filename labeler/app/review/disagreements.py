"""Settle disagreements between reviewers: one pair at a time, without names."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from labeler.app.classes.class_view import ClassListRow
from labeler.app.incidents import error_sentence
from labeler.app.review.disagreement_session import DisagreementSession, Dispute
from labeler.app.review.views import TAKEN_BACK, LabelView, ReviewStage
from labeler.app.runner import Runner
from labeler.app.trial_image_loader import PREFETCH_COUNT, TrialImageLoader, TrialImageView
from labeler.core.clock import Clock
from labeler.core.labeling.blind_types import BlindImage
from labeler.core.review.blind_types import OwnVerdict
from labeler.core.study.entities import CorrectKind, Verdict

Pixels = TypeVar("Pixels")
Shown = TypeVar("Shown", covariant=True)

NO_DISAGREEMENTS = "There is nothing to settle: all verdicts agree, and none is unclear."
_SETTLED = "The group has decided."
_DECIDED = "You have decided."
_BLIND = "before the discussion"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisagreementsView(Generic[Shown]):
    """All pairs as rows with their verdicts, one of them open."""

    stage: ReviewStage = ReviewStage.OPENING
    rows: tuple[LabelView, ...] = ()
    focused: int = 0
    open: int = 0
    decided: int = 0
    image: BlindImage[Shown] | None = None
    unseen: str = ""
    is_lead: bool = False
    can_undo: bool = False
    notice: str = ""
    trouble: str = ""

    @property
    def has_own(self) -> bool:
        """Whether the person gave a verdict on the focused label."""
        return bool(self.rows) and self.rows[self.focused].own is not None

    @property
    def focused_wnid(self) -> str | None:
        return self.rows[self.focused].wnid if self.rows else None


class Disagreements(Generic[Pixels]):
    """A reviewer confirms or changes their verdict; a lead records the group's."""

    def __init__(
        self,
        *,
        session: DisagreementSession,
        database: Runner,
        images: TrialImageLoader[Pixels],
        clock: Clock,
        name_class: Callable[[str], ClassListRow],
    ) -> None:
        self._session, self._database, self._images = session, database, images
        self._clock, self._name_class = clock, name_class
        self._show: Callable[[DisagreementsView[Pixels]], None] = lambda _view: None
        self._disputes: tuple[Dispute, ...] = ()
        # What was settled in this session, with the decision before it.
        self._acts: list[tuple[str, OwnVerdict | None]] = []
        # A second key press must not settle the same label again before the first is stored.
        self._storing = False
        self._reason = ""
        self._last_seen = ""
        self.view: DisagreementsView[Pixels] = DisagreementsView(is_lead=session.is_lead)

    def listen(self, show: Callable[[DisagreementsView[Pixels]], None]) -> None:
        self._show = show

    def start(self) -> None:
        self._images.listen(self._image_arrived)
        self._database.run(
            "begin discussion", self._session.begin, done=self._session_started, failed=self._stop
        )

    def leave(self, then: Callable[[], None]) -> None:
        self._database.run(
            "end discussion",
            self._session.end,
            done=lambda _nothing: then(),
            failed=lambda _error: then(),
        )

    def explain(self, reason: str) -> None:
        """Set the reason that is recorded with the next decision."""
        self._reason = reason.strip()

    def settle(self, verdict: Verdict, kind: CorrectKind | None = None) -> None:
        """Give a verdict on the open pair and go to the next unsettled one."""
        dispute = self._current
        if dispute is None or self._storing:
            return
        decided = dispute.own if dispute.decided else None
        act = dispute.dispute_id, dispute.settled if self.view.is_lead else decided
        self._storing = True
        own, reason = OwnVerdict(verdict, kind), self._reason
        self._database.run(
            "settle disagreement",
            lambda: self._settled(dispute.dispute_id, own, reason=reason),
            done=lambda disputes: self._has_settled(act, disputes),
            failed=self._failed,
        )

    def keep(self) -> None:
        """Confirm the person's own verdict and go to the next unsettled pair."""
        dispute = self._current
        if dispute is not None and dispute.own is not None and not self.view.is_lead:
            self.settle(dispute.own.verdict, dispute.own.kind)

    def undo(self) -> None:
        """Undo the last decision and restore the previous one; all of it stays on record."""
        if not self._acts or self._storing:
            return
        dispute_id, before = self._acts.pop()
        self._storing = True
        self._database.run(
            "undo settlement",
            lambda: self._settled(dispute_id, before),
            done=lambda disputes: self._has_taken_back(dispute_id, disputes),
            failed=self._failed,
        )

    def focus(self, number: int) -> None:
        if self._disputes:
            within = max(0, min(number, len(self._disputes) - 1))
            self._render(replace(self.view, focused=within, notice=""))
            self._show_image()

    def step(self, rows: int) -> None:
        self.focus(self.view.focused + rows)

    def _settled(
        self, dispute_id: str, verdict: OwnVerdict | None, *, reason: str = ""
    ) -> tuple[Dispute, ...]:
        self._session.settle(dispute_id, verdict, reason=reason)
        return self._session.disputes()

    def _has_settled(
        self, act: tuple[str, OwnVerdict | None], disputes: tuple[Dispute, ...]
    ) -> None:
        self._acts.append(act)
        self._reason = ""
        self._update(disputes)
        at = self.view.focused
        following = (*range(at + 1, len(disputes)), *range(at))
        waiting = next((n for n in following if _waits(disputes[n])), None)
        if waiting is not None:
            self.focus(waiting)

    def _has_taken_back(self, dispute_id: str, disputes: tuple[Dispute, ...]) -> None:
        self._update(disputes)
        positions = [n for n, dispute in enumerate(disputes) if dispute.dispute_id == dispute_id]
        if positions:
            self.focus(positions[0])
        self._render(replace(self.view, notice=TAKEN_BACK))

    @property
    def _current(self) -> Dispute | None:
        return self._disputes[self.view.focused] if self._disputes else None

    def _session_started(self, disputes: tuple[Dispute, ...]) -> None:
        self._disputes = disputes
        first = next((n for n, dispute in enumerate(disputes) if _waits(dispute)), 0)
        stage = ReviewStage.JUDGING if disputes else ReviewStage.FINISHED
        notice = "" if disputes else NO_DISAGREEMENTS
        view = replace(self.view, stage=stage, focused=first, notice=notice)
        self._render(self._with_rows(view))
        self._show_image()

    def _update(self, disputes: tuple[Dispute, ...]) -> None:
        self._storing = False
        self._disputes = disputes
        view = replace(self.view, notice="", trouble="", can_undo=bool(self._acts))
        self._render(self._with_rows(view))

    def _with_rows(self, view: DisagreementsView[Pixels]) -> DisagreementsView[Pixels]:
        rows = tuple(self._row(dispute) for dispute in self._disputes)
        return replace(
            view,
            rows=rows,
            open=sum(dispute.is_open for dispute in self._disputes),
            decided=sum(dispute.decided for dispute in self._disputes),
        )

    def _row(self, dispute: Dispute) -> LabelView:
        row = self._name_class(dispute.wnid)
        counts_text = _counts_text(dispute.verdicts)
        if sorted(dispute.blind) != sorted(dispute.verdicts):
            counts_text = f"{counts_text} ({_BLIND}: {_counts_text(dispute.blind)})"
        shown = dispute.own
        if dispute.settled is not None:
            counts_text, shown = f"{counts_text}. {_SETTLED}", dispute.settled
        elif self.view.is_lead:
            shown = None
        elif dispute.decided:
            counts_text = f"{counts_text}. {_DECIDED}"
        return LabelView(dispute.wnid, row.name, row.note, counts_text, shown)

    def _show_image(self) -> None:
        dispute = self._current
        if dispute is not None:
            self._images.show(dispute.dispute_id)
            following = self._disputes[self.view.focused + 1 :][:PREFETCH_COUNT]
            self._images.prefetch([dispute.dispute_id for dispute in following])

    def _image_arrived(self, image: TrialImageView[Pixels]) -> None:
        dispute = self._current
        if dispute is not None and image.trial_id == dispute.dispute_id:
            self._render(replace(self.view, image=image.image, unseen=image.sentence))
            if image.image is not None:
                self._record_sight(dispute.dispute_id)

    def _record_sight(self, dispute_id: str) -> None:
        if self._last_seen != dispute_id:
            self._last_seen = dispute_id
            self._database.run(
                "record seen image",
                lambda: self._session.record_sight(dispute_id),
                failed=self._failed,
                urgent=False,
            )

    def _stop(self, error: Exception) -> None:
        sentence = error_sentence(error, clock=self._clock, blind=True)
        self._render(replace(self.view, stage=ReviewStage.STOPPED, trouble=sentence))

    def _failed(self, error: Exception) -> None:
        self._storing = False
        sentence = error_sentence(error, clock=self._clock, blind=True)
        self._render(replace(self.view, notice="", trouble=sentence))

    def _render(self, view: DisagreementsView[Pixels]) -> None:
        self.view = view
        self._show(view)


def _counts_text(verdicts: tuple[Verdict, ...]) -> str:
    counts = [(verdict, verdicts.count(verdict)) for verdict in Verdict]
    return " · ".join(f"{count} {verdict}" for verdict, count in counts if count)


def _waits(dispute: Dispute) -> bool:
    return dispute.is_open and not dispute.decided
