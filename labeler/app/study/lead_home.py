"""The lead's part of the home screen: the next step, the people, and the study's health."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from labeler.app.study.home_facts import (
    HomeFacts,
    LabelerProgress,
    ReviewerWork,
    StudyHealth,
)
from labeler.app.study.last_check import LastCheck
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.time_text import format_ago
from labeler.core.datasets.washout import washout_row_text
from labeler.core.study.entities import Role
from labeler.core.study.phases import PHASE_NAMES, Phase, PhaseState
from labeler.core.text import count_noun, join_some

EVALUATION_LOCKED = "The evaluation is locked."

NOT_RUNNING_SENTENCE = "The study isn't running yet."
SET_UP_ADVICE = "Set it up step by step to open the evaluation."
SET_UP_BUTTON = "Set up the study"
ALL_LOCKED = "All labelers have locked their answers."
RESULTS_READY = "The results are ready."
REVIEW_LOCKED = "The final review is locked."
WAITS_FOR_REVIEW = "waits for the review"
NEVER_SEEN = "never"
NOT_STARTED = "not started"
NOT_CHECKED = "Not checked yet: Set up, step “Backups and check”"
CHECK_AGAIN = "Fix them in Set up, step “Backups and check”."
_LOW_DISK = 2_000_000_000
_WEEK = 7
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadStep:
    """What the lead does next, as a sentence, an explanation and a button.

    The button opens a step of Set up, opens the results, or copies a `reminder` to the clipboard;
    without a button there is nothing to do.
    """

    headline: str
    explanation: str = ""
    button: str = ""
    set_up: SetupStep | None = None
    reminder: str = ""
    opens_results: bool = False
    is_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonProgress:
    """A person's progress for the lead: counts, never answers.

    `tone` is the name of a colour for the state: locked, waiting, or none.
    """

    code: str
    role: Role
    done: int
    total: int
    progress: str
    pace: str
    seen: str
    state: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class HealthLine:
    """A fact about backups, a check or the disk; a `problem` needs the lead.

    A fact that isn't `known` is neither good nor bad.
    """

    text: str
    problem: bool = False
    known: bool = True


def lead_step(facts: HomeFacts) -> LeadStep:
    """Return the lead's next step, from setting up to the results."""
    states = {phase.phase: phase.state for phase in facts.phases}
    is_open = {phase for phase, state in states.items() if state is PhaseState.OPEN}
    if Phase.REVIEW in is_open:
        return _reviewing(facts, Phase.REVIEW)
    if Phase.EVALUATE in is_open:
        return _evaluating(facts)
    if states[Phase.REVIEW] is PhaseState.LOCKED:
        return _results(REVIEW_LOCKED)
    if states[Phase.EVALUATE] is PhaseState.LOCKED:
        return _locked(facts)
    return _results(RESULTS_READY) if facts.results_open else _before_evaluation(facts, is_open)


def person_rows(facts: HomeFacts, *, now: datetime) -> tuple[PersonProgress, ...]:
    """Return the labelers, then the reviewers."""
    labelers = (_labeler_row(each, _seen(facts, each.code, now)) for each in facts.labelers)
    reviewers = (_reviewer_row(each, _seen(facts, each.code, now)) for each in facts.reviewers)
    return (*labelers, *reviewers)


def health_lines(health: StudyHealth, *, now: datetime) -> tuple[HealthLine, ...]:
    """Return what is known of the data's safety."""
    lines = [
        HealthLine(f"The folder of the dataset “{name}” is missing.", problem=True)
        for name in health.missing
    ]
    if health.uncopied_to:
        text = f"The newest backup isn't in the second folder, {health.uncopied_to}."
        lines.append(HealthLine(text, problem=True))
    if health.free_bytes is not None and health.free_bytes < _LOW_DISK:
        left = f"Only {health.free_bytes / 1e9:.1f} GB are free on the study's disk."
        lines.append(HealthLine(left, problem=True))
    elif health.free_bytes is not None:
        lines.append(HealthLine(f"{health.free_bytes / 1e9:,.0f} GB free on the disk"))
    return (*lines, _check_line(health.checked, now))


def _check_line(check: LastCheck | None, now: datetime) -> HealthLine:
    if check is None:
        return HealthLine(NOT_CHECKED, known=False)
    ago = format_ago(check.at, now=now)
    if check.problems:
        found = count_noun(check.problems, "problem")
        return HealthLine(f"The check found {found}, {ago}. {CHECK_AGAIN}", problem=True)
    return HealthLine(f"Checked {ago}: no problems")


def _results(headline: str) -> LeadStep:
    return LeadStep(headline=headline, button="Open the results", opens_results=True)


def _locked(facts: HomeFacts) -> LeadStep:
    return LeadStep(
        headline=EVALUATION_LOCKED,
        explanation=_sentence(facts, Phase.REVIEW),
        button="Go to the phases",
        set_up=SetupStep.PHASES,
    )


def _before_evaluation(facts: HomeFacts, is_open: Collection[Phase]) -> LeadStep:
    if Phase.ANNOTATE in is_open:
        return _reviewing(facts, Phase.ANNOTATE)
    if Phase.TRAIN in is_open:
        return LeadStep(
            headline="The training is open.",
            explanation=_sentence(facts, Phase.EVALUATE),
            button="Prepare the evaluation",
            is_first=True,
        )
    return LeadStep(
        headline=NOT_RUNNING_SENTENCE,
        explanation=SET_UP_ADVICE,
        button=SET_UP_BUTTON,
        is_first=True,
    )


