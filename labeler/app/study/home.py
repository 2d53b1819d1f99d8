"""The home screen: the phases, their state, and what this person can do next."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from labeler.app.curation.class_review_session import ClassReviewProgress
from labeler.app.study.home_facts import (
    DAYS_SHOWN,
    HomeFacts,
    LabelerProgress,
    OwnFacts,
    PhaseFacts,
    ReviewFacts,
)
from labeler.app.study.lead_home import (
    HealthLine,
    LeadStep,
    PersonProgress,
    health_lines,
    lead_step,
    person_rows,
)
from labeler.app.time_text import format_ago, format_duration
from labeler.app.training.facts import OwnTraining
from labeler.core.crowd.blind_types import AnnotatorProgress
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.datasets.washout import washout_row_text
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.text import count_noun


class HomeCardKind(StrEnum):
    """The cards of the home screen: one for each phase, and the results."""

    ANNOTATE = Phase.ANNOTATE.value
    TRAIN = Phase.TRAIN.value
    EVALUATE = Phase.EVALUATE.value
    REVIEW = Phase.REVIEW.value
    RESULTS = "results"
    CROWD = "crowd"
    CURATION = "curation"
    CLASS_REVIEW = "class_review"
    DUPLICATES = "duplicates"
    CONTAINS = CrowdTask.CONTAINS.value
    CLASSIFY = CrowdTask.CLASSIFY.value


_STEPS = {*(HomeCardKind(phase.value) for phase in Phase), HomeCardKind.RESULTS}
DISAGREEMENTS_TITLE = "Disagreements"

PHASE_STATE_NAMES = {
    PhaseState.CLOSED: "not open yet",
    PhaseState.OPEN: "open",
    PhaseState.LOCKED: "locked",
}
assert set(PHASE_STATE_NAMES) == set(PhaseState), "every state has a name"


_WORKED_IN = {
    Role.LABELER: (Phase.TRAIN, Phase.EVALUATE),
    Role.REVIEWER: (Phase.ANNOTATE, Phase.REVIEW),
    Role.ANNOTATOR: (),
}
UNDER_WAY = {
    Phase.ANNOTATE: "The initial review is under way: candidate labels are being judged.",
    Phase.TRAIN: "The training is under way.",
    Phase.REVIEW: "The final review is under way: the labels that were given are being judged.",
}
ANSWERS_LOCKED = "Your answers are locked. Thank you."
REVIEW_NOT_PLANNED = "The lead hasn't planned the review yet."
REVIEW_DONE = "You have judged everything. You can change verdicts until the lead locks them."
RESULTS_OPEN = "Compare humans and models in tables and figures."
RESULTS_CLOSED = "Results are available once the evaluation is locked."
BEFORE_LOCK = "When all images are answered, check them if you like, then lock your answers."
AFTER_LOCK = "Nothing more to do here. Reviewers judge the labels once everyone has locked."
DRAFT_WAITS = "You left an image unfinished. Your draft and its time so far are kept."
CROWD_TASKS = {
    CrowdTask.CONTAINS: ("Which images?", "a grid"),
    CrowdTask.CLASSIFY: ("Which objects?", "an image"),
}
CROWD_SENTENCES = {
    CrowdTask.CONTAINS: "Select the images that contain a class, up to 48 at a time.",
    CrowdTask.CLASSIFY: "Name the objects in an image, and the main one.",
}
CROWD_ROUNDS = "Plan rounds, watch their progress, and check annotators."
CURATION = "Collect candidates, sample a new test set, review and revise it."
CLASS_REVIEW = "Compare the images of a new dataset with the originals, class by class."
NEAR_DUPLICATES = "Search for near-duplicates, and review the pairs."
CROWD_DONE = "Nothing is left for you to do. Thank you."
CROWD_NONE = "There is nothing to do at the moment."
NOTHING_TO_ANSWER = "nothing to answer yet"
SERVER_BACKUPS = "made by the server"
BUNDLE_BACKUPS = "save results and send them"
NO_BACKUP = "none yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeCardView:
    """A card: its state, a number with its unit, facts, a sentence, and the button's text.

    `done` and `total` fill the progress bar; a card without a `button` has nothing to press.
    `waits` is true while the person has work left.
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


