"""A timed trial: one image before one labeler, from the first paint to the committed answer."""

from dataclasses import replace
from enum import StrEnum

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import IDLE_AFTER_MS, TimeSpent
from labeler.core.labeling.answers import CONFIDENCE_LEVELS, TrialAnswer, TrialDraft, TrialFlag
from labeler.core.labeling.attention_recorder import SUSPENDED_AFTER_MS, AttentionRecorder
from labeler.core.study.entities import AttentionPlace

_COMMITTED = "This answer is submitted. Go back to the image to change it."
_NOT_SHOWN = "The image is not on the screen yet. Wait until it appears, then answer."
_PAUSED = "The trial is paused. Resume it, then answer."
_NO_LABEL = "No class is chosen yet. Choose one, then submit."
_NO_ALTERNATIVE = (
    "The escape hatch needs an alternative: choose the class of the intended subject, or take "
    "the escape hatch back."
)


class TrialState(StrEnum):
    """How far a trial is; whether it is paused is a question of its own."""

    WAITING = "waiting"
    SHOWN = "shown"
    ANSWERED = "answered"
    COMMITTED = "committed"


class Trial:
    """What a labeler does with one image, and the time it takes.

    The clock runs from the first paint to the commit, except while the image is covered by a
    pause. What the machine reports (paints, attention, inputs, ticks) is ignored where it means
    nothing; what the person asks for is refused with a sentence where it can't be done.
    """

    def __init__(
        self,
        draft: TrialDraft,
        *,
        clock: Clock,
        session: str,
        idle_after_ms: int = IDLE_AFTER_MS,
        suspended_after_ms: int = SUSPENDED_AFTER_MS,
    ) -> None:
        self._draft = draft
        self._clock = clock
        self._idle_after_ms = idle_after_ms
        self._shown_ms: int | None = None
        self._paused = False
        self._answer: TrialAnswer | None = None
        self._recorder = AttentionRecorder(
            clock,
            session=session,
            earlier=draft.since.visits,
            suspended_after_ms=suspended_after_ms,
        )
        # Until the first paint the recorder only learns where attention will be.
        self._recorder.pause()
        self._recorder.attend(AttentionPlace.IMAGE)

    @property
    def state(self) -> TrialState:
        if self._answer is not None:
            return TrialState.COMMITTED
        if self._shown_ms is None:
            return TrialState.WAITING
        return TrialState.SHOWN if self._draft.label is None else TrialState.ANSWERED

    @property
    def paused(self) -> bool:
        """Whether the image is covered."""
        return self._paused

    @property
    def answer(self) -> TrialAnswer | None:
        return self._answer

    def draft(self) -> TrialDraft:
        """The trial as it is, to be kept in case the program ends; a commit ends its time."""
        return replace(self._draft, since=self._answer.since if self._answer else self._since())

    # What the screen reports.

    def shown(self) -> None:
        """The image has been painted; later paints, and those of a pause's cover, don't count."""
        if self.state is not TrialState.WAITING or self._paused:
            return
        self._shown_ms = self._clock.monotonic_ms()
        shown_at = self._draft.shown_at or stamp(self._clock.utc())
        self._draft = replace(self._draft, shown_at=shown_at)
        self._recorder.resume()

    def attend(self, place: AttentionPlace) -> None:
        self._recorder.attend(place)

    def leave(self) -> None:
        self._recorder.leave()

    def input(self) -> None:
        self._recorder.input()

    def tick(self) -> None:
        self._recorder.tick()

    # What the person does.

    def pause(self) -> None:
        """Cover the image; the clock stops."""
        if self._answer is None:
            self._paused = True
            self._recorder.pause()

    def resume(self) -> None:
        """Uncover the image; the clock goes on where attention was, if it ran before."""
        if self._answer is not None:
            return
        self._paused = False
        if self._shown_ms is not None:
            self._recorder.resume()

    def choose(self, wnid: str) -> None:
        """Choose a class, or another one."""
        self._edit(replace(self._draft, label=wnid))

    def declare_escape_hatch(self, alternative: str | None = None) -> None:
        """Declare that the choice dodges the intended subject; the alternative may follow."""
        chosen = alternative or self._draft.alternative
        self._edit(replace(self._draft, escape_hatch=True, alternative=chosen))

    def withdraw_escape_hatch(self) -> None:
        self._edit(replace(self._draft, escape_hatch=False, alternative=None))

    def set_confidence(self, level: int | None) -> None:
        """Say how sure the answer is, from 1 to `CONFIDENCE_LEVELS`; None takes it back."""
        if level is not None and not 1 <= level <= CONFIDENCE_LEVELS:
            raise RefusedError(f"Confidence goes from 1 to {CONFIDENCE_LEVELS}.")
        self._edit(replace(self._draft, confidence=level))

    def set_note(self, text: str) -> None:
        self._edit(replace(self._draft, note=text))

    def flag(self, reason: TrialFlag) -> None:
        """Say something about the image; possible too when it can't be shown."""
        self._set_flags(self._draft.flags | {reason})

    def unflag(self, reason: TrialFlag) -> None:
        self._set_flags(self._draft.flags - {reason})

    def commit(self) -> TrialAnswer:
        """Submit the answer; submitting again gives the same one."""
        if self._answer is None:
            self._require_visible()
            self._answer = self._answered(self._complete_label())
        return self._answer

    def _edit(self, changed: TrialDraft) -> None:
        self._require_visible()
        self._draft = changed

    def _set_flags(self, flags: frozenset[TrialFlag]) -> None:
        if self._answer is not None:
            raise RefusedError(_COMMITTED)
        self._draft = replace(self._draft, flags=flags)

    def _require_visible(self) -> None:
        if self._answer is not None:
            raise RefusedError(_COMMITTED)
        if self._paused:
            raise RefusedError(_PAUSED)
        if self._shown_ms is None:
            raise RefusedError(_NOT_SHOWN)

    def _complete_label(self) -> str:
        """The chosen class, when nothing that belongs to the answer is missing."""
        if self._draft.label is None:
            raise RefusedError(_NO_LABEL)
        if self._draft.escape_hatch and self._draft.alternative is None:
            raise RefusedError(_NO_ALTERNATIVE)
        return self._draft.label

    def _answered(self, label: str) -> TrialAnswer:
        draft, since = self._draft, self._since()
        spent = draft.earlier + since
        assert draft.shown_at is not None, "only an image that was shown can be answered"
        return TrialAnswer(
            revision=draft.revision,
            label=label,
            alternative=draft.alternative,
            confidence=draft.confidence,
            note=draft.note,
            flags=draft.flags,
            shown_at=draft.shown_at,
            committed_at=stamp(self._clock.utc()),
            active_ms=spent.active_ms(idle_after_ms=self._idle_after_ms),
            idle_ms=spent.idle_ms(idle_after_ms=self._idle_after_ms),
            wall_ms=spent.wall_ms,
            earlier=draft.earlier,
            since=since,
        )

    def _since(self) -> TimeSpent:
        """The time after former revisions, up to this moment."""
        visits = self._recorder.snapshot()
        return TimeSpent(visits, self._draft.since.wall_ms + self._visit_wall_ms())

    def _visit_wall_ms(self) -> int:
        return 0 if self._shown_ms is None else self._clock.monotonic_ms() - self._shown_ms
