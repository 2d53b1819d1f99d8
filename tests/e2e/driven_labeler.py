"""The real program with someone at its keyboard: started in a process of its own, to be killed.

    python -m tests.e2e.driven_labeler STUDY CODE SEED DWELL

A timer next to the program presses keys as a hasty labeler would. What happens is reported on the
output, one JSON object a line, each written before the next key is pressed. At the trial number
`DWELL` of this sitting the hands rest, the answer half done, until a line comes in.
"""

import random
import select
import sys
from collections.abc import Generator
from dataclasses import asdict, replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from labeler.cli import main
from tests.e2e.driven_hands import Hands, Steps, Wait
from tests.e2e.driven_hands import tell as tell_fact
from tests.e2e.driven_window import DrivenWindow, ShownAnswer

# Classes that are the first to be found by their name.
CLASSES = {
    "tench": "n01440764",
    "goldfish": "n01443537",
    "black stork": "n02002724",
    "tabby": "n02123045",
    "marmot": "n02361337",
    "espresso": "n07920052",
    "volcano": "n09472597",
    "banjo": "n02787622",
    "acorn": "n12267677",
    "zebra": "n02391049",
    "sundial": "n04355338",
    "violin": "n04536866",
}
NOTES = ("half hidden", "a paw", "out of focus", "perhaps two of them")
_HASTE_MS = (0, 0, 0, 0, 2, 5, 20, 60)
_SECOND_THOUGHTS_MS = 300

AnswerSteps = Generator[Wait, None, ShownAnswer]