@dataclass(frozen=True, slots=True)
class DayBar:
    """How many images were answered on a day."""

    day: date
    images: int


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
    """Everything on the home screen; `other_roles` are those the person can switch to.

    `has_rules` is true for a labeler once the evaluation has rules to read. `step`, `people` and
    `health` are the lead's; `days`, `week` (numbers with their units) and `next_up` a labeler's.
    `saves_results` is true in a bundle.
    """

    study_name: str
    code: str
    role: Role
    other_roles: tuple[Role, ...]
    cards: tuple[HomeCardView, ...]
    notice: str
    backup: str
    backed_up: bool
    has_rules: bool = False
    saves_results: bool = False
    step: LeadStep | None = None
    people: tuple[PersonProgress, ...] = ()
    health: tuple[HealthLine, ...] = ()
    days: tuple[DayBar, ...] = ()
    week: tuple[tuple[str, str], ...] = ()
    next_up: str = ""

    @property
    def main(self) -> HomeCardKind | None:
        """The card to continue with: unfinished work comes before anything optional."""
        usable = [card for card in self.cards if card.button]
        return next((card.card for card in (*(c for c in usable if c.waits), *usable)), None)

    @property
    def steps(self) -> tuple[HomeCardView, ...]:
        """The cards of the study's phases and results, which follow one another."""
        return tuple(card for card in self.cards if card.card in _STEPS)

    @property
    def other_work(self) -> tuple[HomeCardView, ...]:
        """The cards of work that no phase depends on."""
        return tuple(card for card in self.cards if card.card not in _STEPS)

    @property
    def is_lead(self) -> bool:
        """Whether the person runs the study."""
        return self.role is Role.LEAD

    @property
    def is_set_up_next(self) -> bool:
        """Whether setting up is the lead's next task."""
        return self.step is not None and self.step.is_first

    @property
    def looks_up(self) -> bool:
        """Whether the person can look up classes: an annotator's controls are references."""
        return self.role is not Role.ANNOTATOR

    @property
    def looks_back(self) -> bool:
        """Whether the person can see training progress: reviewers don't train."""
        return self.role not in (Role.REVIEWER, Role.ANNOTATOR)


def home_view(facts: HomeFacts, *, roles: tuple[Role, ...], now: datetime) -> HomeView:
    """Build the home screen of the person who signed in; `roles` are all of theirs."""
    backup, backed_up = _backup(facts, now)
    return HomeView(
        study_name=facts.study_name,
        code=facts.code,
        role=facts.role,
        other_roles=tuple(role for role in roles if role is not facts.role),
        cards=(
            *(_card(phase, facts) for phase in facts.phases if _is_shown(phase, facts.role)),
            *(_crowd(own) for own in facts.crowd),
            *((_results(facts),) if facts.role is Role.LEAD else ()),
            *((_crowd_rounds(),) if facts.has_crowd else ()),
            *((_curation(),) if facts.has_pools else ()),
            *((_class_review(facts.class_reviews),) if facts.class_reviews else ()),
            *((_near_duplicates(),) if facts.has_near_duplicates else ()),
        ),
        notice=_notice(facts),
        backup=backup,
        backed_up=backed_up,
        has_rules=_has_rules(facts),
        saves_results=facts.is_bundle,
        step=lead_step(facts) if facts.role is Role.LEAD else None,
        people=person_rows(facts, now=now),
        health=health_lines(facts.health, now=now) if facts.role is Role.LEAD else (),
        days=_day_bars(facts, now) if facts.own is not None else (),
        week=_week(facts),
        next_up=_next_up(facts),
    )


def _has_rules(facts: HomeFacts) -> bool:
    """Whether the person is a labeler and the evaluation has started."""
    evaluates = next(phase for phase in facts.phases if phase.phase is Phase.EVALUATE)
    return facts.role is Role.LABELER and _is_under_way(evaluates)


