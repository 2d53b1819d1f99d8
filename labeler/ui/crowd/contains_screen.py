"""The contains task: select every image of a grid that contains a class."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QStackedWidget

from labeler.app.confirmation import Confirmation
from labeler.app.crowd.annotator_session import ContainsQuestion, LabelText
from labeler.app.crowd.contains import ContainsPresenter
from labeler.app.crowd.task_pictures import TaskPictures
from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.ui.crowd.picture_choice_grid import CANT_BE_SHOWN, PictureChoiceGrid
from labeler.ui.crowd.task_screen import TaskScreen, bar
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.text.confirm_dialog import QuestionDialog, ask_to_confirm
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

ASKED = "Select every image that contains a"
ASKED_IN_TEST = "Short test: select every image that contains a"
IN_TEST = "Short test"
HOW = "one or more, also partly hidden"
RULES = (
    "Select an image if it contains at least one such object, no matter whether it is partly "
    "hidden, next to other objects, in clutter, or has text on it. Select photographs only: no "
    "drawings, paintings or renderings."
)
NOTHING_SELECTED = Confirmation(
    "Nothing is selected", "Does none of these images contain the class?", "Submit without any"
)
RETURN = Confirmation(
    "Return this grid?",
    "It counts as not shown, and someone else gets it. You won't see it again.",
    "Return this grid",
)
CHANGE, SUBMIT = "Save", "Submit"
_HEADER, _FOOTER = 80, 56
# About three lines at the smallest window.
_MOST_LETTERS = 280
_ARROWS = tuple(Key((), name) for name in ("Up", "Down", "Left", "Right"))


class ContainsScreen(TaskScreen):
    """The class on top, all images without scrolling, and what can be done below."""

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: ContainsPresenter,
        pictures: TaskPictures[QImage],
    ) -> None:
        super().__init__(appearance, keymap, presenter)
        self._presenter, self._pictures = presenter, pictures
        self._shown: ContainsQuestion | None = None
        self.grid = PictureChoiceGrid(appearance, pictures.get)
        self.grid.say_failed(pictures.failed)
        self.enlarged = FittedImage(appearance, height=None, name="The enlarged image")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self.enlarged)
        vbox(
            self._header(),
            self.banner,
            grow(self._stack),
            self._footer(),
            on=self,
            spacing=0,
        )
        self.grid.toggled.connect(presenter.toggle)
        self.grid.enlarged.connect(self.enlarge)
        pictures.listen(self._picture_came)
        bind_scope(
            self,
            keymap,
            Scope.CONTAINS,
            {
                Action.SELECT_IMAGE: lambda: presenter.toggle(self.grid.cursor_position),
                Action.ENLARGE_IMAGE: lambda: self.enlarge(self.grid.cursor_position),
                Action.SUBMIT_GRID: self.submit,
                Action.RETURN_GRID: self.return_grid,
                Action.UNDO_SELECTION: presenter.undo,
                Action.PREVIOUS_GRID: self.go_back,
                Action.SHOW_DEFINITION: self.show_definition,
            },
        )

    def _header(self) -> QFrame:
        header = bar(_HEADER)
        self.asked = label(ASKED, rank="muted")
        self.name = label(rank="title")
        self.how = label(HOW, rank="muted")
        self.about = label(wrap=True)
        self.about.setTextFormat(Qt.TextFormat.RichText)
        self.more = CommandButton(
            self.appearance,
            "More",
            keys=self.keymap[Action.SHOW_DEFINITION].keys[:1],
            actions=[Action.SHOW_DEFINITION],
        )
        self.more.clicked.connect(self.show_definition)
        named = hbox(self.name, self.how, stretch(1), spacing=8)
        line = QFrame()
        line.setProperty("kind", "divider")
        line.setFixedWidth(1)
        hbox(
            vbox(self.asked, named, spacing=0),
            line,
            grow(self.about),
            hbox(self.more, self.home, spacing=8),
            on=header,
            spacing=24,
            margins=(16, 8, 16, 8),
        )
        return header

    def _footer(self) -> QFrame:
        footer = bar(_FOOTER)
        self.count = label(rank="heading")
        self.back = self.plain_button("Previous", Action.PREVIOUS_GRID, self.go_back)
        self.give_back = self.plain_button("Return this grid", Action.RETURN_GRID, self.return_grid)
        self.submit_button = self._button(
            SUBMIT, Action.SUBMIT_GRID, self.submit, ButtonKind.PRIMARY
        )
        hbox(
            self.count,
            self.progress,
            self.place,
            stretch(1),
            self.hint("select", [Action.SELECT_IMAGE]),
            self.hint("move", [], _ARROWS),
            self.hint("enlarge", [Action.ENLARGE_IMAGE]),
            self.hint("undo", [Action.UNDO_SELECTION]),
            self.back,
            self.give_back,
            self.submit_button,
            on=footer,
            spacing=8,
            margins=(16, 8, 16, 8),
        )
        return footer

    def _button(
        self,
        words: str,
        action: Action,
        do: Callable[[], object],
        kind: ButtonKind = ButtonKind.PLAIN,
    ) -> CommandButton:
        keys = self.keymap[action].keys[:1]
        made = CommandButton(self.appearance, words, keys=keys, actions=[action], kind=kind)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(do)
        return made

    def item_word(self) -> str:
        return "Grid"

    def place_text(self, place: str) -> str:
        question = self._presenter.question
        return IN_TEST if question is not None and question.is_test else place

    def render_state(self) -> None:
        presenter = self._presenter
        question = presenter.question
        if question is not None and question is not self._shown:
            self._show_question(question)
        total = 0 if question is None else len(question.task.positions)
        self.count.setText(f"{len(presenter.state):,} of {total:,} selected")
        self.grid.show_selected(presenter.state)
        self.grid.setEnabled(not presenter.busy)
        self.submit_button.setEnabled(not presenter.busy)
        self.submit_button.set_words(CHANGE if presenter.revises else SUBMIT)
        is_test = question is not None and question.is_test
        self.give_back.setEnabled(not presenter.busy and not presenter.revises and not is_test)
        self.back.setEnabled(not presenter.busy and not is_test)
        if not presenter.busy:
            self._focus_grid()

    def _focus_grid(self) -> None:
        if self._stack.currentWidget() is self.grid and not self.grid.hasFocus():
            self.grid.setFocus()

    def _show_question(self, question: ContainsQuestion) -> None:
        self._shown = question
        self._stack.setCurrentWidget(self.grid)
        self.asked.setText(ASKED_IN_TEST if question.is_test else ASKED)
        self.name.setText(question.label.name)
        self.about.setText(about_html(question.label))
        self._pictures.show(question.task.id, question.task.positions)
        self.grid.show_images(len(question.task.positions))
        self.grid.setFocus()

    def _picture_came(self, position: int) -> None:
        self.grid.update_image(position)

    def enlarge(self, position: int) -> None:
        """Show one image as large as there is room, or go back to the grid."""
        if self._stack.currentWidget() is self.enlarged:
            self._stack.setCurrentWidget(self.grid)
            self.grid.setFocus()
            return
        picture = self._pictures.get(position)
        self.enlarged.show_image(picture, instead=CANT_BE_SHOWN)
        self._stack.setCurrentWidget(self.enlarged)

    def submit(self) -> None:
        if self._presenter.needs_confirmation:
            ask_to_confirm(
                self.appearance,
                self,
                NOTHING_SELECTED,
                then=lambda: self._presenter.submit(confirmed=True),
                kind=ButtonKind.PRIMARY,
            )
        else:
            self._presenter.submit()

    def return_grid(self) -> None:
        if self.give_back.isEnabled():
            ask_to_confirm(
                self.appearance,
                self,
                RETURN,
                then=self._presenter.return_grid,
                kind=ButtonKind.PRIMARY,
            )

    def go_back(self) -> None:
        if self.back.isEnabled():
            self._presenter.back()

    def show_definition(self) -> None:
        if self._shown is not None:
            DefinitionDialog(self.appearance, self, self._shown.label).open()


class DefinitionDialog(QuestionDialog):
    """All names of a class, its definition, what it is confused with, and the rules."""

    def __init__(self, appearance: Appearance, parent: ContainsScreen, text: LabelText) -> None:
        super().__init__(appearance, parent, text.name, back="Close", width=640)
        others = ", ".join(text.other_names)
        parts = [label(text.gloss, wrap=True)]
        if others:
            parts.insert(0, label(f"Also called {others}", rank="muted", wrap=True))
        parts += [label(f"Or {name}? {trait}", wrap=True) for name, trait in text.traits]
        parts.append(label(RULES, rank="muted", wrap=True))
        self.lay_out(*parts, buttons=(stretch(1), self.cancel))


def about_html(text: LabelText) -> str:
    """Return the definition and what sets the class apart, as far as there is room."""
    parts = [f"{escape(text.gloss[:1].upper() + text.gloss[1:].rstrip('.'))}."]
    room = _MOST_LETTERS - len(text.gloss)
    for name, trait in text.traits:
        room -= len(name) + len(trait)
        if room < 0:
            break
        parts.append(f"<b>Or {escape(name)}?</b> {escape(trait.rstrip('.'))}.")
    return " ".join((*parts, "Photographs only."))
