"""The Models screen: a table of models, actions for the selected one, and a log."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.models.model_list import ModelList
from labeler.app.models.model_row import ModelAction, ModelRow, ModelState, ModelsView
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox, vbox, vsplit
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.models.model_table import ModelTable
from labeler.ui.window.actions import Handlers, bind_action, bind_scope
from labeler.ui.window.theme import Appearance


class ModelLogPanel(QFrame):
    """The log of the selected model; scrolls to new lines unless the user scrolled up."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.title = label("Log", rank="heading")
        self.banner = ErrorBanner(appearance)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setPlaceholderText("The log is empty.")
        self.text.setObjectName("log")
        self.text.setAccessibleName("Log of the model's scoring")
        self._shown: tuple[str, tuple[str, ...]] = ("", ())
        vbox(self.title, self.banner, grow(self.text), on=self, margins=(0, 8, 0, 0))

    def render_row(self, row: ModelRow | None, words: tuple[str, ...]) -> None:
        name = row.name if row is not None else ""
        failed = row is not None and row.state is ModelState.FAILED
        sentence = row.sentence if row is not None else ""
        self.title.setText(f"Log of {name}" if name else "Log")
        if self.banner.sentence != sentence:  # a screen reader hears it once
            self.banner.say(sentence, BannerKind.ERROR if failed else BannerKind.PAUSED)
        self._render_words(name, words)

    def _render_words(self, name: str, words: tuple[str, ...]) -> None:
        before_name, before = self._shown
        self._shown = (name, words)
        if name == before_name and words[: len(before)] == before:
            for line in words[len(before) :]:
                self.text.appendPlainText(line)
            return
        self.text.setPlainText("\n".join(words))
        self.text.moveCursor(QTextCursor.MoveOperation.End)


_EMPTY = (
    "No model has been scored yet. Add models by their timm names or from a testbed file. The "
    "weights of tf_efficientnet_lite0, 1 and 2 are already installed."
)
_EMPTY_WITHOUT_SCORING = (
    "No model has been scored yet. You can import predictions of other programs under Set up, "
    "“Files in and out”."
)
_SIZES = (480, 200)  # of the table and the log


class ModelsScreen(TitledPage):
    """Shows the presenter's view and forwards the user's actions."""

    add_wanted = Signal()
    testbed_wanted = Signal()
    how_wanted = Signal()
    home_wanted = Signal()
    set_up_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap, presenter: ModelList) -> None:
        super().__init__(appearance, keymap, title="Models", icon="models")
        self._presenter = presenter
        self.notice = ErrorBanner(appearance, BannerKind.INFO)
        self.table = ModelTable(appearance)
        self.log = ModelLogPanel(appearance)
        self.action_button = KeyButton(
            appearance, keymap[Action.MODEL_DEED], ModelAction.START.value, main=True
        )
        self.start_all = KeyButton(appearance, keymap[Action.START_MODELS], "Start all")
        self.remove = KeyButton(appearance, keymap[Action.REMOVE_MODEL], "Remove")
        self.show_log = KeyButton(appearance, keymap[Action.SHOW_LOG], "Log", checkable=True)
        self.how = KeyButton(appearance, keymap[Action.SCORE_HOW], "Scoring options…")
        self.scoring_text = label(rank="caption", wrap=True)
        self.add = self.add_header_button("Add models…", Action.ADD_MODEL)
        self.testbed = self.add_header_button("Testbed…", Action.ADD_TESTBED)
        self.set_up = self.add_header_button("Set up", Action.SHOW_SET_UP)
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.MODELS, self._keys())
        bind_action(self, keymap[Action.SHOW_SET_UP], self.set_up.click)

    def render_view(self, view: ModelsView) -> None:
        if view.notice != self.notice.sentence:
            self.notice.say(view.notice)
        self.say("")
        for way in (self.add, self.testbed):
            way.setEnabled(view.can_add)
            way.setToolTip("" if view.can_add else view.notice)
        if not view.rows:
            self.show_message_instead(
                _EMPTY if view.can_add else _EMPTY_WITHOUT_SCORING, icon="models"
            )
            (self.add if view.can_add else self.home).setFocus()
            return
        first = not self.table.isVisible()
        self.show_contents()
        self.table.render_view(view)
        self.start_all.setEnabled(view.can_start_all)
        self.scoring_text.setText(view.how)
        self._render_chosen()
        if first:
            self.table.setFocus()

    def _render_chosen(self) -> None:
        row = self.table.chosen
        action = row.action if row is not None else None
        self.action_button.set_words((action or ModelAction.START).value)
        self.action_button.setEnabled(action is not None)
        self.remove.setEnabled(row is not None and row.can_remove)
        words = self._presenter.words_of(row.name) if row is not None else ()
        self.log.render_row(row, words)

    def _do(self) -> None:
        row = self.table.chosen
        if row is not None and row.action is not None:
            self._presenter.do(row.name, row.action)

    def _remove(self) -> None:
        row = self.table.chosen
        if row is not None and row.can_remove:
            self._presenter.remove(row.name)

    def _keys(self) -> Handlers:
        return {
            Action.SHOW_MODELS: self.table.setFocus,
            Action.MODEL_DEED: self.action_button.click,
            Action.START_MODELS: self.start_all.click,
            Action.ADD_MODEL: self.add.click,
            Action.ADD_TESTBED: self.testbed.click,
            Action.SCORE_HOW: self.how.click,
            Action.REMOVE_MODEL: self.remove.click,
            Action.SHOW_LOG: self.show_log.click,
        }

    def _connect(self) -> None:
        self.table.chose.connect(self._render_chosen)
        self.action_button.clicked.connect(self._do)
        self.start_all.clicked.connect(self._presenter.start_all)
        self.remove.clicked.connect(self._remove)
        self.add.clicked.connect(self.add_wanted)
        self.testbed.clicked.connect(self.testbed_wanted)
        self.how.clicked.connect(self.how_wanted)
        self.set_up.clicked.connect(self.set_up_wanted)
        self.home.clicked.connect(self.home_wanted)
        self.show_log.toggled.connect(self.log.setVisible)
        self._presenter.listen(show=self.render_view, fail=self.say)

    def _lay_out(self) -> None:
        self.below_head.addWidget(self.notice)
        self.show_log.setChecked(True)
        upper = QWidget()
        vbox(grow(self.table), self._footer(), on=upper, spacing=16, margins=(0, 8, 0, 8))
        splitter = vsplit(upper, self.log, sizes=_SIZES, shares=(1,), handle=8)
        self.set_contents(splitter, until_then="Loading models…")

    def _footer(self) -> QHBoxLayout:
        return hbox(
            self.action_button,
            self.start_all,
            self.remove,
            self.how,
            grow(self.scoring_text),
            self.show_log,
        )
