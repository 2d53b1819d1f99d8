"""The rules of the evaluation, shown before a labeler begins and on request."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from labeler.app.keymap import Action
from labeler.core.errors import EnvironmentFault
from labeler.core.text import count_noun
from labeler.images.atomic_write import write_atomically


def read_rules_path() -> Path:
    return Path(platformdirs.user_state_dir("labeler", appauthor=False)) / "rules-read.json"


class ReadRulesRecord:
    """A list of study and person; where it can't be kept, the rules are shown again."""

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
    """A rule in a few words and a sentence or two, with the actions whose keys belong to it."""

    heading: str
    text: str
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class RulesView:
    """What the labeler is asked to do, and the rules in the order of their weight."""

    title: str
    welcome: str
    rules: tuple[Rule, ...]


_BEFORE_TIME = (
    Rule(
        "One label for each image",
        "Choose the class that fits best. Where several objects could be meant, take the most "
        "prominent: what the picture seems to be about.",
        (Action.CHOOSE_CLASS, Action.SUBMIT),
    ),
    Rule(
        "Every image gets an answer",
        "There is no “don't know”. Narrow it down as far as you can, then give your best guess.",
    ),
    Rule(
        "Escape hatch",
        "If you name an easy object at the side because the subject is too hard, declare it, and "
        "say what you think the subject is. You can take that back until you submit.",
        (Action.ESCAPE_HATCH,),
    ),
    Rule(
        "Your only help",
        "The guide, and up to 100 reference images of each class. No web, no other program, nobody "
        "else.",
        (Action.SHOW_GUIDE, Action.TO_REFERENCES),
    ),
    Rule(
        "No feedback",
        "Nothing tells you whether an answer was right, neither now nor at the end.",
    ),
)
_AFTER_TIME = (
    Rule(
        "Go back until you lock",
        "Mark an image to return to it later. You can change any answer until you lock them all at "
        "the end; the first one and its time are kept as well.",
        (Action.MARK_TRIAL, Action.PREVIOUS_TRIAL),
    ),
    Rule(
        "Nothing is lost",
        "Each answer is on disk before the next image appears. Stop at any image, and go on there "
        "another day.",
    ),
    Rule(
        "Odd images",
        "Flag an image that can't be shown or is inappropriate, and go on. If you know an image "
        "from elsewhere, say so and answer it all the same.",
        (Action.FLAG_IMAGE, Action.KNOW_IMAGE),
    ),
)
_CONFIDENCE = Rule(
    "How sure you are",
    "Before you submit, say how sure you are, by key or by button, from guessing to certain.",
    (Action.CONFIDENCE_1, Action.CONFIDENCE_5),
)


def rules_view(
    *, images: int, idle_seconds: int, asks_confidence: bool, again: bool = False
) -> RulesView:
    """The rules of a study that has so many images for the labeler; `again`, they may be done."""
    confidence = (_CONFIDENCE,) if asks_confidence else ()
    yours = count_noun(images, "image") if again else _waiting(images)
    return RulesView(
        title="The rules of the evaluation" if again else "Before you begin",
        welcome=(
            f"{yours} for you, in an order of your own. "
            "There is no hurry: take as long as an image needs."
        ),
        rules=(*_BEFORE_TIME, *confidence, *_time(idle_seconds), *_AFTER_TIME),
    )


def _waiting(images: int) -> str:
    return "1 image waits" if images == 1 else f"{images:,} images wait"


def _time(idle_seconds: int) -> tuple[Rule, Rule]:
    return (
        Rule(
            "Your time is measured",
            "From the image's appearance until you submit. Looking, searching, the taxonomy, "
            "references and the guide all count as active time. Nothing cuts you off.",
        ),
        Rule(
            "Pause when you stop working",
            "A pause covers the image and stops the time, as does another program in front. "
            f"Without a pause, up to {_spoken(idle_seconds)} after your last key, click or "
            "turn of the wheel count.",
            (Action.PAUSE,),
        ),
    )


def _spoken(seconds: int) -> str:
    if seconds % 60 or not seconds:
        return f"{seconds} seconds"
    return "a minute" if seconds == 60 else f"{seconds // 60} minutes"
