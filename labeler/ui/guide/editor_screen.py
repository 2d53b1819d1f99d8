"""Edit a page of the guide: its text on the left, a preview on the right."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QTextBrowser,
    QWidget,
)

from labeler.app.guide.editor import GuideEditor
from labeler.app.guide.editor_view import EditorStage, EditorView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.guide.guide_panel import GUIDE_LOADING_DELAY_MS
from labeler.ui.guide.page_editor import PageTextEdit
from labeler.ui.guide.page_images import GuideImages
from labeler.ui.guide.page_view import GuidePageView
from labeler.ui.guide.problem_list import PageProblemList
from labeler.ui.guide.prompt_bar import PromptBar
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

STOP_LABEL = "Stop editing"
_INSERT_ACTIONS = (Action.INSERT_LINK, Action.INSERT_PICTURE, Action.INSERT_FILE, Action.INSERT_ROW)
WRITING_ACTIONS = (*_INSERT_ACTIONS, Action.FIND_IN_PAGE)
_BUTTONS = {
    Action.SAVE_PAGE: "Publish",
    Action.LEAVE_EDITOR: STOP_LABEL,
    Action.INSERT_LINK: "Link",
    Action.INSERT_PICTURE: "Reference",
    Action.INSERT_FILE: "Picture…",
    Action.INSERT_ROW: "Row",
    Action.FIND_IN_PAGE: "Find",
    Action.DISCARD_DRAFT: "Discard draft",
    Action.RETIRE_PAGE: "Retire…",
}


def editor_buttons(appearance: Appearance, keymap: Keymap) -> dict[Action, KeyButton]:
    return {
        action: KeyButton(appearance, keymap[action], words, main=action is Action.SAVE_PAGE)
        for action, words in _BUTTONS.items()
    }


def tools_row(buttons: Mapping[Action, KeyButton]) -> QWidget:
    """Return a row with text tools on the left and page tools on the right."""
    tools = QWidget()
    row = hbox(label("Insert", rank="caption"), on=tools)
    for action in _INSERT_ACTIONS:
        row.addWidget(buttons[action])
    row.addSpacing(16)
    row.addWidget(buttons[Action.FIND_IN_PAGE])
    row.addStretch(1)
    row.addWidget(buttons[Action.DISCARD_DRAFT])
    row.addWidget(buttons[Action.RETIRE_PAGE])
    return tools


_HEADING = "## "


class PreviewScroller:
    """Scrolls the preview to the section of the cursor."""

    def __init__(self, text: QPlainTextEdit, preview: QTextBrowser) -> None:
        self._text = text
        self._preview = preview
        self._section = ""
        text.cursorPositionChanged.connect(self.follow)

    def follow(self) -> None:
        """Scroll if the cursor is in another section."""
        section = self._section_above()
        if section != self._section:
            self._section = section
            self._scroll_to(section)

    def _section_above(self) -> str:
        block = self._text.textCursor().block()
        while block.isValid() and not block.text().startswith(_HEADING):
            block = block.previous()
        return block.text().removeprefix(_HEADING).strip() if block.isValid() else ""

    def _scroll_to(self, section: str) -> None:
        place = _find_block(section, self._preview) if section else None
        bar = self._preview.verticalScrollBar()
        if place is None:
            bar.setValue(0)
        else:
            bar.setValue(bar.value() + self._preview.cursorRect(QTextCursor(place)).top() - 16)


def _find_block(words: str, preview: QTextBrowser) -> QTextBlock | None:
    block = preview.document().begin()
    while block.isValid():
        if block.text().strip() == words:
            return block
        block = block.next()
    return None


class GuideEditorScreen(QWidget):
    """Renders the editor's view and forwards input."""

    link_wanted = Signal()
    picture_wanted = Signal()
    file_wanted = Signal()
    row_wanted = Signal()
    left = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, editor: GuideEditor, pictures: GuideImages
    ) -> None:
        super().__init__()
        self._editor = editor
        self._put = 0
        self._slug = ""
        self.text = PageTextEdit(appearance)
        self.preview = GuidePageView(appearance, pictures)
        self.complaints = PageProblemList(appearance)
        self.title = ElidedLabel(rank="title")
        self.state = label(rank="muted")
        self.error_banner = ErrorBanner(appearance)
        self.notice = ErrorBanner(appearance, BannerKind.INFO)
        self.buttons = editor_buttons(appearance, keymap)
        self.comment = PromptBar(
            appearance,
            question="What did you change?",
            hint="Optional; shown in the list of versions",
            button="Publish",
        )
        self.retiring = PromptBar(
            appearance,
            question="Remove the page from the guide? Its versions are kept.",
            hint="Reason (optional)",
            button="Retire",
        )
        self.finding = PromptBar(
            appearance, question="Find", hint="Words in the text", button="Next"
        )
        self.message = EmptyState(appearance)
        self._following = PreviewScroller(self.text, self.preview)
        self._tools = tools_row(self.buttons)
        self._halves = self._make_halves()
        self._stack = QStackedWidget()
        self._slow = QTimer(self, singleShot=True, interval=GUIDE_LOADING_DELAY_MS)
        self._slow.timeout.connect(self._say_opening)
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.GUIDE_EDITOR, self._keys())

    def render_view(self, view: EditorView) -> None:
        """Show the page; the text itself only if it was replaced."""
        self.title.setText(view.title or "Guide")
        self.state.setText(view.state)
        self.error_banner.say(view.message if view.stage is not EditorStage.REFUSED else "")
        self.notice.say(view.notice)
        self._render_stage(view)
        self._render_text(view)
        if view.preview is not None:
            found = view.preview
            self.complaints.show_complaints(found.complaints)
            self.text.mark_lines(
                {
                    c.line: "fault" if c.blocks_publishing else "strong_line"
                    for c in found.complaints
                }
            )
            self.preview.follow_page(found.html, title=f"Preview of {found.title}")
        writing = view.stage is EditorStage.WRITING
        self.buttons[Action.SAVE_PAGE].setEnabled(writing and view.unsaved)
        self.buttons[Action.DISCARD_DRAFT].setEnabled(writing and view.unsaved)
        self.buttons[Action.RETIRE_PAGE].setEnabled(view.can_retire)

    def _render_stage(self, view: EditorView) -> None:
        """Show a message instead of a page while opening or if refused."""
        self._slow.stop()
        if view.stage is EditorStage.OPENING:
            self._slow.start()
        elif view.stage is EditorStage.REFUSED:
            self.message.say(view.message, icon="locked", colour="locked")
            self._stack.setCurrentWidget(self.message)
        else:
            self._stack.setCurrentWidget(self._halves)
        refused = view.stage is EditorStage.REFUSED
        self.buttons[Action.LEAVE_EDITOR].set_words("Back" if refused else STOP_LABEL)
        self._tools.setHidden(refused)
        self.buttons[Action.SAVE_PAGE].setHidden(refused)
        for action in WRITING_ACTIONS:
            self.buttons[action].setEnabled(view.stage is EditorStage.WRITING)

    def _say_opening(self) -> None:
        self.message.say("Opening page…", icon="waiting")
        self._stack.setCurrentWidget(self.message)

    def _render_text(self, view: EditorView) -> None:
        if view.put.number == self._put or view.stage is EditorStage.OPENING:
            return
        self._put = view.put.number
        if view.slug == self._slug:
            self.text.replace_all(view.put.text, view.put.spot)
        else:
            self._slug = view.slug
            self.text.begin_with(view.put.text, view.put.spot)
        self.text.setFocus()

    def forget(self) -> None:
        """Clear the undo history for the next page."""
        self._slug = ""

    # Actions.

    def _keys(self) -> Handlers:
        return {
            Action.SAVE_PAGE: self._ask_comment,
            Action.FIND_IN_PAGE: self._ask_words,
            Action.INSERT_LINK: lambda: self._want(self.link_wanted.emit),
            Action.INSERT_PICTURE: lambda: self._want(self.picture_wanted.emit),
            Action.INSERT_FILE: lambda: self._want(self.file_wanted.emit),
            Action.INSERT_ROW: lambda: self._want(self.row_wanted.emit),
            Action.DISCARD_DRAFT: self._discard,
            Action.RETIRE_PAGE: self._ask_to_retire,
            Action.LEAVE_EDITOR: self._leave,
        }

    def _connect(self) -> None:
        for action, handler in self._keys().items():
            self.buttons[action].clicked.connect(lambda _checked=False, do=handler: do())
        self.text.written.connect(self._editor.change)
        self.complaints.line_wanted.connect(self._go_to_line)
        self.comment.answered.connect(self._save)
        self.comment.left.connect(self.text.setFocus)
        self.retiring.answered.connect(self._retire)
        self.retiring.left.connect(self.text.setFocus)
        self.finding.answered.connect(lambda words: self._show_findings(self.text.find_next(words)))
        self.finding.edited.connect(lambda words: self._show_findings(self.text.find_typed(words)))
        self.finding.left.connect(self.text.setFocus)

    def _want(self, ask: Callable[[], None]) -> None:
        """A key only works if its button is enabled."""
        if self._editor.view.stage is EditorStage.WRITING:
            ask()

    def _ask_comment(self) -> None:
        if self.buttons[Action.SAVE_PAGE].isEnabled():
            self._ask(self.comment, self._editor.comment)

    def _ask_to_retire(self) -> None:
        if self.buttons[Action.RETIRE_PAGE].isEnabled():
            self._ask(self.retiring)

    def _retire(self, comment: str) -> None:
        self.retiring.hide()
        self.text.setFocus()
        self._editor.retire(comment)

    def _ask(self, line: PromptBar, text: str = "") -> None:
        """Show one question at a time."""
        for other in (self.comment, self.retiring, self.finding):
            other.setVisible(other is line)
        line.ask(text)

    def _save(self, comment: str) -> None:
        self.comment.hide()
        self.text.setFocus()
        self._editor.save(comment)

    def _ask_words(self) -> None:
        selected = self.text.textCursor().selectedText()
        self._ask(self.finding, selected or self.finding.field.text())

    def _show_findings(self, found: bool) -> None:
        nothing = not found and self.finding.field.text()
        self.finding.message.setText("Not found" if nothing else "")

    def _discard(self) -> None:
        if self.buttons[Action.DISCARD_DRAFT].isEnabled():
            self._editor.discard()

    def _leave(self) -> None:
        """Esc first closes an open question."""
        lines = (self.comment, self.retiring, self.finding)
        asking = next((line for line in lines if line.isVisible()), None)
        if asking is None:
            self.left.emit()
        else:
            asking.hide()
            self.text.setFocus()

    def _go_to_line(self, line: int) -> None:
        self.text.go_to(line)
        self.text.setFocus()

    def _lay_out(self) -> None:
        layout = vbox(
            self._header(),
            self._tools,
            self.error_banner,
            self.notice,
            on=self,
            margins=(16, 16, 16, 8),
        )
        self._stack.addWidget(self._halves)
        self._stack.addWidget(self.message)
        layout.addWidget(self._stack, stretch=1)
        layout.addWidget(self.comment)
        layout.addWidget(self.retiring)
        layout.addWidget(self.finding)

    def _header(self) -> QHBoxLayout:
        return hbox(
            grow(self.title),
            self.state,
            self.buttons[Action.LEAVE_EDITOR],
            self.buttons[Action.SAVE_PAGE],
            spacing=16,
        )

    def _make_halves(self) -> QSplitter:
        left = QWidget()
        vbox(grow(self.text), self.complaints, on=left)
        return hsplit(left, self.preview, sizes=(1000, 1000))