def can_settle_disagreements(phase: Phase, state: PhaseState) -> bool:
    """Whether the phase's blind verdicts are locked, so that disagreements can be settled."""
    return phase in (Phase.ANNOTATE, Phase.REVIEW) and state is PhaseState.LOCKED


def _is_shown(phase: PhaseFacts, role: Role) -> bool:
    """A lead sees every phase that the study uses, others the phases that they work in."""
    if phase.phase is Phase.ANNOTATE and phase.state is PhaseState.CLOSED:
        return False
    return role is Role.LEAD or phase.phase in _WORKED_IN[role]


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
        # Without a button the card must not say that the person can work here.
        sentence=UNDER_WAY.get(phase.phase, phase.sentence) if phase.can_work else phase.sentence,
    )


def _evaluation(phase: PhaseFacts, own: OwnFacts) -> HomeCardView:
    flagged = (f"{own.set_aside:,} flagged",) if own.set_aside else ()
    active = _pace_facts(own)
    state = PhaseState.LOCKED if own.locked else phase.state
    return HomeCardView(
        card=HomeCardKind.EVALUATE,
        title="Evaluate",
        state=state,
        word="finished" if own.locked else PHASE_STATE_NAMES[state],
        sentence=ANSWERS_LOCKED if own.locked else phase.sentence,
        number=f"{own.answered:,}",
        counted=f"of {own.total:,} answered",
        facts=(*active, *flagged),
        done=own.answered + own.set_aside,
        total=own.total,
        button=_resume_text(own) if phase.can_work and not own.locked else "",
        waits=not own.locked,
    )


def _pace_facts(own: OwnFacts) -> tuple[str, ...]:
    """Return the active time, the time an image takes, and the time that is left at this pace."""
    if not own.active_ms:
        return ()
    active = f"{format_duration(own.active_ms)} active"
    left = own.total - own.answered - own.set_aside
    if not own.answered or own.locked:
        return (active,)
    each_ms = own.active_ms / own.answered
    pace = f"{each_ms / 1000:.0f} s an image"
    to_go = (f"about {format_duration(round(each_ms * left))} to go",) if left > 0 else ()
    return (active, pace, *to_go)


def _day_bars(facts: HomeFacts, now: datetime) -> tuple[DayBar, ...]:
    """Return the last days, today last; nothing before the first answer."""
    if not facts.days:
        return ()
    today = now.astimezone().date()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS_SHOWN))]
    return tuple(DayBar(day, facts.days.get(day, 0)) for day in days)


def _week(facts: HomeFacts) -> tuple[tuple[str, str], ...]:
    """Return the numbers of a labeler's week with their units."""
    training = facts.training
    if training is None or not training.answered_lately:
        return ()
    share = round(100 * training.right_lately / training.answered_lately)
    return (
        (f"{share} %", "right in training"),
        (f"{training.answered_lately:,}", "training images"),
    )


def _next_up(facts: HomeFacts) -> str:
    """Say what comes after the labeler's current work."""
    if facts.own is None:
        return ""
    if facts.own.locked:
        return AFTER_LOCK
    states = {phase.phase: phase.state for phase in facts.phases}
    return BEFORE_LOCK if states[Phase.EVALUATE] is PhaseState.OPEN else ""


def _training(phase: PhaseFacts, own: OwnTraining) -> HomeCardView:
    lately = own.answered_lately
    share = f"{round(100 * own.right_lately / lately)} % correct last week" if lately else ""
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
        button=("Continue" if own.waits or own.answered else "Start") if phase.can_work else "",
    )


