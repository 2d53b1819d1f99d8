"""The trial on the workbench: its answer as it grows, and what is around it."""

import uuid
from collections.abc import Callable

from labeler.app.labeling.trial_draft import SavedTrial
from labeler.app.labeling.workbench_view import AnswerView, ChosenClass, WantedLabel
from labeler.core.clock import Clock
from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import CommittedAnswer, TrialAnswer, TrialDraft, TrialFlag
from labeler.core.labeling.trial import Trial, TrialState

_SAME_CLASS = (
    "The intended subject can't be the same class as your answer: choose another class, or take "
    "the escape hatch back."
)
_NO_CONFIDENCE = "Say how sure you are, then submit."


class OpenTrial:
    """One trial from its start to its answer; refusals are sentences for the labeler."""

    def __init__(
        self,
        trial_id: str,
        kept: SavedTrial,
        *,
        clock: Clock,
        session: str,
        idle_after_ms: int,
        asks_confidence: bool,
    ) -> None:
        self.trial_id = trial_id
        self.timing = Trial(kept.draft, clock=clock, session=session, idle_after_ms=idle_after_ms)
        self.shortlist = kept.shortlist
        self.query = kept.query
        self._session = session
        self._idle_after_ms = idle_after_ms
        self._asks_confidence = asks_confidence
        self._start = kept.draft
        self._given = kept.given
        self._wanted = (
            WantedLabel.ALTERNATIVE if _needs_alternative(kept.draft) else WantedLabel.LABEL
        )
        self._chosen_last: str | None = None

    @property
    def draft(self) -> TrialDraft:
        return self.timing.draft()

    @property
    def is_shown(self) -> bool:
        return self.timing.state is not TrialState.WAITING

    @property
    def is_touched(self) -> bool:
        """Whether there is anything to keep: the image was seen, or something was noted."""
        return self.is_shown or self.draft != self._start

    @property
    def holds_an_answer(self) -> bool:
        """Whether anything was said about the image, be it but a part of the answer."""
        draft = self.draft
        return bool(
            draft.label or draft.escape_hatch or draft.confidence or draft.note or draft.flags
        )

    @property
    def active_ms(self) -> int:
        """The active time on the trial in all."""
        return self._active(self.draft.earlier + self.draft.since)

    @property
    def visit_ms(self) -> int:
        """The active time of this session's visit alone."""
        return self._active(self.draft.since) - self._active(self._start.since)

    def kept(self) -> SavedTrial:
        return SavedTrial(self.draft, self.shortlist, self.query, self._given)

    def choose(self, wnid: str) -> None:
        """Make the class the label, or the alternative where that is asked for."""
        if self._wanted is WantedLabel.ALTERNATIVE:
            if wnid == self.draft.label:
                raise RefusedError(_SAME_CLASS)
            self.timing.declare_escape_hatch(wnid)
            self._wanted = WantedLabel.LABEL
        else:
            self.timing.choose(wnid)
        self._chosen_last = wnid

    def is_decided_on(self, wnid: str | None) -> bool:
        """Whether pressing the same key again means to submit: nothing new would be chosen.

        That holds for the alternative while it is what was chosen last.
        """
        return self._wanted is WantedLabel.LABEL and wnid in (
            None,
            self.draft.label,
            self._chosen_last,
        )

    def toggle_escape_hatch(self) -> None:
        self._chosen_last = None
        if self.draft.escape_hatch:
            self.timing.withdraw_escape_hatch()
            self._wanted = WantedLabel.LABEL
        else:
            self.timing.declare_escape_hatch()
            self._wanted = WantedLabel.ALTERNATIVE

    def set_confidence(self, level: int) -> None:
        """Say how sure the answer is; the same level again takes it back."""
        self.timing.set_confidence(None if self.draft.confidence == level else level)

    def toggle_known(self) -> None:
        if TrialFlag.KNOWN in self.draft.flags:
            self.timing.unflag(TrialFlag.KNOWN)
        else:
            self.timing.flag(TrialFlag.KNOWN)

    def submit(self) -> CommittedAnswer:
        """End the trial with its answer, complete enough to be stored."""
        if self._asks_confidence and self.draft.label and self.draft.confidence is None:
            raise RefusedError(_NO_CONFIDENCE)
        if self.draft.label is not None and self.draft.label == self.draft.alternative:
            raise RefusedError(_SAME_CLASS)
        return self._committed(self.timing.commit())

    def view(self, name_class: Callable[[str], ChosenClass]) -> AnswerView:
        draft, given = self.draft, self._given
        other = given is not None and given.label != draft.label
        return AnswerView(
            label=name_class(draft.label) if draft.label else None,
            escape_hatch=draft.escape_hatch,
            alternative=name_class(draft.alternative) if draft.alternative else None,
            confidence=draft.confidence,
            asks_confidence=self._asks_confidence,
            note=draft.note,
            knows_image=TrialFlag.KNOWN in draft.flags,
            flags=draft.flags,
            wanted=self._wanted,
            is_revision=draft.revision > 1,
            is_changed=given is not None and _said(given) != _said(draft),
            before=name_class(given.label) if other and given and given.label else None,
        )

    def _committed(self, answer: TrialAnswer) -> CommittedAnswer:
        return CommittedAnswer(
            answer_id=str(uuid.uuid4()),
            trial_id=self.trial_id,
            session_id=self._session,
            label=answer.label,
            alternative=answer.alternative,
            confidence=answer.confidence,
            note=answer.note,
            knows_image=TrialFlag.KNOWN in answer.flags,
            shown_at=answer.shown_at,
            submitted_at=answer.committed_at,
            active_ms=answer.active_ms,
            wall_ms=answer.wall_ms,
            visits=answer.since.visits,
        )

    def _active(self, spent: TimeSpent) -> int:
        return spent.active_ms(idle_after_ms=self._idle_after_ms)


def _said(draft: TrialDraft) -> tuple[object, ...]:
    """What the labeler says about the image, without the time that it took."""
    knows = TrialFlag.KNOWN in draft.flags
    return draft.label, draft.escape_hatch, draft.alternative, draft.confidence, draft.note, knows


def _needs_alternative(draft: TrialDraft) -> bool:
    return draft.escape_hatch and draft.alternative is None
