"""The home screen: the phases with their state, and what this person can do next."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from labeler.app.study.home_facts import (
    HomeFacts,
    LabelerProgress,
    OwnFacts,
    PhaseFacts,
    ReviewFacts,
)
from labeler.app.time_text import format_ago, format_duration
from labeler.app.training.facts import OwnTraining
from labeler.core.datasets.washout import washout_row_text
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.text import count_noun


class HomeCardKind(StrEnum):
    """What has a card of its own; all but the results are phases."""

    ANNOTATE = Phase.ANNOTATE.value
    TRAIN = Phase.TRAIN.value
    EVALUATE = Phase.EVALUATE.value
    REVIEW = Phase.REVIEW.value
    RESULTS = "results"


DISAGREEMENTS_TITLE = "Disagreements"

PHASE_STATE_NAMES = {
    PhaseState.CLOSED: "not open yet",
    PhaseState.OPEN: "open",
    PhaseState.LOCKED: "locked",
}
assert set(PHASE_STATE_NAMES) == set(PhaseState), "every state has its word"


_GOING_ON = {
    Phase.ANNOTATE: "The initial review goes on: the first candidate labels are being judged.",
    Phase.TRAIN: "The training goes on.",
    Phase.REVIEW: "The final review goes on: the labels that were given are being judged.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeCardView:
    """A card: state by word, a number with what it counts, facts, a sentence, a button's text.

    `done` and `total` fill a bar where there is one; without a `button` nothing can be pressed.
    `waits` tells that what was asked of the person isn't finished.
    """

    card: HomeCardKind
    title: str
    state: PhaseState
    word: str
    sentence: str
    number: str = ""
    counted: str = ""
    facts: tuple[str, ...] = ()
    done: int = 0
    total: int = 0
    button: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelerRow:
    """A labeler's progress, for the lead: counts only."""

    code: str
    done: int
    total: int
    progress: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeView:
    """All that the home shows; `other_roles` are those the person can change to.

    `has_rules` tells that the person is one who can read the rules of the evaluation again.
    """

    study_name: str
    code: str
    role: Role
    other_roles: tuple[Role, ...]
    cards: tuple[HomeCardView, ...]
    labelers: tuple[LabelerRow, ...]
    notice: str
    backup: str
    backed_up: bool
    has_rules: bool = False

    @property
    def main(self) -> HomeCardKind | None:
        """The card that goes on: what isn't finished comes before what can be done at any time."""
        ways = [card for card in self.cards if card.button]
        return next((card.card for card in (*(w for w in ways if w.waits), *ways)), None)

    @property
    def is_lead(self) -> bool:
        """Whether the person runs the study, and its programs."""
        return self.role is Role.LEAD

    @property
    def is_set_up_next(self) -> bool:
        """Whether the person is a lead whose study isn't running yet."""
        return self.is_lead and self.notice == NOT_RUNNING_SENTENCE

    @property
    def looks_back(self) -> bool:
        """Whether the person can look back at training: reviewers have no part in it."""
        return self.role is not Role.REVIEWER


def home_view(facts: HomeFacts, *, roles: tuple[Role, ...], now: datetime) -> HomeView:
    """The home of the person who signed in; `roles` are all that they hold."""
    backup, backed_up = _backup(facts, now)
    return HomeView(
        study_name=facts.study_name,
        code=facts.code,
        role=facts.role,
        other_roles=tuple(role for role in roles if role is not facts.role),
        cards=(
            *(_card(phase, facts) for phase in facts.phases if _is_used(phase)),
            _results(facts),
        ),
        labelers=labeler_rows(facts.labelers),
        notice=_notice(facts),
        backup=backup,
        backed_up=backed_up,
        has_rules=_has_rules(facts),
    )


def _has_rules(facts: HomeFacts) -> bool:
    """Whether the evaluation, whose rules labelers keep, has begun."""
    evaluates = next(phase for phase in facts.phases if phase.phase is Phase.EVALUATE)
    return facts.role is Role.LABELER and _is_under_way(evaluates)


def can_settle_disagreements(phase: Phase, state: PhaseState) -> bool:
    """Whether the phase's blind verdicts are frozen, so that disagreements can be settled."""
    return phase in (Phase.ANNOTATE, Phase.REVIEW) and state is PhaseState.LOCKED


def _is_used(phase: PhaseFacts) -> bool:
    """A study can do without annotating; every other phase is always there."""
    return phase.phase is not Phase.ANNOTATE or phase.state is not PhaseState.CLOSED


def _is_under_way(phase: PhaseFacts) -> bool:
    return phase.state is not PhaseState.CLOSED


def _card(phase: PhaseFacts, facts: HomeFacts) -> HomeCardView:
    if phase.phase is Phase.EVALUATE and facts.own is not None and _is_under_way(phase):
        return _evaluation(phase, facts.own)
    if phase.phase is Phase.TRAIN and facts.training is not None and _is_under_way(phase):
        return _training(phase, facts.training)
    if phase.phase in facts.reviews:
        return _review(phase, facts.reviews[phase.phase])
    settles = facts.role is Role.LEAD and can_settle_disagreements(phase.phase, phase.state)
    return HomeCardView(
        card=HomeCardKind(phase.phase.value),
        title=phase.phase.capitalize(),
        state=phase.state,
        word=PHASE_STATE_NAMES[phase.state],
        button=DISAGREEMENTS_TITLE if settles else "",
        # No one is reported to do what has no button.
        sentence=_GOING_ON.get(phase.phase, phase.sentence) if phase.can_work else phase.sentence,
    )


