"""The study's settings for its lead: what may change, what no longer may, and why."""

from collections.abc import Iterator
from dataclasses import dataclass

from labeler.app.study.setup.confirmations import Confirmation
from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.text import count_noun


@dataclass(frozen=True, slots=True)
class FixedSetting:
    """Something that was decided when the study was made, and why it stays."""

    what: str
    value: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettingsView:
    """`may_ask` and `may_wash_out` say whether those may change; the hints say why or what of it.

    `notice` is what to know before anything is changed. `datasets` can be compared in the report,
    `original` and `new` are those that are.
    """

    asks_confidence: bool
    idle_seconds: int
    washout_days: int
    has_passphrase: bool
    notice: str
    may_ask: bool
    question_hint: str
    may_wash_out: bool
    washout_hint: str
    datasets: tuple[str, ...]
    original: str
    new: str
    fixed: tuple[FixedSetting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettingsForm:
    """What is in the forms; a passphrase is only `typed` there."""

    asks_confidence: bool
    idle_seconds: int
    washout_days: int
    original: str
    new: str
    typed: bool = False


IDLE_HINT = (
    "How long a look without a key or click counts as active time. It may change at any time: all "
    "times are kept as they were measured, and the report can apply another threshold."
)
_NOTICE = {
    PhaseState.CLOSED: "",
    PhaseState.OPEN: "The evaluation is open. What you change now holds for sessions that begin "
    "later, so that answers differ in how they were asked for. It is better to leave it as it is.",
    PhaseState.LOCKED: "",
}
_QUESTION = {
    PhaseState.CLOSED: "In five steps, before they submit. Settle it before the evaluation opens.",
    PhaseState.OPEN: "Answers that are there stay without it, or keep theirs.",
    PhaseState.LOCKED: "Can't change any more: the evaluation is locked, nobody is asked again.",
}
_WASHOUT = {
    PhaseState.CLOSED: "A pause in which images are forgotten: the days that must lie between a "
    "labeler's review of an image and their evaluation on it. With none, you are only warned.",
    PhaseState.OPEN: "The days between a labeler's review of an image and their evaluation on it. "
    "Holds for labelers who haven't begun.",
    PhaseState.LOCKED: "Can't change any more: the evaluation is locked.",
}
assert set(_NOTICE) == set(_QUESTION) == set(_WASHOUT) == set(PhaseState)

PASSPHRASE_REMOVAL = Confirmation(
    "Remove the passphrase?",
    "Anybody who knows a lead's code can then sign in as lead: see every answer and target, open "
    "and lock phases, and remove what is in the study.",
    "Remove it",
)
PASSPHRASE_HINT = {
    True: "Leads are asked for a passphrase when they sign in. Nobody can read it here, but any "
    "lead can set another one. If nobody knows it any more, whoever may write to the study's "
    "folder removes it at a command line: labeler settings STUDY --no-lead-passphrase",
    False: "Anybody who knows a lead's code can sign in as lead. A passphrase keeps others out.",
}


def study_settings_view(facts: SetupFacts) -> StudySettingsView:
    state = facts.study.states[Phase.EVALUATE]
    may_change = state is not PhaseState.LOCKED
    datasets = tuple(d.name for d in facts.datasets if d.role is DatasetRole.EVALUATION)
    original, new = facts.compared or (*datasets[:2], "", "")[:2]
    return StudySettingsView(
        asks_confidence=facts.settings.asks_confidence,
        idle_seconds=facts.settings.idle_seconds,
        washout_days=facts.settings.washout_days,
        has_passphrase=facts.settings.has_lead_passphrase,
        notice=_NOTICE[state],
        may_ask=may_change,
        question_hint=_QUESTION[state],
        may_wash_out=may_change,
        washout_hint=_WASHOUT[state],
        datasets=datasets,
        original=original,
        new=new,
        fixed=_fixed(facts),
    )


def settings_changed(view: StudySettingsView, form: StudySettingsForm) -> bool:
    held = view.asks_confidence, view.idle_seconds, view.washout_days
    return held != (form.asks_confidence, form.idle_seconds, form.washout_days)


def compared_pair_changed(view: StudySettingsView, form: StudySettingsForm) -> bool:
    """Whether two other datasets could be compared; one with itself can't."""
    pair = form.original, form.new
    return (
        len(view.datasets) > 1 and form.original != form.new and pair != (view.original, view.new)
    )


def unsaved_settings_confirmation(
    view: StudySettingsView, form: StudySettingsForm
) -> Confirmation | None:
    """What to ask anyone who leaves what was changed and doesn't hold yet; None where all holds."""
    changed = list(_changed(view, form))
    if not changed:
        return None
    return Confirmation(
        "Apply what you changed?", f"It doesn't hold yet: {'; '.join(changed)}.", "Apply it"
    )


def _changed(view: StudySettingsView, form: StudySettingsForm) -> Iterator[str]:
    if view.asks_confidence != form.asks_confidence:
        yield f"labelers are {'' if form.asks_confidence else 'not '}asked how sure they are"
    if view.idle_seconds != form.idle_seconds:
        yield f"idle after {form.idle_seconds:,} s instead of {view.idle_seconds:,} s"
    if view.washout_days != form.washout_days:
        yield f"a washout of {_days(form.washout_days)} instead of {_days(view.washout_days)}"
    if compared_pair_changed(view, form):
        yield f"{form.original} is compared with {form.new}"
    if form.typed:
        yield "a passphrase is typed and not set"


def _days(count: int) -> str:
    return count_noun(count, "day") if count else "none"


def _fixed(facts: SetupFacts) -> tuple[FixedSetting, ...]:
    made = facts.made
    classes = f"{count_noun(made.classes, 'class', 'classes')}, {made.taxonomy}"
    return (
        FixedSetting("Name", made.name, "Exports and reports carry it."),
        FixedSetting(
            "Classes",
            classes,
            "Answers, verdicts and predictions are about them. Another study can have others.",
        ),
        FixedSetting(
            "Seed",
            str(made.seed),
            "The number from which images are drawn, unless a draw is given its own: the same one "
            "draws the same images.",
        ),
        FixedSetting("Folder", str(made.folder), "Move it as a whole while nobody has it open."),
    )
