"""A row of classes to go to: as many chips as fit, the rest behind one button."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QWidget

from labeler.app.classes.class_view import ClassLink
from labeler.ui.classes.chip_pictures import CHIP_ICON, ChipPictures
from labeler.ui.kit.text.labels import label

_MIN_CAPTION_WIDTH, _GAP, _HEIGHT = 80, 8, 26


class ClassChipRow(QWidget):
    """Chips on one line; a chip that is pressed names its class."""

    chosen = Signal(str)

    def __init__(
        self,
        caption: str,
        *,
        none: str = "none among the classes",
        pictures: ChipPictures | None = None,
    ) -> None:
        """`none` is where there are no classes; with `pictures`, each chip has one."""
        super().__init__()
        self._pictures = pictures
        self._links: tuple[ClassLink, ...] = ()
        self._caption = label(caption, rank="caption")
        self._caption.setParent(self)
        self._none = label(none, rank="caption")
        self._none.setParent(self)
        self._chips: list[QPushButton] = []
        self._reasons: list[QLabel] = []
        self._menu = QMenu(self)
        self._more = self._button()
        self._more.setMenu(self._menu)
        self._menu.triggered.connect(lambda action: self.chosen.emit(action.data()))
        self.setAccessibleName(caption)
        self.setFixedHeight(_HEIGHT)
        if pictures is not None:
            pictures.listen(self._show_picture)

    def show_no_links(self, words: str) -> None:
        self._none.setText(words)

    def show_links(self, links: tuple[ClassLink, ...]) -> None:
        """Offer these classes in place of those before."""
        self._links = links
        for chip, link in zip(self._grown(len(links)), links, strict=False):
            chip.setText(link.name)
            reason = f", {link.reason}" if link.reason else ""
            chip.setAccessibleName(f"{self.accessibleName()}: {link.name}{reason}")
            chip.setToolTip(link.reason)
        for wnid in {link.wnid for link in links}:
            self._show_picture(wnid)
        if self._pictures is not None:
            self._pictures.request(link.wnid for link in links)
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(320, _HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _grown(self, count: int) -> list[QPushButton]:
        """The chips, with new ones made only where there were never so many."""
        while len(self._chips) < count:
            chip = self._button()
            place = len(self._chips)
            chip.clicked.connect(lambda _checked=False, at=place: self._press(at))
            self._chips.append(chip)
        return self._chips

    def _show_picture(self, wnid: str) -> None:
        if self._pictures is None:
            return
        for chip, link in zip(self._chips, self._links, strict=False):
            if link.wnid == wnid:
                chip.setIcon(self._pictures.icon(wnid, dense=self.devicePixelRatioF()))

    def _press(self, place: int) -> None:
        self.chosen.emit(self._links[place].wnid)

    def _button(self) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("kind", "chip")
        button.setAutoDefault(False)
        button.setIconSize(CHIP_ICON)
        button.hide()
        return button

    def _arrange(self) -> None:
        wide = self._caption_width()
        self._caption.setGeometry(0, 0, wide, _HEIGHT)
        self._none.setGeometry(wide, 0, self.width() - wide, _HEIGHT)
        self._none.setVisible(not self._links)
        x, shown = wide, self._how_many_fit()
        for place, chip in enumerate(self._chips):
            chip.setVisible(place < shown)
            if place < shown:
                x = self._place_reason(place, x)
                width = chip.sizeHint().width()
                chip.setGeometry(x, 0, width, _HEIGHT)
                x += width + _GAP
        for reason in self._reasons[shown:]:
            reason.hide()
        self._offer_rest(self._links[shown:], x)

    def _reason_at(self, place: int) -> str:
        """Return the reason to write before a chip: where it differs from the chip before."""
        reason = self._links[place].reason
        return reason if place == 0 or reason != self._links[place - 1].reason else ""

    def _place_reason(self, place: int, x: int) -> int:
        """Write the reason before a chip, if there is one, and return where the chip begins."""
        while len(self._reasons) <= place:
            made = label("", rank="caption")
            made.setParent(self)
            self._reasons.append(made)
        reason, text = self._reasons[place], self._reason_at(place)
        reason.setText(text)
        reason.setVisible(bool(text))
        reason.setGeometry(x, 0, self._reason_width(place), _HEIGHT)
        return x + self._reason_width(place)

    def _reason_width(self, place: int) -> int:
        text = self._reason_at(place)
        return self._caption.fontMetrics().horizontalAdvance(text) + _GAP if text else 0

    def _caption_width(self) -> int:
        # Rows that stand below each other are in line as long as their captions are short.
        return max(_MIN_CAPTION_WIDTH, self._caption.sizeHint().width()) + _GAP

    def _how_many_fit(self) -> int:
        room = self.width() - self._caption_width()
        self._more.setText(f"+ {len(self._links)}")
        more = self._more.sizeHint().width()
        used, fitting = 0, 0
        for place in range(len(self._links)):
            used += self._reason_width(place) + self._chips[place].sizeHint().width() + _GAP
            is_last = place == len(self._links) - 1
            if used - _GAP + (0 if is_last else _GAP + more) > room:
                break
            fitting = place + 1
        return fitting

    def _offer_rest(self, rest: tuple[ClassLink, ...], x: int) -> None:
        self._menu.clear()
        for link in rest:
            text = f"{link.name} ({link.reason})" if link.reason else link.name
            self._menu.addAction(text).setData(link.wnid)
        self._more.setVisible(bool(rest))
        self._more.setText(f"+ {len(rest)}")
        self._more.setAccessibleName(f"{self.accessibleName()}: {len(rest)} more")
        self._more.setGeometry(x, 0, self._more.sizeHint().width(), _HEIGHT)
