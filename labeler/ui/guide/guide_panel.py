"""The guide in a dock: a search field, and below it the contents, results or a page."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from labeler.app.guide.viewer import GuideState, GuideView, GuideViewer
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.guide.page_images import GuideImages, ReferenceImageReader
from labeler.ui.guide.page_view import GuidePageView
from labeler.ui.guide.search_results import GuideResultList
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.input.search_field import SearchField
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip, bind_scope
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

_HINTS = (
    (Action.SEARCH_GUIDE, "search"),
    (Action.GUIDE_BACK, "back"),
    (Action.LEAVE_GUIDE, "leave"),
)
_HINTS_WITH_CONTENTS = (*_HINTS[:2], (Action.GUIDE_FORWARD, "forward"), *_HINTS[2:])
_PAGE_OF_RESULTS = 5
_SENTENCE_WIDTH = 288
_ICON = 16
_MARGIN = 8
# The guide usually opens faster, and a flashing message would distract.
GUIDE_LOADING_DELAY_MS = 150
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: _PAGE_OF_RESULTS,
    Qt.Key.Key_PageUp: -_PAGE_OF_RESULTS,
}
OPENING_GUIDE = "Opening guide…"
CHOOSE_PAGE = "Choose a page on the left, or type to search."


class GuidePanel(QWidget):
    """Renders the guide's viewer and forwards keys and clicks."""

    class_wanted = Signal(str)
    left = Signal()
    typed = Signal(str)
    rendered = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        viewer: GuideViewer,
        *,
        reference: ReferenceImageReader = lambda _wnid, _number: None,
        contents_visible: bool = False,
    ) -> None:
        """`reference` returns a reference image of a class by number, from 1, on a worker.

        A panel next to the contents doesn't show them a second time.
        """
        super().__init__()
        self._contents_visible = contents_visible
        self._appearance = appearance
        self._viewer = viewer
        self._query = ""
        self.field = SearchField(appearance, keymap)
        self.pictures = GuideImages(viewer.own_picture, reference, runner=viewer.runner)
        self.page = GuidePageView(appearance, self.pictures)
        self.results = GuideResultList(appearance)
        self._notice = label(rank="muted", wrap=True)
        self._message = EmptyState(appearance, width=_SENTENCE_WIDTH)
        self._stack = QStackedWidget()
        self._slow = QTimer(self, singleShot=True, interval=GUIDE_LOADING_DELAY_MS)
        self._slow.timeout.connect(lambda: self._say(OPENING_GUIDE, icon="waiting"))
        self._buttons = self._make_buttons(keymap)
        self._lay_out(keymap)
        self._connect()
        self._bind(keymap)
        appearance.changed.connect(self._recolour)
        self._recolour()
        viewer.listen(self.render_guide)

    @property
    def notice(self) -> str:
        """The sentence shown above a page or instead of one."""
        in_place = self._stack.currentWidget() is self._message
        return self._message.sentence if in_place else self._notice.text()

    @property
    def shows_results(self) -> bool:
        return self._stack.currentWidget() is self.results

    def render_guide(self, view: GuideView) -> None:
        """Show the view."""
        self._slow.stop()
        self._query = view.query
        if self.field.text() != view.query:
            self.field.setText(view.query)
        self._buttons["arrow_left"].setEnabled(view.can_go_back)
        self._buttons["arrow_right"].setEnabled(view.can_go_forward)
        match view.state:
            case GuideState.LOADING:
                self._slow.start()
            case GuideState.FAULT:
                self._say(view.notice, icon="damaged", colour="fault")
            case GuideState.RESULTS:
                self._show_results(view)
            case GuideState.CONTENTS if self._contents_visible:
                self._show_extent(view)
            case GuideState.PAGE | GuideState.CONTENTS:
                self._show_page(view)
        self.rendered.emit()

    def _show_results(self, view: GuideView) -> None:
        self.setFocusProxy(self.field)
        if not view.results:
            self._say(view.notice, icon="search")
            return
        self._show_notice("")
        self.results.show_rows(view.results)
        self.results.show_current(view.selected)
        self._stack.setCurrentWidget(self.results)

    def _show_page(self, view: GuideView) -> None:
        self._show_notice(view.notice)
        self._stack.setCurrentWidget(self.page)
        self.setFocusProxy(self.page)
        if view.html is not None:
            self.page.show_page(view.html, title=view.title, wanted=view.wanted)

    def _show_extent(self, view: GuideView) -> None:
        """Show the size of the guide instead of a page."""
        self.setFocusProxy(self.field)
        self._say(f"{view.notice or view.extent} {CHOOSE_PAGE}", icon="guide")

    def _show_notice(self, sentence: str) -> None:
        self._notice.setText(sentence)
        self._notice.setVisible(bool(sentence))

    def _say(self, sentence: str, *, icon: str, colour: str = "muted") -> None:
        self._show_notice("")
        self._message.say(sentence, icon=icon, colour=colour)
        self._stack.setCurrentWidget(self._message)
        # A stack passes the focus to the shown widget, but a message takes no keys.
        focused = QApplication.focusWidget()
        if self._contents_visible and focused and self._stack.isAncestorOf(focused):
            self.field.setFocus()

    def _make_buttons(self, keymap: Keymap) -> dict[str, QToolButton]:
        back, forward = keymap[Action.GUIDE_BACK], keymap[Action.GUIDE_FORWARD]
        return {
            "arrow_left": _button(back.title, action_tooltip(back)),
            "arrow_right": _button(forward.title, action_tooltip(forward)),
            "contents": _button("Guide contents", "Guide contents"),
        }

    def _lay_out(self, keymap: Keymap) -> None:
        self.field.setPlaceholderText("Search the guide")
        self.field.setAccessibleName("Search the guide")
        for shown in (self.page, self.results, self._message):
            self._stack.addWidget(shown)
        self._notice.hide()
        self.setFocusProxy(self.page)
        top = hbox(*self._buttons.values(), spacing=0)
        if self._contents_visible:
            # Not shown before it has a parent, because it would become a window.
            self._buttons["contents"].hide()
        top.addSpacing(8)
        top.addWidget(self.field, stretch=1)
        vbox(
            top,
            self._notice,
            grow(self._stack),
            self._hints(keymap),
            on=self,
            margins=(_MARGIN, _MARGIN, _MARGIN, _MARGIN),
        )

    def align_with_neighbours(self, *, above: int = _MARGIN) -> None:
        """Remove the panel's margins, to align with the other parts of a column."""
        layout = self.layout()
        assert layout is not None, "the layout is set in the constructor"
        layout.setContentsMargins(0, above, 0, 0)

    def _hints(self, keymap: Keymap) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for action, text in _HINTS_WITH_CONTENTS if self._contents_visible else _HINTS:
            row.addWidget(KeyCaps(self._appearance, keymap[action].keys[:1]))
            row.addWidget(label(text, rank="caption"))
        row.addStretch()
        return row

    def _connect(self) -> None:
        self.field.textEdited.connect(self._viewer.search)
        self.field.installEventFilter(self)
        self.results.clicked.connect(self._open_row)
        self.page.followed.connect(self._follow)
        self.page.typed.connect(self.typed)
        self._buttons["arrow_left"].clicked.connect(self._viewer.back)
        self._buttons["arrow_right"].clicked.connect(self._viewer.forward)
        self._buttons["contents"].clicked.connect(self._viewer.open_contents)

    def _bind(self, keymap: Keymap) -> None:
        bind_scope(
            self,
            keymap,
            Scope.GUIDE,
            {
                Action.SEARCH_GUIDE: self._go_to_field,
                Action.GUIDE_BACK: self._viewer.back,
                Action.GUIDE_FORWARD: self._viewer.forward,
                Action.LEAVE_GUIDE: self._leave,
            },
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the search field, arrows move through the results and Return opens one."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._walked(event) or super().eventFilter(watched, event)
        return super().eventFilter(watched, event)

    def _walked(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self._viewer.move(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_selected()
        else:
            return False
        return True

    def _open_row(self, index: QModelIndex) -> None:
        self._viewer.select(index.row())
        self._open_selected()

    def _open_selected(self) -> None:
        self._viewer.open_selected()
        if self.page.isVisible():
            self.page.setFocus()

    def _follow(self, address: str) -> None:
        wnid = self._viewer.follow(address)
        if wnid is not None:
            self.class_wanted.emit(wnid)

    def _go_to_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _leave(self) -> None:
        """Clear the search first, then go back to the classes."""
        if self._query:
            self._viewer.search("")
            self.page.setFocus()
        else:
            self.left.emit()

    def _recolour(self) -> None:
        for name, button in self._buttons.items():
            button.setIcon(_icon(name, self._appearance))


def _icon(name: str, appearance: Appearance) -> QIcon:
    """Return an icon with a clearly dimmed disabled state, also on dark backgrounds."""
    theme, size = appearance.theme, QSize(_ICON, _ICON)
    made = icon(name, colour=theme.text, background=theme.window, size=_ICON)
    dim = icon(name, colour=theme.strong_line, background=theme.window, size=_ICON)
    for ratio in (1.0, 2.0):
        made.addPixmap(dim.pixmap(size, ratio), QIcon.Mode.Disabled)
    return made


def _button(name: str, explanation: str) -> QToolButton:
    button = QToolButton()
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(name)
    button.setToolTip(explanation)
    return button
