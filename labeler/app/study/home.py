"""The home screen: the phases, their state, and what this person can do next."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from labeler.app.study.home_cards import HomeCardKind, HomeCardView, home_cards, is_under_way
from labeler.app.study.home_facts import (
    DAYS_SHOWN,
    HomeFacts,
)
from labeler.app.study.lead_home import (
    HealthLine,
    LeadStep,
    PersonProgress,
    health_lines,
    lead_step,
    person_rows,
)
from labeler.app.time_text import format_ago
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState

_STEPS = {*(HomeCardKind(phase.value) for phase in Phase), HomeCardKind.RESULTS}
BEFORE_LOCK = "When all images are answered, check them if you like, then lock your answers."
AFTER_LOCK = "Nothing more to do here. Reviewers judge the labels once everyone has locked."
DRAFT_WAITS = "You left an image unfinished. Your draft and its time so far are kept."
SERVER_BACKUPS = "made by the server"
BUNDLE_BACKUPS = "save results and send them"
NO_BACKUP = "none yet"


@dataclass(frozen=True, slots=True)
class DayBar:
    """How many images were answered on a day."""

    day: date
    images: int


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
        cards=home_cards(facts),
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
    return facts.role is Role.LABELER and is_under_way(evaluates)


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
