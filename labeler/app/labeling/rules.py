"""The rules of the evaluation, shown before a labeler starts and on request."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from labeler.app.keymap import Action
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.answers import Question
from labeler.core.text import count_noun
from labeler.images.atomic_write import write_atomically


def read_rules_path() -> Path:
    return Path(platformdirs.user_state_dir("labeler", appauthor=False)) / "rules-read.json"


class ReadRulesRecord:
    """Remembers who has read the rules of which study, if the file can be written."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or read_rules_path()

    def has_read(self, *, study: str, code: str) -> bool:
        return [study, code] in self._pairs()

    def remember(self, *, study: str, code: str) -> None:
        if not self.has_read(study=study, code=code):
            with suppress(EnvironmentFault):
                pairs = [*self._pairs(), [study, code]]
                write_atomically(self._file, json.dumps(pairs, ensure_ascii=False).encode())

    def _pairs(self) -> list[object]:
        try:
            read = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return read if isinstance(read, list) else []


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: a title, a sentence or two, and the actions whose keys are shown with it."""

    heading: str
    text: str
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class RulesView:
    """The introduction, and the rules, most important first."""

    title: str
    welcome: str
    rules: tuple[Rule, ...]


_BEFORE_TIME = (
    Rule(
        "One label for each image",
        "Choose the class that fits best. If several objects could be meant, choose the most "
        "prominent one: the main subject of the image.",
        (Action.CHOOSE_CLASS, Action.SUBMIT),
    ),
    Rule(
        "Every image gets an answer",
        "There is no “don't know”. Narrow it down as far as you can, then give your best guess.",
    ),
    Rule(
        "Escape hatch",
        "If the main subject is too hard and you name a secondary object instead, declare it, and "
        "say what you think the subject is. You can undo this until you submit.",
        (Action.ESCAPE_HATCH,),
    ),
)
_HELP = "Your only help"
_NOTHING_ELSE = "Don't use the web, other programs or other people."
_WITH_REFERENCES = Rule(
    _HELP,
    f"The guide, and up to 100 reference images of each class. {_NOTHING_ELSE}",
    (Action.SHOW_GUIDE, Action.TO_REFERENCES),
)
_WITHOUT_REFERENCES = Rule(
    _HELP,
    f"The guide, and the names and descriptions of the classes. {_NOTHING_ELSE}",
    (Action.SHOW_GUIDE,),
)
_NO_FEEDBACK = Rule(
    "No feedback",
    "You won't learn whether an answer was right, neither now nor at the end.",
)
_AFTER_TIME = (
    Rule(
        "Go back until you lock",
        "Mark an image to return to it later. You can change any answer until you lock them all at "
        "the end. Your first answers and their times are kept as well.",
        (Action.MARK_TRIAL, Action.PREVIOUS_TRIAL),
    ),
    Rule(
        "Nothing is lost",
        "Each answer is saved before the next image appears. You can stop at any image and "
        "continue there another day.",
    ),
    Rule(
        "Unusual images",
        "Flag an image that can't be shown or is inappropriate, and continue. If you know an image "
        "from elsewhere, say so and answer it anyway.",
        (Action.FLAG_IMAGE, Action.KNOW_IMAGE),
    ),
)
_QUESTION_RULES = {
    Question.CONFIDENCE: Rule(
        "Confidence",
        "Before you submit, choose how sure you are, from guessing to certain.",
        (Action.CONFIDENCE_1, Action.CONFIDENCE_5),
    ),
}
assert set(_QUESTION_RULES) == set(Question), "every question is explained"


def rules_view(
    *,
    images: int,
    idle_seconds: int,
    questions: frozenset[Question],
    references: bool = True,
    again: bool = False,
) -> RulesView:
    """Return the rules for a labeler with this many images.

    `references` is false if the study has no reference images, and `again` is true if the labeler
    has read the rules before.
    """
    help_rule = _WITH_REFERENCES if references else _WITHOUT_REFERENCES
    asked = tuple(rule for question, rule in _QUESTION_RULES.items() if question in questions)
    return RulesView(
        title="Evaluation rules" if again else "Before you start",
        welcome=(
            f"Your evaluation has {count_noun(images, 'image')} in a random order. "
            "Take as much time as you need for each."
        ),
        rules=(*_BEFORE_TIME, help_rule, _NO_FEEDBACK, *asked, *_time(idle_seconds), *_AFTER_TIME),
    )


def _time(idle_seconds: int) -> tuple[Rule, Rule]:
    return (
        Rule(
            "Your time is measured",
            "From the moment the image appears until you submit. Looking, searching, the taxonomy, "
            "references and the guide all count as active time. There is no time limit.",
        ),
        Rule(
            "Pause when you stop working",
            "Pausing covers the image and stops the clock. Using another program stops it too. "
            f"Without a pause, up to {_spoken(idle_seconds)} after your last key press, click or "
            "scroll count.",
            (Action.PAUSE,),
        ),
    )


def _spoken(seconds: int) -> str:
    if seconds % 60 or not seconds:
        return f"{seconds} seconds"
    return "a minute" if seconds == 60 else f"{seconds // 60} minutes"
