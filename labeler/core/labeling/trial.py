"""A timed trial: one image and one labeler, from the first paint to the committed answer."""

import uuid
from dataclasses import replace
from enum import StrEnum

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import IDLE_AFTER_MS, TimeSpent
from labeler.core.labeling.answers import (
    AnswerDraft,
    CommittedAnswer,
    Question,
    TrialFlag,
)
from labeler.core.labeling.attention_recorder import SUSPENDED_AFTER_MS, AttentionRecorder
from labeler.core.study.entities import CONFIDENCE_LEVELS, AttentionPlace

COMMITTED = "This answer is submitted. Go back to the image to change it."
NOT_ON_SCREEN = "The image is not on the screen yet. Wait until it appears, then answer."
PAUSED = "The trial is paused. Resume it, then answer."
NO_LABEL = "No class is chosen yet. Choose one, then submit."
NO_CONFIDENCE = "Say how sure you are, then submit."
NO_ALTERNATIVE = (
    "The escape hatch needs an alternative: choose the class of the intended subject, or withdraw "
    "the escape hatch."
)
SAME_CLASS = (
    "The intended subject can't be the same class as your answer: choose another class, or "
    "withdraw the escape hatch."
)
_CONFIDENCE_RANGE = f"Confidence goes from 1 to {CONFIDENCE_LEVELS}."


class TrialState(StrEnum):
    """The state of a trial; whether it is paused is independent of it."""

    WAITING = "waiting"
    SHOWN = "shown"
    ANSWERED = "answered"
    COMMITTED = "committed"


