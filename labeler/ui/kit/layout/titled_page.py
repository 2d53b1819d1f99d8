"""A page with a title, header buttons, and contents or a message."""

from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.input.leaving_button import leaving_button
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.theme import Appearance


class TitledPage(QWidget):
    """Has a title with an icon, and shows its contents or a message instead."""

    def __init__(self, appearance: Appearance, keymap: Keymap, *, title: str, icon: str) -> None:
        super().__init__()
        self._appearance, self._keymap = appearance, keymap
        self._icon = icon
        self.error_banner = ErrorBanner(appearance)
        self.title_row = QHBoxLayout()
        self.title_row.setSpacing(16)
        self.below_head = QVBoxLayout()
        self._ways = QHBoxLayout()
        self._ways.setSpacing(16)
        self._message = EmptyState(appearance)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._message)
        vbox(
            self._header(title),
            self.below_head,
            self.error_banner,
            grow(self._stack),
            on=self,
            margins=(24, 16, 24, 16),
        )

    def add_header_button(self, text: str, action: Action) -> CommandButton:
        """Add a button at the right of the header; its key is bound elsewhere."""
        keys = self._keymap[action].keys[:1]
        return self._add_way(CommandButton(self._appearance, text, keys=keys, actions=[action]))

    def add_leaving_button(self, *, goes_home: bool) -> CommandButton:
        """Add the button for home, or for the screen from which this one was opened."""
        return self._add_way(leaving_button(self._appearance, self._keymap, goes_home=goes_home))

    def _add_way(self, way: CommandButton) -> CommandButton:
        way.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._ways.addWidget(way)
        return way

    def set_contents(self, contents: QWidget, *, until_then: str) -> None:
        """Set the contents; a message is shown until they are."""
        self._stack.addWidget(contents)
        self.show_message_instead(until_then, icon="waiting")

    def show_contents(self) -> None:
        self._stack.setCurrentIndex(1)

    def show_message_instead(self, sentence: str, *, icon: str = "") -> None:
        """Show why there are no contents."""
        self._message.say(sentence, icon=icon or self._icon)
        self._stack.setCurrentWidget(self._message)

    def say(self, sentence: str) -> None:
        """Show what went wrong; an empty sentence clears it."""
        self.error_banner.say(sentence, BannerKind.ERROR)

    def _header(self, title: str) -> QHBoxLayout:
        return hbox(
            IconLabel(self._appearance, self._icon, colour="accent", size=32),
            label(title, rank="title"),
            self.title_row,
            stretch(),
            self._ways,
            spacing=16,
        )
