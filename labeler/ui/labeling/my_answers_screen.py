"""My answers: filters and orders, the grid of answers, and the current one larger."""

from enum import Enum

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QListWidget, QWidget

from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.labeling.my_answers import NO_ANSWERS, MyAnswers, MyAnswersView
from labeler.app.tile_loader import TileLoader
from labeler.core.labeling.own_answers import AnswerFilter, AnswerOrder
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.labeling.answer_grid import AnswerGrid
from labeler.ui.labeling.answer_preview import AnswerPreview
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

_SIDE_WIDTH, _ROW_HEIGHT, _MARGIN = 200, 30, 16
_CHANGEABLE = "You can change any answer until you lock them."


class MyAnswersScreen(QWidget):
    """Renders the answers; `opened` is emitted for one to change, `left` to return."""

    opened = Signal(str)
    left = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        answers: MyAnswers,
        pictures: TileLoader[QImage],
        *,
        references: FirstReferences[QImage],
        select: str | None = None,
    ) -> None:
        """`references` are those of the chosen classes, `select` is the answer to select first."""
        super().__init__()
        self._answers = answers
        self.heading = label(rank="heading")
        self.empty = label(NO_ANSWERS, rank="muted")
        self.filters = _side_list("Show", [each.value for each in AnswerFilter])
        self.orders = _side_list("Sort by", [each.value for each in AnswerOrder])
        self.grid = AnswerGrid(appearance, pictures)
        self.preview = AnswerPreview(appearance, keymap, pictures, references)
        self.back = CommandButton(
            appearance,
            "Back",
            keys=keymap[Action.LEAVE_MY_ANSWERS].keys[:1],
            actions=[Action.LEAVE_MY_ANSWERS],
        )
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.MY_ANSWERS, {Action.LEAVE_MY_ANSWERS: self.left.emit})
        self._render(answers.view, select=select)
        self.grid.setFocus()

    def _render(self, view: MyAnswersView, *, select: str | None = None) -> None:
        self.heading.setText(view.heading)
        for row, (each, count) in enumerate(view.filters):
            self.filters.item(row).setText(f"{each.value}  {count:,}")
        _select(self.filters, AnswerFilter, view.shown)
        _select(self.orders, AnswerOrder, view.order)
        self.grid.show_tiles(view.tiles, select=select)
        self.empty.setVisible(not view.tiles)

    def _lay_out(self) -> None:
        side = QWidget()
        side.setFixedWidth(_SIDE_WIDTH)
        changeable = label(_CHANGEABLE, rank="caption", wrap=True)
        captions = label("Show", rank="caption"), label("Sort by", rank="caption")
        column = vbox(captions[0], self.filters, captions[1], self.orders, on=side)
        column.addStretch(1)
        column.addWidget(changeable)
        column.addWidget(self.back)
        main = vbox(self.heading, self.empty, grow(self.grid))
        row = hbox(side, on=self, spacing=_MARGIN)
        row.addLayout(main, stretch=1)
        row.addWidget(self.preview)
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)

    def _connect(self) -> None:
        self.filters.currentRowChanged.connect(
            lambda row: self._render(self._answers.show(list(AnswerFilter)[row]))
        )
        self.orders.currentRowChanged.connect(
            lambda row: self._render(self._answers.sort(list(AnswerOrder)[row]))
        )
        self.grid.opened.connect(self.opened)
        self.grid.moved.connect(self.preview.show_answer)
        self.grid.loaded.connect(self.preview.picture.update)
        self.preview.open_wanted.connect(self.grid.open_current)
        self.back.clicked.connect(self.left)


def _side_list(name: str, rows: list[str]) -> QListWidget:
    made = QListWidget()
    made.setAccessibleName(name)
    made.setProperty("kind", "side")
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.addItems(rows)
    for row in range(made.count()):
        made.item(row).setSizeHint(QSize(0, _ROW_HEIGHT))
    made.setFixedHeight(len(rows) * _ROW_HEIGHT + 4)
    return made


def _select(rows: QListWidget, choices: type[Enum], chosen: Enum) -> None:
    """Select a row without asking to show it again."""
    blocked = rows.blockSignals(True)
    rows.setCurrentRow(list(choices).index(chosen))
    rows.blockSignals(blocked)
