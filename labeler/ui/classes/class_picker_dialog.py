"""A dialog for finding a class by typing, used while editing text."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.classes.browser import ClassBrowserView
from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.ui.classes.class_finder import ClassFinder
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

_SIZE = QSize(560, 560)


class ClassPickerDialog(QDialog):
    """The class finder in a dialog; Return chooses the selected class."""

    picked = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        present: ClassPresenters,
        parent: QWidget,
        *,
        title: str,
        button: str,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.resize(_SIZE)
        self._appearance, self._present = appearance, present
        self.finder = ClassFinder(appearance, keymap, pictures=present.first_references)
        self.take = CommandButton(
            appearance,
            button,
            keys=keymap[Action.CHOOSE_CLASS].keys[:1],
            actions=[Action.CHOOSE_CLASS],
            kind=ButtonKind.PRIMARY,
        )
        self.column = QVBoxLayout(self)
        self._lay_out(title)
        bind_scope(self.finder, keymap, Scope.CLASSES, self._keys())
        self.finder.typed.connect(lambda typed: self.render_view(present.browser.search(typed)))
        self.finder.row_chosen.connect(lambda row: self.render_view(present.browser.select(row)))
        self.finder.row_activated.connect(lambda _row: self.enter())
        self.finder.branch_closed.connect(self._clear_or_close)
        self.finder.moved.connect(lambda steps: self.render_view(present.browser.move(steps)))
        self.take.clicked.connect(self.pick)
        self.render_view(present.browser.reset())
        self.finder.setFocus()

    @property
    def wnid(self) -> str | None:
        """The selected class."""
        return self._present.browser.view.wnid

    def render_view(self, view: ClassBrowserView) -> None:
        self.finder.render_results(view)
        self.take.setEnabled(view.wnid is not None)

    def enter(self) -> None:
        """Handle Return in the search field: open a branch, or choose the class."""
        branch = None if self.wnid is not None else self._present.browser.open_branch()
        if branch is not None:
            self.render_view(branch)
        else:
            self.pick()

    def pick(self) -> None:
        """Choose the selected class, and close."""
        if self.wnid is not None:
            self.accept()
            self.picked.emit(self.wnid)

    def _keys(self) -> Handlers:
        browser, finder = self._present.browser, self.finder
        return {
            Action.CHOOSE_CLASS: self.enter,
            Action.NEXT_CLASS: lambda: self.render_view(browser.move(finder.step)),
            Action.PREVIOUS_CLASS: lambda: self.render_view(browser.move(-finder.step)),
            Action.NEXT_PAGE: lambda: self.render_view(browser.move(finder.page)),
            Action.PREVIOUS_PAGE: lambda: self.render_view(browser.move(-finder.page)),
            Action.TOGGLE_RESULT_VIEW: finder.toggle_result_view,
            Action.CLEAR_SEARCH: self._clear_or_close,
        }

    def _clear_or_close(self) -> None:
        if self._present.browser.view.branch is not None:
            self.render_view(self._present.browser.close_branch())
        elif self.finder.field.text():
            self.render_view(self._present.browser.reset())
        else:
            self.reject()

    def _lay_out(self, title: str) -> None:
        self.column.setContentsMargins(24, 24, 24, 16)
        self.column.setSpacing(16)
        self.column.addWidget(label(title, rank="title"))
        self.column.addWidget(self.finder, stretch=1)
        cancel = CommandButton(self._appearance, "Cancel", keys=[Key((), "Esc")])
        cancel.clicked.connect(self.reject)
        self.take.setDefault(True)
        foot = self.foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.take)
        self.column.addLayout(foot)
