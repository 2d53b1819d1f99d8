"""The study's settings for its lead: which can change, which can't any more, and why."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from labeler.app.study.setup.confirmations import Confirmation
from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.text import count_noun


@dataclass(frozen=True, slots=True)
class FixedSetting:
    """A setting that was fixed when the study was created, and why."""

    what: str
    value: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettingsView:
    """The panel's contents; `may_ask` and `may_wash_out` say whether those settings can change.

    `notice` is a warning for the whole panel. `datasets` can be compared in the report; `original`
    and `new` are the chosen two.
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
    """The values in the forms; `typed` is true if a passphrase was entered."""

    asks_confidence: bool
    idle_seconds: int
    washout_days: int
    original: str
    new: str
    typed: bool = False


IDLE_HINT = (
    "Time without input counts as active up to this limit. You can change it at any time: the "
    "recorded times don't depend on it, and the report can use another limit."
)
EVALUATION_NOTICE = {
    PhaseState.CLOSED: "",
    PhaseState.OPEN: "The evaluation is open. Changes apply to new sessions only, so answers would "
    "be collected under different rules. It is best not to change anything now.",
    PhaseState.LOCKED: "",
}
CONFIDENCE_HINT = {
    PhaseState.CLOSED: "On a scale of five, before they submit. Decide before the evaluation "
    "opens.",
    PhaseState.OPEN: "Existing answers don't change.",
    PhaseState.LOCKED: "Can't be changed: the evaluation is locked.",
}
WASHOUT_HINT = {
    PhaseState.CLOSED: "The minimum number of days between a labeler's review of an image and "
    "their evaluation on it, so that they forget it. Without a washout you only get a warning.",
    PhaseState.OPEN: "The minimum number of days between a labeler's review of an image and their "
    "evaluation on it. Applies to labelers who haven't started.",
    PhaseState.LOCKED: "Can't be changed: the evaluation is locked.",
}
assert set(EVALUATION_NOTICE) == set(CONFIDENCE_HINT) == set(WASHOUT_HINT) == set(PhaseState), (
    "every state has its texts"
)

PASSPHRASE_NOT_SET = "a passphrase was entered but not set"
PASSPHRASE_REMOVAL = Confirmation(
    "Remove the passphrase?",
    "Anyone who knows a lead's code can then sign in as lead, see every answer and target, open "
    "and lock phases, and remove data.",
    "Remove",
)
PASSPHRASE_HINT = {
    True: "Leads need a passphrase to sign in. It isn't shown here, but any lead can set a new "
    "one. If it is lost, anyone with write access to the study's folder can remove it on the "
    "command line: labeler settings STUDY --no-lead-passphrase",
    False: "Anyone who knows a lead's code can sign in as lead. A passphrase prevents that.",
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
        notice=EVALUATION_NOTICE[state],
        may_ask=may_change,
        question_hint=CONFIDENCE_HINT[state],
        may_wash_out=may_change,
        washout_hint=WASHOUT_HINT[state],
        datasets=datasets,
        original=original,
        new=new,
        fixed=_fixed(facts),
    )


def settings_changed(view: StudySettingsView, form: StudySettingsForm) -> bool:
    held = view.asks_confidence, view.idle_seconds, view.washout_days
    return held != (form.asks_confidence, form.idle_seconds, form.washout_days)


def compared_pair_changed(view: StudySettingsView, form: StudySettingsForm) -> bool:
    """Whether a different, valid pair of datasets is selected."""
    pair = form.original, form.new
    return (
        len(view.datasets) > 1 and form.original != form.new and pair != (view.original, view.new)
    )


def unsaved_settings_confirmation(
    view: StudySettingsView, form: StudySettingsForm
) -> Confirmation | None:
    """Return the question about unapplied changes, or None if there are none."""
    changed = list(_changed(view, form))
    if not changed:
        return None
    return Confirmation("Apply your changes?", unapplied_text(changed), "Apply")


def unapplied_text(changes: Iterable[str]) -> str:
    return f"These changes aren't applied yet: {'; '.join(changes)}."


def _changed(view: StudySettingsView, form: StudySettingsForm) -> Iterator[str]:
    if view.asks_confidence != form.asks_confidence:
        yield f"{'ask' if form.asks_confidence else 'do not ask'} labelers how sure they are"
    if view.idle_seconds != form.idle_seconds:
        yield f"idle after {form.idle_seconds:,} s instead of {view.idle_seconds:,} s"
    if view.washout_days != form.washout_days:
        yield f"a washout of {_days(form.washout_days)} instead of {_days(view.washout_days)}"
    if compared_pair_changed(view, form):
        yield f"compare {form.original} with {form.new}"
    if form.typed:
        yield PASSPHRASE_NOT_SET


NAME_USE = "Used in exports and reports."


def _days(count: int) -> str:
    return count_noun(count, "day") if count else "none"


def _fixed(facts: SetupFacts) -> tuple[FixedSetting, ...]:
    made = facts.made
    classes = f"{count_noun(made.classes, 'class', 'classes')}, {made.taxonomy}"
    return (
        FixedSetting("Name", made.name, NAME_USE),
        FixedSetting(
            "Classes",
            classes,
            "Answers, verdicts and predictions refer to them. Other studies can use other classes.",
        ),
        FixedSetting(
            "Seed",
            str(made.seed),
            "The default seed for drawing images: the same seed draws the same images.",
        ),
        FixedSetting(
            "Folder", str(made.folder), "You can move the whole folder while the study is closed."
        ),
    )
