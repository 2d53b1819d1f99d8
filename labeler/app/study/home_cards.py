"""The cards of the home screen: each phase or task, its state, and what the person can do in it."""

from dataclasses import dataclass
from enum import StrEnum

from labeler.app.curation.class_review_session import ClassReviewProgress
from labeler.app.study.home_facts import (
    HomeFacts,
    OwnFacts,
    PhaseFacts,
    ReviewFacts,
)
from labeler.app.time_text import format_duration
from labeler.app.training.facts import OwnTraining
from labeler.core.crowd.blind_types import AnnotatorProgress
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState


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


def home_cards(facts: HomeFacts) -> tuple[HomeCardView, ...]:
    """Return the cards of the person who signed in, in the order of the screen."""
    return (
        *(_card(phase, facts) for phase in facts.phases if _is_shown(phase, facts.role)),
        *(_crowd(own) for own in facts.crowd),
        *((_results(facts),) if facts.role is Role.LEAD else ()),
        *((_crowd_rounds(),) if facts.has_crowd else ()),
        *((_curation(),) if facts.has_pools else ()),
        *((_class_review(facts.class_reviews),) if facts.class_reviews else ()),
        *((_near_duplicates(),) if facts.has_near_duplicates else ()),
    )


def can_settle_disagreements(phase: Phase, state: PhaseState) -> bool:
    """Whether the phase's blind verdicts are locked, so that disagreements can be settled."""
    return phase in (Phase.ANNOTATE, Phase.REVIEW) and state is PhaseState.LOCKED


def _is_shown(phase: PhaseFacts, role: Role) -> bool:
    """A lead sees every phase that the study uses, others the phases that they work in."""
    if phase.phase is Phase.ANNOTATE and phase.state is PhaseState.CLOSED:
        return False
    return role is Role.LEAD or phase.phase in _WORKED_IN[role]


def is_under_way(phase: PhaseFacts) -> bool:
    return phase.state is not PhaseState.CLOSED


def _card(phase: PhaseFacts, facts: HomeFacts) -> HomeCardView:
    if phase.phase is Phase.EVALUATE and facts.own is not None and is_under_way(phase):
        return _evaluation(phase, facts.own)
    if phase.phase is Phase.TRAIN and facts.training is not None and is_under_way(phase):
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