def _evaluation(phase: PhaseFacts, own: OwnFacts) -> HomeCardView:
    flagged = (f"{own.set_aside:,} flagged",) if own.set_aside else ()
    active = (f"{format_duration(own.active_ms)} active",) if own.active_ms else ()
    state = PhaseState.LOCKED if own.locked else phase.state
    return HomeCardView(
        card=HomeCardKind.EVALUATE,
        title="Evaluate",
        state=state,
        word="finished" if own.locked else PHASE_STATE_NAMES[state],
        sentence="Your answers are locked. Thank you." if own.locked else phase.sentence,
        number=f"{own.answered:,}",
        counted=f"of {own.total:,} answered",
        facts=(*active, *flagged),
        done=own.answered + own.set_aside,
        total=own.total,
        button=_resume_text(own) if phase.can_work and not own.locked else "",
        waits=not own.locked,
    )


def _training(phase: PhaseFacts, own: OwnTraining) -> HomeCardView:
    lately = own.answered_lately
    share = f"{round(100 * own.right_lately / lately)} % right last week" if lately else ""
    due = f"{own.due:,} due today" if own.due else ""
    return HomeCardView(
        card=HomeCardKind.TRAIN,
        title="Train",
        state=phase.state,
        word=PHASE_STATE_NAMES[phase.state],
        sentence=phase.sentence,
        number=f"{own.answered:,}" if own.answered else "",
        counted="answered" if own.answered else "",
        facts=tuple(fact for fact in (share, due) if fact),
        button=("Continue" if own.waits or own.answered else "Begin") if phase.can_work else "",
    )


def _review(phase: PhaseFacts, own: ReviewFacts) -> HomeCardView:
    waits = own.done < own.total
    if not own.total:
        sentence = "Nothing is put to you yet: the lead plans the review."
    elif phase.can_work and not waits:
        sentence = "Everything is judged. You can change verdicts until the lead locks them."
    else:
        sentence = phase.sentence
    words = "Look again" if not waits else "Continue" if own.done else "Begin"
    return HomeCardView(
        card=HomeCardKind(phase.phase.value),
        title=phase.phase.capitalize(),
        state=phase.state,
        word=PHASE_STATE_NAMES[phase.state],
        sentence=sentence,
        number=f"{own.done:,}",
        counted=f"of {own.total:,} labels judged",
        done=own.done,
        total=own.total,
        button=DISAGREEMENTS_TITLE
        if can_settle_disagreements(phase.phase, phase.state)
        else (words if phase.can_work and own.total else ""),
        waits=waits,
    )


def _resume_text(own: OwnFacts) -> str:
    done = own.answered + own.set_aside
    if done >= own.total:
        return "Finish"
    return "Continue" if done or own.draft_waits else "Begin"


def _results(facts: HomeFacts) -> HomeCardView:
    if facts.role is not Role.LEAD:
        state, word, sentence = PhaseState.CLOSED, "lead only", "The lead reports when all is done."
    elif facts.results_open:
        state, word = PhaseState.OPEN, PHASE_STATE_NAMES[PhaseState.OPEN]
        sentence = "Humans and models compared, in tables and figures."
    else:
        state, word = PhaseState.CLOSED, PHASE_STATE_NAMES[PhaseState.CLOSED]
        sentence = "Nobody sees results before the evaluation is locked."
    return HomeCardView(
        card=HomeCardKind.RESULTS,
        title="Results",
        state=state,
        word=word,
        sentence=sentence,
        button="Open" if state is PhaseState.OPEN else "",
    )


def labeler_rows(labelers: Iterable[LabelerProgress]) -> tuple[LabelerRow, ...]:
    """A row for each labeler; who has no sample to answer isn't told of 0 of 0."""
    return tuple(
        _row(labeler) if labeler.total else _row_without_sample(labeler) for labeler in labelers
    )


def _row(labeler: LabelerProgress) -> LabelerRow:
    done = labeler.answered + labeler.set_aside
    return LabelerRow(
        code=labeler.code,
        done=done,
        total=labeler.total,
        progress=f"{labeler.answered:,} of {labeler.total:,} answered",
        state=_progress_text(done, labeler.total, labeler.locked)
        if labeler.waits is None
        else washout_row_text(labeler.waits),
    )


def _row_without_sample(labeler: LabelerProgress) -> LabelerRow:
    there = labeler.imported
    return LabelerRow(
        code=labeler.code,
        done=there,
        total=there,
        progress=f"{count_noun(there, 'image')} answered" if there else "nothing to answer yet",
        state="imported" if there else "no sample",
    )


def _progress_text(done: int, total: int, locked: bool) -> str:
    if locked:
        return "locked"
    if not done:
        return "not begun"
    return "answered, not locked" if done >= total else "under way"


NOT_RUNNING_SENTENCE = (
    "The study isn't running yet. Setting it up leads to the evaluation, step by step."
)


def _notice(facts: HomeFacts) -> str:
    own = facts.own
    if facts.role is Role.LEAD:
        states = {phase.phase: phase.state for phase in facts.phases}
        has_started = states[Phase.EVALUATE] is not PhaseState.CLOSED or facts.results_open
        return "" if has_started else NOT_RUNNING_SENTENCE
    if own is None or own.locked or not own.draft_waits:
        return ""
    return "An image was left unfinished. It waits as you left it, with its time so far."


def _backup(facts: HomeFacts, now: datetime) -> tuple[str, bool]:
    if not facts.backs_up:
        return "kept by the server", True
    if facts.last_backup_at is None:
        return "none yet", False
    return format_ago(facts.last_backup_at, now=now), True