def _evaluating(facts: HomeFacts) -> LeadStep:
    unlocked = [each for each in facts.labelers if not each.locked]
    if facts.labelers and not unlocked:
        return LeadStep(
            headline=ALL_LOCKED,
            explanation="Lock the evaluation to open the final review.",
            button="Go to the phases",
            set_up=SetupStep.PHASES,
        )
    return LeadStep(
        headline=_still_answering(unlocked),
        explanation=" ".join(_estimates(unlocked)),
        button=_reminder_button(unlocked),
        reminder=_reminder(facts.study_name, unlocked),
    )


def _still_answering(unlocked: Sequence[LabelerProgress]) -> str:
    idle = [each.code for each in unlocked if not each.answered]
    working = len(unlocked) - len(idle)
    parts = []
    if working:
        parts.append(count_noun(working, "labeler is", "labelers are") + " still answering")
    if idle:
        have = "has" if len(idle) == 1 else "have"
        parts.append(f"{_names(idle)} {have} not started")
    return f"{', '.join(parts)}." if parts else "The evaluation is open."


def _estimates(unlocked: Sequence[LabelerProgress]) -> list[str]:
    """Say when each labeler finishes at the pace of the last week."""
    found = [(each.code, days) for each in unlocked if (days := _days_left(each)) is not None]
    texts = [f"{code} in {count_noun(days, 'day')}" for code, days in found]
    return [f"At the pace of the last week, {_names(texts)} to go."] if texts else []


def _days_left(labeler: LabelerProgress) -> int | None:
    left = labeler.total - labeler.answered - labeler.set_aside
    return ceil(left * _WEEK / labeler.lately) if labeler.lately and left > 0 else None


def _reminder_button(people: Sequence[LabelerProgress | ReviewerWork]) -> str:
    codes = [each.code for each in people]
    if not codes:
        return ""
    return f"Copy a reminder for {_names(codes) if len(codes) <= _NAMED else 'them'}"


def _reminder(study: str, unlocked: Sequence[LabelerProgress]) -> str:
    lines = (
        f"{each.code}: {each.answered + each.set_aside:,} of {each.total:,} images done"
        for each in unlocked
    )
    return "\n".join((f"The evaluation of “{study}” is open. Still to do:", *lines))


def _reviewing(facts: HomeFacts, phase: Phase) -> LeadStep:
    unfinished = [each for each in facts.reviewers if each.done < each.total or not each.total]
    name = PHASE_NAMES[phase]
    if facts.reviewers and not unfinished:
        return LeadStep(
            headline="All reviewers have judged everything.",
            explanation=f"Lock the {name} to settle disagreements.",
            button="Go to the phases",
            set_up=SetupStep.PHASES,
        )
    if not any(each.total for each in facts.reviewers):
        return LeadStep(
            headline=f"The {name} is open, but not planned.",
            button="Plan the review",
            set_up=SetupStep.REVIEWS,
        )
    lines = (f"{each.code}: {each.done:,} of {each.total:,} labels judged" for each in unfinished)
    open_to = f"The {name} of “{facts.study_name}” is open. Still to do:"
    return LeadStep(
        headline=f"{count_noun(len(unfinished), 'reviewer is', 'reviewers are')} still judging.",
        button=_reminder_button(unfinished),
        reminder="\n".join((open_to, *lines)),
    )


def _names(codes: Sequence[str]) -> str:
    return join_some(codes).replace(";", ",")


def _sentence(facts: HomeFacts, phase: Phase) -> str:
    return next(each.sentence for each in facts.phases if each.phase is phase)


def _seen(facts: HomeFacts, code: str, now: datetime) -> str:
    moment = facts.last_seen.get(code)
    return NEVER_SEEN if moment is None else format_ago(moment, now=now)


def _labeler_row(labeler: LabelerProgress, seen: str) -> PersonProgress:
    done = labeler.answered + labeler.set_aside
    state, tone = _labeler_state(labeler, done)
    pace = f"{labeler.active_ms / labeler.answered / 1000:.0f} s" if labeler.answered else ""
    return PersonProgress(
        code=labeler.code,
        role=Role.LABELER,
        done=done,
        total=labeler.total,
        progress=_labeler_counts(labeler),
        pace=pace if labeler.active_ms else "",
        seen=seen,
        state=state,
        tone=tone,
    )


def _labeler_counts(labeler: LabelerProgress) -> str:
    if labeler.total:
        return f"{labeler.answered:,} of {labeler.total:,}"
    return f"{labeler.imported:,} imported" if labeler.imported else "no sample"


def _labeler_state(labeler: LabelerProgress, done: int) -> tuple[str, str]:
    if labeler.locked:
        return "locked", "open"
    if labeler.waits is not None:
        return washout_row_text(labeler.waits), "locked"
    if labeler.total and not done:
        return NOT_STARTED, "locked"
    return ("answered, not locked", "") if done >= labeler.total > 0 else ("", "")


def _reviewer_row(reviewer: ReviewerWork, seen: str) -> PersonProgress:
    waits = reviewer.phase is None
    counts = f"{reviewer.done:,} of {reviewer.total:,} labels"
    return PersonProgress(
        code=reviewer.code,
        role=Role.REVIEWER,
        done=reviewer.done,
        total=reviewer.total,
        progress=WAITS_FOR_REVIEW if waits else counts if reviewer.total else "no plan",
        pace="",
        seen=seen,
        state="done" if reviewer.done >= reviewer.total > 0 else "",
        tone="open",
    )
