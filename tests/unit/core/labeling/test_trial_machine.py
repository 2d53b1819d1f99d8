"""A trial against a simple model, through pauses, sleep, crashes and revisions."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import AnswerDraft, CommittedAnswer
from labeler.core.labeling.trial import Trial, TrialState
from labeler.core.study.entities import AttentionPlace
from tests.adjustable_clock import AdjustableClock
from tests.unit.core.labeling.attention_by_millisecond import Timeline
from tests.unit.core.labeling.test_trial_revisions import reopened

SUSPENDED_AFTER = 12
IDLE_AFTER = 9
classes = st.sampled_from(["n01440764", "n01443537", "n01484850"])


class TrialAgainstModel(RuleBasedStateMachine):
    """The model: a line per millisecond for each visit, and the answer as plain variables."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions = 0
        self.visits: list[Timeline] = []
        self.wall = 0
        self.label: str | None = None
        self.hatch = False
        self.alternative: str | None = None
        self.answers: list[CommittedAnswer] = []
        self.begin(AnswerDraft())

    def begin(self, draft: AnswerDraft) -> None:
        self.sessions += 1
        self.clock = AdjustableClock()
        self.trial = Trial(
            "t",
            draft,
            clock=self.clock,
            session=str(self.sessions),
            idle_after_ms=IDLE_AFTER,
            suspended_after_ms=SUSPENDED_AFTER,
        )
        self.shown = self.paused = self.committed = False
        self.visits.append(Timeline(suspended_after_ms=SUSPENDED_AFTER))
        self.line.place = AttentionPlace.IMAGE
        self.cover()

    @property
    def line(self) -> Timeline:
        return self.visits[-1]

    def cover(self) -> None:
        self.line.hear()
        self.line.covered = self.paused or self.committed or not self.shown

    def visible(self) -> bool:
        return self.shown and not self.paused and not self.committed

    def active(self) -> int:
        return sum(sum(line.active(idle_after_ms=IDLE_AFTER).values()) for line in self.visits)

    @rule(ms=st.integers(1, 8))
    def time_passes(self, ms: int) -> None:
        self.clock.go_on(milliseconds=ms)
        self.line.pass_time(ms)
        if self.shown and not self.committed:
            self.wall += ms

    @rule(ms=st.integers(SUSPENDED_AFTER, 60))
    def machine_sleeps(self, ms: int) -> None:
        self.time_passes(ms)

    @rule(beats=st.integers(1, 5), ms=st.integers(1, SUSPENDED_AFTER))
    def person_stares(self, beats: int, ms: int) -> None:
        for _ in range(beats):
            self.time_passes(ms)
            self.trial.tick()
            self.line.hear()

    @rule(seconds=st.integers(-(10**6), 10**6))
    def wall_clock_is_set(self, seconds: int) -> None:
        self.clock.jump(seconds=seconds)

    @rule()
    def painted(self) -> None:
        self.trial.shown()
        if not self.paused and not self.shown:
            self.shown = True
            self.cover()

    @rule(place=st.sampled_from(AttentionPlace))
    def attend(self, place: AttentionPlace) -> None:
        self.trial.attend(place)
        self.line.hear()
        self.line.place = place

    @rule()
    def leave(self) -> None:
        self.trial.leave()
        self.line.hear()
        self.line.place = None

    @rule()
    def input(self) -> None:
        self.trial.input()
        self.line.hear()
        self.line.input()

    @precondition(lambda self: not self.committed)
    @rule(paused=st.booleans())
    def pause_or_resume(self, paused: bool) -> None:
        (self.trial.pause if paused else self.trial.resume)()
        self.line.hear()
        self.paused = paused
        self.cover()

    @rule(wnid=classes)
    def choose(self, wnid: str) -> None:
        if not self.visible():
            with pytest.raises(RefusedError):
                self.trial.choose(wnid)
            return
        if not self.hatch or self.alternative:
            self.trial.choose(wnid)
            self.label = wnid
        elif wnid == self.label:
            with pytest.raises(RefusedError):
                self.trial.choose(wnid)
        else:
            self.trial.choose(wnid)
            self.alternative = wnid

    @precondition(visible)
    @rule()
    def toggle_escape_hatch(self) -> None:
        self.trial.toggle_escape_hatch()
        self.hatch, self.alternative = not self.hatch, None

    def is_complete(self) -> bool:
        hatch_fits = self.hatch == bool(self.alternative)
        return bool(self.label) and hatch_fits and self.label != self.alternative

    @rule()
    def commit(self) -> None:
        if self.committed:
            assert self.trial.commit() is self.answers[-1]
        elif self.visible() and self.is_complete():
            self.answers.append(self.trial.commit())
            self.committed = True
            self.cover()
            self.the_answer_says_what_was_done()
        else:
            with pytest.raises(RefusedError):
                self.trial.commit()

    @precondition(lambda self: not self.committed)
    @rule(wnid=classes, ms=st.integers(1, 8))
    def labeler_answers_straight_away(self, wnid: str, ms: int) -> None:
        self.pause_or_resume(paused=False)
        self.painted()
        self.time_passes(ms)
        if self.hatch:
            self.toggle_escape_hatch()
        self.choose(wnid)
        self.commit()

    def the_answer_says_what_was_done(self) -> None:
        answer = self.answers[-1]
        assert self.trial.draft().revision == len(self.answers)
        assert (answer.label, answer.alternative) == (self.label, self.alternative)
        assert (answer.active_ms, answer.wall_ms) == (self.active(), self.wall)
        spent = self.trial.draft().earlier + self.trial.draft().since
        assert answer.active_ms + spent.idle_ms(idle_after_ms=IDLE_AFTER) <= answer.wall_ms

    @rule()
    def program_crashes_and_goes_on_with_the_draft(self) -> None:
        if not self.committed:
            draft = self.trial.draft()
            self.begin(draft)

    @precondition(lambda self: self.committed)
    @rule()
    def labeler_comes_back(self) -> None:
        self.begin(reopened(self.trial))

    @invariant()
    def the_state_is_the_models(self) -> None:
        assert self.trial.state is self.expected_state()
        assert self.committed or self.trial.paused == self.paused

    def expected_state(self) -> TrialState:
        if self.committed:
            return TrialState.COMMITTED
        if not self.shown:
            return TrialState.WAITING
        return TrialState.ANSWERED if self.label else TrialState.SHOWN

    @invariant()
    def the_time_so_far_is_the_models(self) -> None:
        draft = self.trial.draft()
        spent = draft.earlier + draft.since
        assert spent.active_ms(idle_after_ms=IDLE_AFTER) == self.active()
        assert spent.wall_ms == self.wall


TestTrialAgainstModel = TrialAgainstModel.TestCase
