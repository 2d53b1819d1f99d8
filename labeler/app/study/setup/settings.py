"""The study's settings for its lead: which can change, which can't any more, and why."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from labeler.app.confirmation import Confirmation
from labeler.app.study.setting_definitions import SETTINGS, DeclaredSetting, StudySettings
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


@dataclass(frozen=True, slots=True)
class SettingView:
    """The value of a declared setting, whether it can change, and a hint."""

    setting: DeclaredSetting
    value: int
    may_change: bool
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettingsView:
    """The panel's contents; `settings` are the declared ones in their order.

    `notice` is a warning for the whole panel. `datasets` can be compared in the report; `original`
    and `new` are the chosen two.
    """

    settings: tuple[SettingView, ...]
    has_passphrase: bool
    notice: str
    datasets: tuple[str, ...]
    original: str
    new: str
    fixed: tuple[FixedSetting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettingsForm:
    """The values in the forms; `typed` is true if a passphrase was entered."""

    values: Mapping[str, int]
    original: str
    new: str
    typed: bool = False


EVALUATION_NOTICE = {
    PhaseState.CLOSED: "",
    PhaseState.OPEN: "The evaluation is open. Changes apply to new sessions only, so answers would "
    "be collected under different rules. It is best not to change anything now.",
    PhaseState.LOCKED: "",
}
assert set(EVALUATION_NOTICE) == set(PhaseState), "every state has its text"

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
    datasets = tuple(d.name for d in facts.datasets if d.role is DatasetRole.EVALUATION)
    original, new = facts.compared or (*datasets[:2], "", "")[:2]
    return StudySettingsView(
        settings=tuple(_setting_view(setting, facts.settings, state) for setting in SETTINGS),
        has_passphrase=facts.settings.has_lead_passphrase,
        notice=EVALUATION_NOTICE[state],
        datasets=datasets,
        original=original,
        new=new,
        fixed=_fixed(facts),
    )


def _setting_view(
    setting: DeclaredSetting, settings: StudySettings, state: PhaseState
) -> SettingView:
    may_change = not setting.fixed_once_locked or state is not PhaseState.LOCKED
    return SettingView(setting, settings.value(setting), may_change, setting.hint[state])


def settings_changed(view: StudySettingsView, form: StudySettingsForm) -> bool:
    return any(form.values[one.setting.name] != one.value for one in view.settings)


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
    for one in view.settings:
        value = form.values[one.setting.name]
        if value != one.value:
            yield one.setting.change_text(one.value, value)
    if compared_pair_changed(view, form):
        yield f"compare {form.original} with {form.new}"
    if form.typed:
        yield PASSPHRASE_NOT_SET


NAME_USE = "Used in exports and reports."


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
