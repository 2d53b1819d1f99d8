"""The screen of the guide: contents on the left, the page on the right."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from labeler.app.guide.contents import GuideContentsView
from labeler.app.guide.viewer import GuideViewer
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.guide.contents_tree import GuideContentsTree
from labeler.ui.guide.guide_panel import GuidePanel
from labeler.ui.guide.page_images import ReferenceImageReader
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, stretch, vbox
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

_CONTENTS, _PAGE = 320, 900


class GuideScreen(QWidget):
    """Renders the available actions and forwards them."""

    edit_wanted = Signal(str)
    new_wanted = Signal()
    versions_wanted = Signal(str)
    left = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        viewer: GuideViewer,
        *,
        reference: ReferenceImageReader,
    ) -> None:
        super().__init__()
        self._viewer = viewer
        self._shelf = GuideContentsView()
        self._notice_slug: str | None = None
        self.panel = GuidePanel(
            appearance, keymap, viewer, reference=reference, contents_visible=True
        )
        self.panel.align_with_neighbours(above=0)
        self.contents = GuideContentsTree(appearance)
        self.edit = KeyButton(appearance, keymap[Action.EDIT_PAGE], "Edit", main=True)
        self.new = KeyButton(appearance, keymap[Action.NEW_PAGE], "New page")
        self.versions = KeyButton(appearance, keymap[Action.SHOW_VERSIONS], "Versions")
        self.why_not = ErrorBanner(appearance, BannerKind.LOCKED)
        self.notice = ErrorBanner(appearance, BannerKind.FOLDER)
        self.info_banner = ErrorBanner(appearance, BannerKind.INFO)
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.GUIDE_PAGES, self._keys())
        self.render_shelf(self._shelf)

    def render_shelf(self, view: GuideContentsView) -> None:
        """Show whether the guide can be edited, and the person's drafts."""
        self._shelf = view
        self.why_not.say(view.why_not)
        self.notice.say(view.notice)
        self.new.setEnabled(view.can_write)
        self._render_place()

    def say(self, sentence: str) -> None:
        """Show a message until another page is opened."""
        self._notice_slug = self._viewer.slug
        self.info_banner.say(sentence)

    def _render_place(self) -> None:
        slug = self._viewer.slug
        if slug not in (None, self._notice_slug):
            self.info_banner.say("")
        self.edit.setEnabled(self._shelf.can_write and slug is not None)
        self.versions.setEnabled(slug is not None)
        self.contents.show_contents(self._viewer.contents, self._shelf)
        self.contents.show_current(slug)

    def _keys(self) -> Handlers:
        return {
            Action.EDIT_PAGE: self.edit.click,
            Action.NEW_PAGE: self.new.click,
            Action.SHOW_VERSIONS: self.versions.click,
        }

    def _connect(self) -> None:
        self.edit.clicked.connect(lambda: self.edit_wanted.emit(self._viewer.slug or ""))
        self.new.clicked.connect(self.new_wanted)
        self.versions.clicked.connect(lambda: self.versions_wanted.emit(self._viewer.slug or ""))
        self.contents.page_wanted.connect(self._viewer.open_page)
        self.contents.draft_wanted.connect(self.edit_wanted)
        self.contents.retired_wanted.connect(self.versions_wanted)
        self.panel.rendered.connect(self._render_place)
        self.panel.class_wanted.connect(self._viewer.open_at)
        self.panel.typed.connect(self._type_on)
        self.panel.left.connect(self.left)

    def _type_on(self, text: str) -> None:
        """Typing anywhere searches the guide."""
        self.panel.field.setFocus()
        self.panel.field.insert(text)
        self._viewer.search(self.panel.field.text())

    def _lay_out(self) -> None:
        head = hbox(label("Guide", rank="title"), stretch(1), self.versions, self.new, self.edit)
        across = hsplit(self.contents, self.panel, sizes=(_CONTENTS, _PAGE), shares=(1, 3))
        vbox(
            head,
            self.why_not,
            self.notice,
            self.info_banner,
            grow(across),
            on=self,
            margins=(16, 16, 16, 8),
        )
