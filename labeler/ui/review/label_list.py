"""The labels of an image to judge, each with its verdict; the focused one is highlighted."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.app.keymap import Action, Keymap
from labeler.app.review.views import LabelView, ProposedLabelView
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.input.search_field import forward_typing
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.review.verdict_mark import paint_verdict, verdict_words
from labeler.ui.window.theme import Appearance, TypeSize

_ADD_LABEL_KEYS = {Action.CHOOSE_CLASS: "add", Action.CLEAR_SEARCH: "cancel"}


class AddLabelPanel(QWidget):
    """The class finder below a heading."""

    def __init__(self, appearance: Appearance, keymap: Keymap, finder: QWidget) -> None:
        super().__init__()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label("Add label", rank="heading"))
        head.addStretch()
        for action, words in _ADD_LABEL_KEYS.items():
            head.addWidget(KeyCaps(appearance, keymap[action].keys[:1], actions=(action,)))
            head.addWidget(label(words, rank="caption"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(finder, stretch=1)
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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words, stretch=1)
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


_LABEL = Qt.ItemDataRole.UserRole
_SIDE, _TOP, _MARK, _GAP, _BAR = 16, 6, 22, 12, 4
_ROWS_IN_SIGHT = 6

_Index = QModelIndex | QPersistentModelIndex


def label_verdict_text(label: LabelView) -> str:
    """Return the reviewer's verdict in words."""
    return "" if label.own is None else verdict_words(label.own)


class ReviewLabelModel(QAbstractListModel):
    """The labels, replaced as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._labels: tuple[LabelView, ...] = ()

    def show(self, labels: tuple[LabelView, ...]) -> None:
        if labels != self._labels:
            self.beginResetModel()
            self._labels = labels
            self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._labels)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        label = self._labels[index.row()]
        if role == _LABEL:
            return label
        if role == Qt.ItemDataRole.DisplayRole:
            return label.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{label.gloss}\n{label.path}".strip()
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{label_verdict_text(label) or 'Not judged'}. {label.path}"
        return None


class ReviewLabelDelegate(QStyledItemDelegate):
    """Paints a label: its mark, its name above its path, its verdict in words."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: ARG002
        return QSize(200, label_row_height(self._appearance))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        label: LabelView = index.data(_LABEL)
        area = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self._appearance.colour("accent_soft"))
            bar = QRectF(area.left(), area.top(), _BAR, area.height())
            painter.fillRect(bar, self._appearance.colour("accent"))
        inside = area.adjusted(_SIDE, _TOP, -_SIDE, -_TOP)
        mark = QRectF(inside.left(), inside.center().y() - _MARK / 2, _MARK, _MARK)
        verdict = None if label.own is None else label.own.verdict
        outline = self._appearance.colour("strong_line")
        paint_verdict(painter, mark, verdict, self._appearance, outline=outline)
        inside.setLeft(mark.right() + _GAP)
        self._paint_words(painter, inside, label)
        painter.restore()

    def _paint_words(self, painter: QPainter, area: QRectF, label: LabelView) -> None:
        strong = self._appearance.font(TypeSize.BODY, strong=True)
        small = self._appearance.font(TypeSize.CAPTION)
        verdict = label_verdict_text(label)
        metrics, notes = QFontMetricsF(strong), QFontMetricsF(small)
        if verdict:
            painter.setFont(small)
            painter.setPen(self._appearance.colour("text"))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(area, right, verdict)
            area.setWidth(area.width() - notes.horizontalAdvance(verdict) - _GAP)
        first = QRectF(area.left(), area.top(), area.width(), metrics.height())
        second = QRectF(area.left(), first.bottom(), area.width(), notes.height())
        elide = Qt.TextElideMode.ElideRight
        painter.setFont(strong)
        painter.setPen(self._appearance.colour("text"))
        painter.drawText(first, 0, metrics.elidedText(label.name, elide, area.width()))
        painter.setFont(small)
        painter.setPen(self._appearance.colour("muted"))
        painter.drawText(second, 0, elided_path_text(label.path, notes, area.width()))


def elided_path_text(path: str, metrics: QFontMetricsF, width: float) -> str:
    """Return the path without its first steps if it is too long."""
    steps = path.split(PATH_SEPARATOR)
    shown = (
        f"…{PATH_SEPARATOR}" * (first > 0) + PATH_SEPARATOR.join(steps[first:])
        for first in range(len(steps))
    )
    fitting = (text for text in shown if metrics.horizontalAdvance(text) <= width)
    elide = Qt.TextElideMode.ElideRight
    return next(fitting, None) or metrics.elidedText(steps[-1], elide, width)


class ReviewLabelList(QListView):
    """A list that follows the presenter and has the focus while labels are judged."""

    focused = Signal(int)
    typed = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._model = ReviewLabelModel()
        self._delegate = ReviewLabelDelegate(appearance)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setObjectName("results")
        self.setAccessibleName("Labels to judge")
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(lambda index: self.focused.emit(index.row()))
        appearance.changed.connect(self._apply_appearance)
        self._apply_appearance()

    def show_labels(self, labels: tuple[LabelView, ...], focused: int) -> None:
        self._model.show(labels)
        if labels:
            index = self._model.index(focused, 0)
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The screen handles action keys; typing searches for a class to add."""
        forward_typing(event, self.typed)

    @property
    def usual_height(self) -> int:
        """The height for the usual number of labels."""
        return _ROWS_IN_SIGHT * label_row_height(self._appearance) + 12

    def _apply_appearance(self) -> None:
        self.setMinimumHeight(2 * label_row_height(self._appearance))
        self.viewport().update()


def label_row_height(appearance: Appearance) -> int:
    lines = QFontMetricsF(appearance.font(TypeSize.BODY, strong=True)).height()
    return round(lines + QFontMetricsF(appearance.font(TypeSize.CAPTION)).height()) + 2 * _TOP
