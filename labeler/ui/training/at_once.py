"""What can be begun with one key: the training that waits, and what is suggested."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from labeler.ui.kit.text.labels import label

_CARDS_PER_ROW = 2
_GAP = 16


def start_cards(
    going_on: str, go_on: QWidget, *, suggested: Sequence[QWidget], width: int
) -> QGridLayout:
    """A grid of cards; the one that waits comes first, if its words say that there is one."""
    offered: list[QWidget] = [*([_resume_card(going_on, go_on)] if going_on else []), *suggested]
    grid = QGridLayout()
    grid.setSpacing(_GAP)
    in_row = _cards_in_row(offered, width)
    # The first matters most: rather than leave a place empty, it takes a row of its own.
    spare = -len(offered) % in_row
    for number, widget in enumerate(offered):
        place = number + spare if number else 0
        span = spare + 1 if number == 0 else 1
        grid.addWidget(widget, place // in_row, place % in_row, 1, span)
    for column in range(min(len(offered), in_row)):
        grid.setColumnStretch(column, 1)
    return grid


def _resume_card(words: str, go_on: QWidget) -> QFrame:
    card, row = QFrame(), QHBoxLayout()
    card.setProperty("kind", "card")
    row.setContentsMargins(16, 12, 16, 12)
    column = QVBoxLayout()
    column.setSpacing(2)
    column.addWidget(label("A training waits", rank="heading"))
    column.addWidget(label(words, rank="caption", wrap=True))
    row.addLayout(column, stretch=1)
    row.addWidget(go_on)
    card.setLayout(row)
    return card


def _cards_in_row(offered: Sequence[QWidget], width: int) -> int:
    """Three side by side, where they find room, so that no place stays empty."""
    needed = sum(widget.sizeHint().width() + _GAP for widget in offered)
    return 3 if len(offered) == 3 and needed <= width else _CARDS_PER_ROW
