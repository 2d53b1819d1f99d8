"""Read and edit the guide in the window: its screen, the editor, merges and versions."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QWidget

from labeler.app.classes.class_view import ClassLink
from labeler.app.guide.contents import GuideContentsPresenter
from labeler.app.guide.editor import GuideEditor
from labeler.app.guide.editor_view import EditorStage, EditorView
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.merge import PageMerge
from labeler.app.guide.versions import PageVersions
from labeler.app.keymap import Action
from labeler.ui.classes.class_picker_dialog import ClassPickerDialog
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.guide.editor_screen import GuideEditorScreen
from labeler.ui.guide.guide_screen import GuideScreen
from labeler.ui.guide.merge_screen import GuideMergeScreen
from labeler.ui.guide.page_images import GuideImages
from labeler.ui.guide.pickers import ClassPairDialog, PageClassesDialog, ReferenceImageDialog
from labeler.ui.guide.versions_screen import GuideVersionsScreen
from labeler.ui.window.actions import bind_action
from labeler.ui.window.context import StudyContext

if TYPE_CHECKING:
    from labeler.ui.classes.map.map_view import ClassMapOverlay

_OPEN_PAGE = "Open page"


class GuideController(QObject):
    """Connects presenters and screens; emits `left` when the person is done with the guide.

    To write a confused pair down from elsewhere::

        guide = GuideController(context)
        guide.left.connect(go_on)  # the person is done, and what they wrote is saved
        guide.write_down(chosen=…, right=…, keep=screen)

    and in `go_on` show `screen` again, then call `guide.close()`. The guide has its own screen in
    the window, which says why when the person may not write now.
    """

    left = Signal()

    def __init__(
        self,
        context: StudyContext,
        *,
        page_opened: Callable[[str], None] = lambda _slug: None,
    ) -> None:
        window, appearance, keymap = context.window, context.appearance, context.keymap
        study, workers, clock = context.study, context.workers, context.clock
        super().__init__(window)
        self._window, self._appearance, self._keymap = window, appearance, keymap
        self._study, self._names = study, study.taxonomy.display_names
        self._only_writing = False
        self._map: ClassMapOverlay | None = None
        self._present = ClassPresenters(study, workers, page_opened=page_opened)
        writer = GuideWriter(study.store, study.study_guide, code=context.code, role=context.role)
        database = workers.database
        self.shelf = GuideContentsPresenter(
            writer=writer, role=context.role, runner=database, clock=clock
        )
        self.editor = GuideEditor(
            writer=writer,
            taxonomy=study.taxonomy,
            database=database,
            background=workers.decoding,
            clock=clock,
            on_saved=self._published,
        )
        self.versions = PageVersions(
            writer=writer, runner=database, clock=clock, on_restored=self._published
        )
        reference = self._present.reference
        runner = workers.decoding
        pictures = GuideImages(study.guide_picture, reference, runner=runner)
        then = GuideImages(self._picture_then, reference, runner=runner)
        self._pictures, self._pictures_then = pictures, then  # not owned by a widget
        self.reading = GuideScreen(appearance, keymap, self._present.guide, reference=reference)
        self.writing = GuideEditorScreen(appearance, keymap, self.editor, pictures)
        self.merging = GuideMergeScreen(appearance, keymap, pictures)
        self.versions_screen = GuideVersionsScreen(appearance, keymap, self.versions, then)
        self.screen = QStackedWidget()
        for part in (self.reading, self.writing, self.merging, self.versions_screen):
            self.screen.addWidget(part)
        self._connect()

    def read(self, wnid: str | None = None) -> None:
        """Show the guide's contents, or the page on a class."""
        self._only_writing = False
        self._show(None)
        self._show_reading()
        guide = self._present.guide
        guide.open_contents() if wnid is None else guide.open_at(wnid)

    def write_down(self, *, chosen: str, right: str, keep: QWidget | None = None) -> None:
        """Open the page for the pair at its row, which is added if missing.

        `chosen` is the class that was answered, `right` the correct one; `keep` is the screen to
        return to. `left` is emitted when the person stops editing.
        """
        self._only_writing = True
        self._show(keep)
        self._write(lambda: self.editor.write_down(chosen=chosen, right=right))

    def close(self) -> None:
        """Store drafts and drop pending requests."""
        self.editor.listen(lambda _view: None)
        self.editor.close()
        self.shelf.close()
        self.versions.close()
        if self._map is not None:
            self._map.canvas.close_pictures()
        self._present.close()
        self.deleteLater()

    def _show(self, keep: QWidget | None) -> None:
        self._present.prepare()
        self.shelf.refresh()
        self._window.show_screen(self.screen, keep=keep)

    def _connect(self) -> None:
        self.shelf.listen(self.reading.render_shelf)
        self.editor.listen(self._render_editor)
        self.reading.edit_wanted.connect(lambda slug: self._write(lambda: self.editor.open(slug)))
        self.reading.new_wanted.connect(self._ask_classes)
        self.reading.versions_wanted.connect(self._show_versions)
        self.reading.left.connect(self.left)
        bind_action(self.reading, self._keymap[Action.SHOW_CLASS_MAP], self._toggle_map)
        self.writing.left.connect(self._stop_writing)
        self.writing.link_wanted.connect(self._ask_link)
        self.writing.picture_wanted.connect(self._ask_picture)
        self.writing.file_wanted.connect(self._ask_file)
        self.writing.row_wanted.connect(self._ask_row)
        self.merging.taken.connect(self.editor.take_merged)
        self.merging.left.connect(self.editor.leave_merge)
        self.versions_screen.left.connect(self._show_reading)

    # Navigation.

    def _toggle_map(self) -> None:
        """Cover the guide with the map of all classes, at the page's class, or close it."""
        opened = self._map
        if opened is None:
            opened = self._present.map_overlay(self._appearance, self._keymap, self.reading)
            opened.chosen.connect(self._open_from_map)
            opened.closed.connect(self.reading.panel.setFocus)
            self._map = opened
        if opened.isVisible():
            opened.close_map()
            return
        at = self._present.guide.shown_class
        opened.open(at, subject=None, can_choose=True, words=_OPEN_PAGE)

    def _open_from_map(self, wnid: str) -> None:
        self._present.guide.open_at(wnid)
        self.reading.panel.setFocus()

    def _show_reading(self) -> None:
        self.shelf.refresh()
        self.screen.setCurrentWidget(self.reading)
        self.reading.panel.setFocus()

    def _write(self, begin: Callable[[], None]) -> None:
        self.writing.forget()
        self.screen.setCurrentWidget(self.writing)
        begin()

    def _render_editor(self, view: EditorView) -> None:
        self.writing.render_view(view)
        shown = self.screen.currentWidget()
        if view.stage is EditorStage.MERGING and shown is not self.merging:
            self._ask_merge(view)
        elif view.stage is EditorStage.WRITING and shown is self.merging:
            self.screen.setCurrentWidget(self.writing)
            self.writing.text.setFocus()
        elif view.stage is EditorStage.REFUSED and not view.message:
            self._stop_writing()

    def _ask_merge(self, view: EditorView) -> None:
        assert view.diverged is not None, "there must be a conflict to merge"
        self.screen.setCurrentWidget(self.merging)
        self.merging.ask(PageMerge(view.diverged, slug=view.slug))

    def _stop_writing(self) -> None:
        self.editor.close()
        if self._only_writing:
            self.left.emit()
        else:
            slug = self.editor.view.slug
            guide = self._present.guide
            guide.open_page(slug) if slug else guide.open_contents()
            self._show_reading()
            self.reading.say(self.editor.view.notice if not slug else "")

    def _show_versions(self, slug: str) -> None:
        self.versions.open(slug)
        self.screen.setCurrentWidget(self.versions_screen)
        self.versions_screen.setFocus()

    def _published(self, _slug: str) -> None:
        for pictures in (self._pictures, self.reading.panel.pictures):
            pictures.clear_own_images()
        self._present.guide.reload()

    def _picture_then(self, path: str) -> bytes | None:
        """Return a picture of the shown version; called on a worker."""
        hashed = self.versions.view.pictures.get(path)
        return self._study.stored_guide_picture(hashed) if hashed else None

    # Dialogs for classes and pictures.

    def _ask_classes(self) -> None:
        picker = PageClassesDialog(self._appearance, self._keymap, self._present, self._window)
        picker.classes_picked.connect(self._begin)
        picker.open()

    def _begin(self, wnids: Sequence[str]) -> None:
        self._write(lambda: self.editor.begin(wnids))

    def _ask_link(self) -> None:
        picker = ClassPickerDialog(
            self._appearance,
            self._keymap,
            self._present,
            self._window,
            title="Insert link to a class",
            button="Insert link",
        )
        picker.picked.connect(lambda wnid: self.writing.text.insert(self.editor.link_to(wnid)))
        picker.open()

    def _ask_picture(self) -> None:
        picker = ReferenceImageDialog(
            self._appearance,
            self._keymap,
            self._present,
            self._window,
            begin=next(iter(self._covered), next(iter(self._names))),
        )
        picker.picture_picked.connect(
            lambda wnid, number: self.writing.text.insert(self.editor.picture_of(wnid, number))
        )
        picker.open()

    def _ask_file(self) -> None:
        chosen = QFileDialog(self._window, "Insert picture file")
        chosen.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen.setFileMode(QFileDialog.FileMode.ExistingFile)
        chosen.setNameFilter("Pictures (*.png *.jpg *.jpeg *.webp *.svg);;All files (*)")
        chosen.fileSelected.connect(self.insert_file)
        chosen.open()

    def insert_file(self, file: str) -> None:
        """Add a picture file to the guide and insert it into the text."""
        self.editor.add_picture(Path(file), put=self.writing.text.insert)

    def _ask_row(self) -> None:
        covered = [ClassLink(wnid, self._names[wnid]) for wnid in self._covered]
        if not covered:
            return
        picker = ClassPairDialog(
            self._appearance, self._keymap, self._present, self._window, covered=covered
        )
        picker.pair_picked.connect(self.editor.add_row)
        picker.open()

    @property
    def _covered(self) -> tuple[str, ...]:
        """Return the known classes that the edited page covers."""
        found = self.editor.view.preview
        return tuple(wnid for wnid in found.wnids if wnid in self._names) if found else ()
