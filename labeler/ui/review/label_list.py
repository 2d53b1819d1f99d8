"""The labels of an image to judge, each with its verdict; the focused one is highlighted."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.review.views import LabelView, ProposedLabelView
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.input.search_field import forward_typing
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.tables.row_list import RowDelegate, RowList, RowListModel
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.kit.text.text_painter import draw_highlighted, elide_path
from labeler.ui.review.verdict_mark import paint_verdict, verdict_words
from labeler.ui.window.theme import Appearance, TypeSize

_ADD_LABEL_KEYS = {Action.CHOOSE_CLASS: "add", Action.CLEAR_SEARCH: "cancel"}


class AddLabelPanel(QWidget):
    """The class finder below a heading."""

    def __init__(self, appearance: Appearance, keymap: Keymap, finder: QWidget) -> None:
        super().__init__()
        head = hbox(label("Add label", rank="heading"), stretch())
        for action, words in _ADD_LABEL_KEYS.items():
            head.addWidget(KeyCaps(appearance, keymap[action].keys[:1], actions=(action,)))
            head.addWidget(label(words, rank="caption"))
        vbox(head, grow(finder), on=self)
        self.setFocusProxy(finder)


_PROPOSAL_TEXTS = {Action.ACCEPT_PROPOSAL: "Add it", Action.NEXT_VISIT: "Skip"}


class ProposedLabelRow(QWidget):
    """Shows the first proposed class; hidden if there is none."""

    pressed = Signal(Action)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.words = ElidedLabel(rank="wanted")
        self.buttons = {
            a: KeyButton(appearance, keymap[a], words) for a, words in _PROPOSAL_TEXTS.items()
        }
        row = hbox(grow(self.words), on=self)
        for action, button in self.buttons.items():
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _checked=False, a=action: self.pressed.emit(a))
            row.addWidget(button)

    def show_proposal(self, proposed: ProposedLabelView | None, *, all_judged: bool) -> None:
        """`all_judged` if only the proposal is open."""
        self.setVisible(proposed is not None)
        if proposed is not None:
            self.words.setText(f"Also “{proposed.name}”, if {proposed.when}?")
        self.buttons[Action.NEXT_VISIT].setVisible(all_judged)


_MARK, _GAP = 22, 12
_ROWS_IN_SIGHT = 6


def label_verdict_text(label: LabelView) -> str:
    """Return the reviewer's verdict in words."""
    return "" if label.own is None else verdict_words(label.own)


class ReviewLabelDelegate(RowDelegate):
    """Paints a label: its mark, its name above its path, its verdict in words."""

    def apply_theme(self) -> None:
        self._names = self.line_style(TypeSize.BODY, "text", strong=True)
        self._paths = self.line_style(TypeSize.CAPTION, "muted")

    def content_height(self) -> float:
        return self._names.metrics.height() + self._paths.metrics.height()

    def paint_row(self, painter: QPainter, area: QRectF, row: LabelView) -> None:
        mark = QRectF(area.left(), area.center().y() - _MARK / 2, _MARK, _MARK)
        verdict = None if row.own is None else row.own.verdict
        outline = self._appearance.colour("strong_line")
        paint_verdict(painter, mark, verdict, self._appearance, outline=outline)
        area.setLeft(mark.right() + _GAP)
        self._paint_verdict_text(painter, area, label_verdict_text(row))
        name = QRectF(area.left(), area.top(), area.width(), self._names.metrics.height())
        path = QRectF(name.left(), name.bottom(), name.width(), self._paths.metrics.height())
        draw_highlighted(painter, name, row.name, spans=(), style=self._names)
        steps, _spans = elide_path(row.path, (), metrics=self._paths.metrics, width=path.width())
        draw_highlighted(painter, path, steps, spans=(), style=self._paths)

    def _paint_verdict_text(self, painter: QPainter, area: QRectF, verdict: str) -> None:
        """Write the verdict at the right, and leave the rest of the area to the name."""
        if verdict:
            painter.setFont(self._paths.font)
            painter.setPen(self._appearance.colour("text"))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(area, right, verdict)
            area.setWidth(area.width() - self._paths.metrics.horizontalAdvance(verdict) - _GAP)


class ReviewLabelList(RowList):
    """Shows the labels, and has the keyboard focus while they are judged."""

    focused = Signal(int)
    typed = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        model = RowListModel(
            {
                Qt.ItemDataRole.DisplayRole: lambda row: row.name,
                Qt.ItemDataRole.ToolTipRole: lambda row: f"{row.gloss}\n{row.path}".strip(),
                Qt.ItemDataRole.AccessibleDescriptionRole: _description,
            }
        )
        super().__init__(appearance, "Labels to judge", model, ReviewLabelDelegate(appearance))
        self.clicked.connect(lambda index: self.focused.emit(index.row()))
        appearance.changed.connect(self._fit)
        self._fit()

    def show_labels(self, labels: tuple[LabelView, ...], focused: int) -> None:
        self.show_rows(labels)
        if labels:
            self.show_current(focused)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The screen handles action keys; typing searches for a class to add."""
        forward_typing(event, self.typed)

    @property
    def usual_height(self) -> int:
        """The height for the usual number of labels."""
        return _ROWS_IN_SIGHT * self._delegate.row_height + 12

    def _fit(self) -> None:
        self.setMinimumHeight(2 * self._delegate.row_height)


def _description(row: LabelView) -> str:
    return f"{label_verdict_text(row) or 'Not judged'}. {row.path}"