def _crowd(own: AnnotatorProgress) -> HomeCardView:
    """Return an annotator's card: what is done and left, and the pace."""
    title, unit = CROWD_TASKS[own.task]
    total = own.done + own.left
    pace: tuple[str, ...] = ()
    if own.done and own.active_ms:
        each_ms = own.active_ms / own.done
        left = (f"about {format_duration(round(each_ms * own.left))} to go",) if own.left else ()
        pace = (f"{each_ms / 1000:.0f} s {unit}", *left)
    words = "Continue" if own.done or own.has_open else "Start"
    return HomeCardView(
        card=HomeCardKind(own.task.value),
        title=title,
        state=PhaseState.OPEN if own.left else PhaseState.CLOSED,
        word="open" if own.left else "finished" if own.done else "nothing to do",
        sentence=CROWD_SENTENCES[own.task] if own.left else CROWD_DONE if own.done else CROWD_NONE,
        number=f"{own.done:,}" if total else "",
        counted=f"of {total:,} answered" if total else "",
        facts=pace,
        done=own.done,
        total=total,
        button=words if own.left else "",
        waits=own.left > 0,
    )


def _review(phase: PhaseFacts, own: ReviewFacts) -> HomeCardView:
    waits = own.done < own.total
    if not own.total:
        sentence = REVIEW_NOT_PLANNED
    elif phase.can_work and not waits:
        sentence = REVIEW_DONE
    else:
        sentence = phase.sentence
    words = "Review again" if not waits else "Continue" if own.done else "Start"
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
    return "Continue" if done or own.draft_waits else "Start"


def _crowd_rounds() -> HomeCardView:
    return HomeCardView(
        card=HomeCardKind.CROWD,
        title="Crowd tasks",
        state=PhaseState.OPEN,
        word="",
        sentence=CROWD_ROUNDS,
        button="Open",
    )


def _curation() -> HomeCardView:
    return HomeCardView(
        card=HomeCardKind.CURATION,
        title="Build a dataset",
        state=PhaseState.OPEN,
        word="",
        sentence=CURATION,
        button="Open",
    )


def _near_duplicates() -> HomeCardView:
    return HomeCardView(
        card=HomeCardKind.DUPLICATES,
        title="Near-duplicates",
        state=PhaseState.OPEN,
        word="",
        sentence=NEAR_DUPLICATES,
        button="Open",
    )


def _class_review(own: ClassReviewProgress) -> HomeCardView:
    """Return the card of a revision whose classes are reviewed."""
    return HomeCardView(
        card=HomeCardKind.CLASS_REVIEW,
        title="Dataset review",
        state=PhaseState.OPEN,
        word="open",
        sentence=CLASS_REVIEW,
        number=f"{own.reviewed:,}",
        counted=f"of {own.classes:,} classes reviewed",
        done=own.reviewed,
        total=own.classes,
        button="Continue" if own.reviewed else "Start",
        waits=own.reviewed < own.classes,
    )


def _results(facts: HomeFacts) -> HomeCardView:
    if facts.results_open:
        state, word = PhaseState.OPEN, PHASE_STATE_NAMES[PhaseState.OPEN]
        sentence = RESULTS_OPEN
    else:
        state, word = PhaseState.CLOSED, PHASE_STATE_NAMES[PhaseState.CLOSED]
        sentence = RESULTS_CLOSED
    return HomeCardView(
        card=HomeCardKind.RESULTS,
        title="Results",
        state=state,
        word=word,
        sentence=sentence,
        button="Open" if state is PhaseState.OPEN else "",
    )


def labeler_rows(labelers: Iterable[LabelerProgress]) -> tuple[LabelerRow, ...]:
    """Return a row for each labeler, without a count for those who have no sample."""
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
        progress=f"{count_noun(there, 'image')} answered" if there else NOTHING_TO_ANSWER,
        state="imported" if there else "no sample",
    )


def _progress_text(done: int, total: int, locked: bool) -> str:
    if locked:
        return "locked"
    if not done:
        return "not started"
    return "answered, not locked" if done >= total else "in progress"


def _notice(facts: HomeFacts) -> str:
    own = facts.own
    if own is None or own.locked or not own.draft_waits:
        return ""
    return DRAFT_WAITS


def _backup(facts: HomeFacts, now: datetime) -> tuple[str, bool]:
    if facts.is_bundle:
        return BUNDLE_BACKUPS, True
    if not facts.backs_up:
        return SERVER_BACKUPS, True
    if facts.last_backup_at is None:
        return NO_BACKUP, False
    return format_ago(facts.last_backup_at, now=now), True