class Trial:
    """What a labeler does with one image, and the time it takes.

    The clock runs from the first paint to the commit, except while a pause covers the image. What
    the screen reports (paints, attention, inputs, ticks) is ignored where it means nothing; what
    the person does is refused with a sentence where it isn't possible.

    `submitted` is the stored answer that the draft starts from, if there is one.
    """

    def __init__(
        self,
        trial_id: str,
        draft: AnswerDraft,
        *,
        submitted: AnswerDraft | None = None,
        clock: Clock,
        session: str,
        questions: frozenset[Question] = frozenset(),
        idle_after_ms: int = IDLE_AFTER_MS,
        suspended_after_ms: int = SUSPENDED_AFTER_MS,
    ) -> None:
        self.trial_id = trial_id
        self.submitted = submitted
        self.questions = questions
        self._start = self._draft = draft
        self._clock = clock
        self._session = session
        self._idle_after_ms = idle_after_ms
        self._shown_ms: int | None = None
        self._paused = False
        self._chosen_last: str | None = None
        self._answer: CommittedAnswer | None = None
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
    def is_shown(self) -> bool:
        return self._shown_ms is not None

    @property
    def is_touched(self) -> bool:
        """Whether there is anything to save: the image was seen, or something was entered."""
        return self.is_shown or self._draft.said != self._start.said

    @property
    def holds_answer(self) -> bool:
        """Whether any part of the answer was entered."""
        return any(self._draft.said) or bool(self._draft.flags)

    @property
    def active_ms(self) -> int:
        """The total active time on the trial."""
        draft = self.draft()
        return (draft.earlier + draft.since).active_ms(idle_after_ms=self._idle_after_ms)

    @property
    def visit_ms(self) -> int:
        """The active time of this session's visit alone."""
        now, before = self.draft().since, self._start.since
        idle_after_ms = self._idle_after_ms
        return now.active_ms(idle_after_ms=idle_after_ms) - before.active_ms(
            idle_after_ms=idle_after_ms
        )

    def draft(self) -> AnswerDraft:
        """Return the state of the trial, to be saved in case the program ends."""
        return self._draft if self._answer else replace(self._draft, since=self._since())

    # What the screen reports.

    def shown(self) -> None:
        """Record the first paint of the image; later paints are ignored."""
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

    def remember_tools(self, *, shortlist: tuple[str, ...], query: str) -> None:
        """Keep what the class tools show, for the return to the trial."""
        self._draft = replace(self._draft, shortlist=shortlist, query=query)

    # What the person does.

    def pause(self) -> None:
        """Cover the image and stop the clock."""
        if self._answer is None:
            self._paused = True
            self._recorder.pause()

    def resume(self) -> None:
        """Uncover the image, and continue the clock if it ran before."""
        if self._answer is not None:
            return
        self._paused = False
        if self._shown_ms is not None:
            self._recorder.resume()

    def choose(self, wnid: str) -> None:
        """Make the class the label, or the alternative when the escape hatch asks for it."""
        if not self._draft.needs_alternative:
            self._edit(replace(self._draft, label=wnid))
        elif wnid == self._draft.label:
            raise RefusedError(SAME_CLASS)
        else:
            self._edit(replace(self._draft, alternative=wnid))
        self._chosen_last = wnid

    def is_decided_on(self, wnid: str | None) -> bool:
        """Return whether choosing the class again means to submit.

        That holds for the alternative while it is what was chosen last.
        """
        chosen = (None, self._draft.label, self._chosen_last)
        return not self._draft.needs_alternative and wnid in chosen

    def toggle_escape_hatch(self) -> None:
        """Declare that the label isn't the intended subject, or undo that."""
        declared = not self._draft.escape_hatch
        self._edit(replace(self._draft, escape_hatch=declared, alternative=None))
        self._chosen_last = None

    def set_confidence(self, level: int) -> None:
        """Set the confidence from 1 to `CONFIDENCE_LEVELS`; setting it again clears it."""
        if not 1 <= level <= CONFIDENCE_LEVELS:
            raise RefusedError(_CONFIDENCE_RANGE)
        chosen = None if self._draft.confidence == level else level
        self._edit(replace(self._draft, confidence=chosen))

    def set_note(self, text: str) -> None:
        self._edit(replace(self._draft, note=text))

    def toggle_known(self) -> None:
        """Record that the image was known before, or undo that; possible without the image."""
        if self._answer is not None:
            raise RefusedError(COMMITTED)
        self._draft = replace(self._draft, flags=self._draft.flags ^ {TrialFlag.KNOWN})

    def restore(self, before: AnswerDraft) -> None:
        """Make the answer what it was in an earlier draft; time and tools stay as they are."""
        if self._answer is not None:
            raise RefusedError(COMMITTED)
        self._draft = replace(
            self._draft,
            label=before.label,
            escape_hatch=before.escape_hatch,
            alternative=before.alternative,
            confidence=before.confidence,
            note=before.note,
            flags=before.flags,
        )
        self._chosen_last = None

    def commit(self) -> CommittedAnswer:
        """Submit the answer; submitting again gives the same one."""
        if self._answer is None:
            self._require_visible()
            label = self._complete_label()
            self._draft = replace(self._draft, since=self._since())
            self._answer = self._committed(label)
        return self._answer

    def _edit(self, changed: AnswerDraft) -> None:
        self._require_visible()
        self._draft = changed

    def _require_visible(self) -> None:
        if self._answer is not None:
            raise RefusedError(COMMITTED)
        if self._paused:
            raise RefusedError(PAUSED)
        if self._shown_ms is None:
            raise RefusedError(NOT_ON_SCREEN)

    def _complete_label(self) -> str:
        """Return the chosen class, when nothing that belongs to the answer is missing."""
        draft = self._draft
        if draft.label is None:
            raise RefusedError(NO_LABEL)
        if Question.CONFIDENCE in self.questions and draft.confidence is None:
            raise RefusedError(NO_CONFIDENCE)
        if draft.label == draft.alternative:
            raise RefusedError(SAME_CLASS)
        if draft.needs_alternative:
            raise RefusedError(NO_ALTERNATIVE)
        return draft.label

    def _committed(self, label: str) -> CommittedAnswer:
        draft = self._draft
        spent = draft.earlier + draft.since
        assert draft.shown_at is not None, "only an image that was shown can be answered"
        return CommittedAnswer(
            answer_id=str(uuid.uuid4()),
            trial_id=self.trial_id,
            session_id=self._session,
            label=label,
            alternative=draft.alternative,
            confidence=draft.confidence,
            note=draft.note,
            knows_image=TrialFlag.KNOWN in draft.flags,
            shown_at=draft.shown_at,
            submitted_at=stamp(self._clock.utc()),
            active_ms=spent.active_ms(idle_after_ms=self._idle_after_ms),
            wall_ms=spent.wall_ms,
            visits=draft.since.visits,
        )

    def _since(self) -> TimeSpent:
        """The time after former revisions, up to this moment."""
        visits = self._recorder.snapshot()
        return TimeSpent(visits, self._start.since.wall_ms + self._visit_wall_ms())

    def _visit_wall_ms(self) -> int:
        return 0 if self._shown_ms is None else self._clock.monotonic_ms() - self._shown_ms
