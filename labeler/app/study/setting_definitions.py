"""The settings that a lead changes, each declared once for the command, Set up and sessions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import IDLE_AFTER_MS
from labeler.core.labeling.answers import Question
from labeler.core.study.phases import PhaseState
from labeler.core.text import count_noun


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettings:
    """The idle threshold decides how active time is computed; raw intervals don't depend on it."""

    asks_confidence: bool = False
    idle_seconds: int = IDLE_AFTER_MS // 1000
    has_lead_passphrase: bool = False
    washout_days: int = 0
    shows_frequencies: bool = False
    # A folder to which backups are copied, or an empty text.
    backup_folder: str = ""

    @property
    def idle_after_ms(self) -> int:
        return self.idle_seconds * 1000

    @property
    def questions(self) -> frozenset[Question]:
        """The questions that labelers are asked next to the class."""
        return frozenset({Question.CONFIDENCE} if self.asks_confidence else ())

    def value(self, setting: "YesNoSetting | NumberSetting") -> int:
        """Return the value of one of the declared settings."""
        found = getattr(self, setting.name)
        assert isinstance(found, int), "a declared setting is a number or yes or no"
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class YesNoSetting:
    """A setting that is on or off.

    `name` is its stored name and its field in `StudySettings`; `option` names it on the command
    line and in JSON. Set up shows it as a box with the `caption`, in the row `heading`. `turned_on`
    and `turned_off` describe a change. With `fixed_once_locked`, it can't change any more once the
    evaluation is locked.
    """

    name: str
    option: str
    help: str
    heading: str
    hint: Mapping[PhaseState, str]
    fixed_once_locked: bool
    caption: str
    turned_on: str
    turned_off: str

    def check(self, value: int) -> None:
        """Any value is allowed."""

    def change_text(self, _before: int, after: int) -> str:
        return self.turned_on if after else self.turned_off


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSetting:
    """A whole number from `least` to `most`; see `YesNoSetting` for the other fields.

    `none` is shown instead of the least value. `describe_change` gets the value before and after.
    """

    name: str
    option: str
    help: str
    heading: str
    hint: Mapping[PhaseState, str]
    fixed_once_locked: bool
    subject: str
    least: int
    most: int
    unit: str
    suffix: str
    none: str = ""
    describe_change: Callable[[int, int], str]

    def check(self, value: int) -> None:
        """Refuse a value outside the limits."""
        if not self.least <= value <= self.most:
            raise RefusedError(
                f"The {self.subject} must be between {self.least} and {self.most:,} {self.unit}, "
                f"not {value:,}."
            )

    def change_text(self, before: int, after: int) -> str:
        return self.describe_change(before, after)


DeclaredSetting = YesNoSetting | NumberSetting


def _idle_change(before: int, after: int) -> str:
    return f"idle after {after:,} s instead of {before:,} s"


def _washout_change(before: int, after: int) -> str:
    return f"a washout of {_days(after)} instead of {_days(before)}"


def _days(count: int) -> str:
    return count_noun(count, "day") if count else "none"


ASKS_CONFIDENCE = YesNoSetting(
    name="asks_confidence",
    option="ask_confidence",
    help="Whether labelers are asked how confident they are.",
    heading="Questions",
    hint={
        PhaseState.CLOSED: "On a scale of five, before they submit. Decide before the evaluation "
        "opens.",
        PhaseState.OPEN: "Existing answers don't change.",
        PhaseState.LOCKED: "Can't be changed: the evaluation is locked.",
    },
    fixed_once_locked=True,
    caption="Ask labelers how sure they are of each answer",
    turned_on="ask labelers how sure they are",
    turned_off="do not ask labelers how sure they are",
)
_IDLE_HINT = (
    "Time without input counts as active up to this limit. You can change it at any time: the "
    "recorded times don't depend on it, and the report can use another limit."
)
IDLE_SECONDS = NumberSetting(
    name="idle_seconds",
    option="idle_seconds",
    help="After how many seconds without input time no longer counts as active.",
    heading="Idle after",
    hint=dict.fromkeys(PhaseState, _IDLE_HINT),
    fixed_once_locked=False,
    subject="idle threshold",
    least=1,
    most=3600,
    unit="seconds",
    suffix=" s",
    describe_change=_idle_change,
)
WASHOUT_DAYS = NumberSetting(
    name="washout_days",
    option="washout_days",
    help="How many days must pass between reviewing an image and being evaluated on it. 0 only "
    "warns.",
    heading="Washout",
    hint={
        PhaseState.CLOSED: "The minimum number of days between a labeler's review of an image and "
        "their evaluation on it, so that they forget it. Without a washout you only get a warning.",
        PhaseState.OPEN: "The minimum number of days between a labeler's review of an image and "
        "their evaluation on it. Applies to labelers who haven't started.",
        PhaseState.LOCKED: "Can't be changed: the evaluation is locked.",
    },
    fixed_once_locked=True,
    subject="washout",
    least=0,
    most=3650,
    unit="days",
    suffix=" days",
    none="none",
    describe_change=_washout_change,
)
_FREQUENCY_HINT = (
    "In the review of a new dataset. Leads always see how many annotators selected an image; other "
    "reviewers might judge by that instead of by the image."
)
SHOWS_FREQUENCIES = YesNoSetting(
    name="shows_frequencies",
    option="show_frequencies",
    help="Whether dataset reviewers see how many annotators selected an image.",
    heading="Dataset review",
    hint=dict.fromkeys(PhaseState, _FREQUENCY_HINT),
    fixed_once_locked=False,
    caption="Show selection frequencies to reviewers",
    turned_on="show selection frequencies to dataset reviewers",
    turned_off="do not show selection frequencies to dataset reviewers",
)
SETTINGS: tuple[DeclaredSetting, ...] = (
    ASKS_CONFIDENCE,
    IDLE_SECONDS,
    WASHOUT_DAYS,
    SHOWS_FREQUENCIES,
)
SETTING_BY_NAME = {setting.name: setting for setting in SETTINGS}
assert all(set(setting.hint) == set(PhaseState) for setting in SETTINGS), "every state has a hint"