class HastyLabeler:
    """Decides what to press, from a seed, and tells what came of it."""

    def __init__(self, window: DrivenWindow, *, seed: int, dwell: int) -> None:
        self._window = window
        self._draw = random.Random(seed)
        self._dwell = dwell
        self._met = 0
        self._left: dict[str, ShownAnswer] = {}

    def work(self) -> Steps:
        """Sit down, then answer one trial after the other."""
        yield from self._sit_down()
        while True:
            self._met += 1
            yield from self._meet_trial()

    def _sit_down(self) -> Steps:
        while self._window.trial is None:
            if self._window.wants_return:
                yield from self._leave_page(self._window.screen)
            yield 0

    def _leave_page(self, page: QWidget | None) -> Steps:
        self._window.press(Qt.Key.Key_Return)
        yield lambda: self._window.screen is not page

    # A trial.

    def _meet_trial(self) -> Steps:
        here = self._shown()
        yield from self._fill_in(self._expect(self._left.pop(here, None)))
        if self._met == self._dwell:
            yield from self._rest(here)
        if self._met not in (1, self._dwell) and self._draw.random() < 0.2:
            yield from self._revise_the_one_before(here)
        else:
            yield from self._submit(here)

    def _revise_the_one_before(self, here: str) -> Steps:
        """Go back and answer again; the trial that was left comes again after that."""
        self._left[here] = self._window.answer
        self._window.press(Qt.Key.Key_F7)
        yield lambda: self._window.is_past(here)
        before = self._shown()
        yield from self._choose(self._window.answer)
        yield from self._submit(before)

    def _fill_in(self, answer: ShownAnswer) -> Steps:
        if self._window.has_escape_hatch:
            self._window.press(Qt.Key.Key_E, ctrl=True)
            answer = self._expect(replace(answer, alternative=None))
        for _change_of_mind in range(self._draw.choice((1, 1, 1, 2))):
            answer = yield from self._choose(answer)
        if self._draw.random() < 0.25:
            answer = yield from self._dodge(answer)
        if self._draw.random() < 0.25:
            yield from self._note(answer)
        if self._draw.random() < 0.15:
            self._window.press(Qt.Key.Key_M, ctrl=True)

    def _choose(self, answer: ShownAnswer) -> AnswerSteps:
        name = self._another_class(answer)
        yield from self._type_class(name)
        return self._expect(replace(answer, label=CLASSES[name]))

    def _dodge(self, answer: ShownAnswer) -> AnswerSteps:
        name = self._another_class(answer)
        self._window.press(Qt.Key.Key_E, ctrl=True)
        yield self._moment()
        yield from self._type_class(name)
        return self._expect(replace(answer, alternative=CLASSES[name]))

    def _note(self, answer: ShownAnswer) -> AnswerSteps:
        note = self._draw.choice(NOTES)
        self._window.press(Qt.Key.Key_N, ctrl=True)
        self._window.press(Qt.Key.Key_A, ctrl=True)
        yield from self._type(note)
        self._window.press(Qt.Key.Key_Escape)
        yield self._moment()
        return self._expect(replace(answer, note=note))

    def _submit(self, here: str) -> Steps:
        answer = self._window.answer
        tell("submitting", here, answer)
        self._window.press(Qt.Key.Key_Return, ctrl=self._draw.random() < 0.5)
        # Impatience must not submit what was kept of the next trial.
        if self._met > 1 and not self._left and self._draw.random() < 0.2:
            self._window.press(Qt.Key.Key_Return)
        yield lambda: self._window.is_past(here) or bool(self._window.problem)
        if not self._window.is_past(here):
            yield from self._wait_for_storing(here, answer)
        tell("acknowledged", here, answer)
        if self._window.at_the_end:
            tell("finished", here, answer)
            yield lambda: False

    def _wait_for_storing(self, here: str, answer: ShownAnswer) -> Steps:
        tell("delayed", here, answer, sentence=self._window.problem)
        if self._draw.random() < 0.5:
            yield _SECOND_THOUGHTS_MS
            self._window.press(Qt.Key.Key_Return, ctrl=True)
        yield lambda: self._window.is_past(here)

    def _rest(self, here: str) -> Steps:
        tell("dwelling", here, self._window.answer)
        yield lambda: bool(select.select([sys.stdin], [], [], 0)[0])
        sys.stdin.readline()

    # Keys.

    def _type_class(self, name: str) -> Steps:
        self._window.press(Qt.Key.Key_F, ctrl=True)
        self._window.press(Qt.Key.Key_A, ctrl=True)
        yield from self._type(name)
        if self._draw.random() < 0.2:
            self._window.press(Qt.Key.Key_S, ctrl=True)
        self._window.press(Qt.Key.Key_Return)
        yield self._moment()

    def _type(self, text: str) -> Steps:
        for letter in text:
            self._window.press(Qt.Key(ord(letter.upper())))
            if self._draw.random() < 0.1:
                yield self._moment()

    def _moment(self) -> int:
        return self._draw.choice(_HASTE_MS)

    def _another_class(self, answer: ShownAnswer) -> str:
        """A class that isn't chosen yet: the same again would be submitted."""
        chosen = (answer.label, answer.alternative)
        return self._draw.choice([name for name, wnid in CLASSES.items() if wnid not in chosen])

    # What is reported.

    def _shown(self) -> str:
        """Tell how the trial on the screen begins."""
        window, here = self._window, self._window.trial
        assert here is not None, "a trial is told of when it is there"
        tell(
            "shown",
            here,
            window.answer,
            active_ms=window.active_ms,
            escape_hatch=window.has_escape_hatch,
            shortlist=window.shortlist,
        )
        return here

    def _expect(self, answer: ShownAnswer | None) -> ShownAnswer:
        """What the window shows must be what was typed, or what was left there."""
        found = self._window.answer
        if answer is not None and answer != found:
            tell("surprised", self._window.trial, found, expected=asdict(answer))
        return found


def tell(event: str, trial: str | None, answer: ShownAnswer, **more: object) -> None:
    tell_fact(event, trial=trial, **asdict(answer), **more)


if __name__ == "__main__":
    study, code, seed, dwell = sys.argv[1:]
    application = QApplication(["labeler"])
    labeler = HastyLabeler(DrivenWindow(), seed=int(seed), dwell=int(dwell))
    hands = Hands(labeler.work())
    sys.exit(main([study, "--as", code]))
