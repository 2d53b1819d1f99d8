"""The group discussion: a list of images, the current one with all answers, and its classes."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QStackedWidget,
    QWidget,
)

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.app.training.discussion import (
    DiscussedAnswerView,
    DiscussionView,
    GroupDiscussion,
    MemberView,
)
from labeler.ui.classes.class_columns import ClassColumnsView
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.guide.guide_panel import GuidePanel
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, stretch, vbox
from labeler.ui.kit.layout.flow_layout import clear_layout
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.pictures.fitted_image import UNREADABLE_MESSAGE, FittedImage
from labeler.ui.kit.tables.image_list import AnsweredImageList
from labeler.ui.kit.text.labels import ElidedLabel, IconLabel, label
from labeler.ui.training.note_thread import NoteThread
from labeler.ui.window.actions import bind_action, bind_scope
from labeler.ui.window.theme import Appearance

_RIGHT, _WRONG = ("right", "open"), ("wrong", "fault")


class AnswerList(QWidget):
    """Lists who answered what, right or wrong by icon, colour and word, and what is accepted."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def render_answers(self, answers: tuple[DiscussedAnswerView, ...], *, accepted: str) -> None:
        clear_layout(self._grid)
        for row, answer in enumerate(answers):
            icon, colour = _RIGHT if answer.right else _WRONG
            self._add(row, answer.labeler, answer.label, icon=icon, colour=colour)
            self._grid.addWidget(label(answer.word, rank="muted"), row, 3)
        self._add(len(answers), "Accepted", accepted, icon="", colour="text")
        self.setAccessibleName(
            "; ".join(f"{a.labeler}: {a.label}, {a.word}" for a in answers)
            + f"; accepted: {accepted}"
        )

    def _add(self, row: int, who: str, what: str, *, icon: str, colour: str) -> None:
        name = ElidedLabel(rank="number")
        name.setText(what)
        self._grid.addWidget(label(who, rank="muted"), row, 0)
        self._grid.addWidget(name, row, 1)
        if icon:
            self._grid.addWidget(IconLabel(self._appearance, icon, colour=colour, size=16), row, 2)


# Notes of others appear after this long at most.
_REFRESH_MS = 3_000
_SIZES = (320, 432, 464)  # of the list, the image and its classes


class DiscussionScreen(TitledPage):
    """Shows the presenter's view; one key shows the guide instead of the classes."""

    progress_wanted = Signal()
    home_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: GroupDiscussion,
        *,
        pictures: ThumbnailLoader[int, QImage],
        classes: ClassPresenters,
    ) -> None:
        super().__init__(appearance, keymap, title="Group discussion", icon="discussion")
        self._presenter = presenter
        self._pictures, self._classes = pictures, classes
        self._view: DiscussionView | None = None
        self.members: dict[str, CheckBox] = {}
        self.summary = label(rank="muted", wrap=True)
        self.list = AnsweredImageList(appearance, pictures, name="Images to discuss")
        self.picture = FittedImage(appearance, height=None, name="Current image")
        self.place = label(rank="muted")
        self.answers = AnswerList(appearance)
        self.notes = NoteThread(appearance, keymap)
        self.columns = ClassColumnsView(appearance, classes.originals)
        self.guide = GuidePanel(appearance, keymap, classes.guide, reference=classes.reference)
        self._side_panel = QStackedWidget()
        self.progress = self.add_header_button("Training progress", Action.SHOW_PROGRESS)
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self.previous = KeyButton(appearance, keymap[Action.PREVIOUS_DISCUSSED], "Previous")
        self.next = KeyButton(appearance, keymap[Action.NEXT_DISCUSSED], "Next")
        self.to_guide = KeyButton(appearance, keymap[Action.SHOW_GUIDE], "Guide")
        self._refreshing = QTimer(self, interval=_REFRESH_MS)
        self._refreshing.timeout.connect(presenter.refresh)
        self._lay_out()
        self._connect()
        self._bind(keymap)

    def render_view(self, view: DiscussionView) -> None:
        """Show the discussion; an unchanged list keeps its position."""
        before, self._view = self._view, view
        self.say("")
        self._render_members(view.members)
        self.summary.setText(view.summary)
        self.summary.setVisible(bool(view.summary))
        if view.discussed is None or view.current is None:
            self.show_message_instead(view.sentence)
            return
        self.show_contents()
        if before is None or before.rows != view.rows:
            self._render_rows(view)
        self.list.show_current(view.current)
        self._render_discussed(view)
        if before is None:
            self.list.setFocus()

    @property
    def shown(self) -> DiscussionView | None:
        return self._view

    def showEvent(self, event: QShowEvent) -> None:
        self._refreshing.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Save the note draft, because the next screen may read it."""
        self._refreshing.stop()
        self._presenter.keep()
        super().hideEvent(event)

    def toggle_guide(self) -> None:
        """Open the guide at the first class in question, or show the classes again."""
        if self._side_panel.currentWidget() is self.guide:
            self._show_classes()
        elif self._view is not None and self._view.discussed is not None:
            self._side_panel.setCurrentWidget(self.guide)
            self._classes.guide.open_at(self._view.discussed.classes[0])
            self.guide.setFocus()

    def _show_classes(self) -> None:
        self._side_panel.setCurrentWidget(self.columns)
        self.list.setFocus()

    def _render_members(self, members: tuple[MemberView, ...]) -> None:
        if tuple(self.members) != tuple(member.code for member in members):
            self._make_members(members)
        for member in members:
            box = self.members[member.code]
            box.setChecked(member.chosen)
            box.setEnabled(not member.fixed)

    def _make_members(self, members: tuple[MemberView, ...]) -> None:
        for box in self.members.values():
            box.hide()
            box.deleteLater()
        self.members = {member.code: self._member(member) for member in members}
        for box in self.members.values():
            self.title_row.addWidget(box)

    def _member(self, member: MemberView) -> CheckBox:
        box = CheckBox(self._appearance, f"{member.code} (you)" if member.fixed else member.code)
        box.setAccessibleName(f"{member.code} takes part")
        box.clicked.connect(lambda _checked=False: self._presenter.toggle(member.code))
        return box

    def _render_rows(self, view: DiscussionView) -> None:
        self.list.blockSignals(True)
        self.list.show_rows(view.rows)
        self.list.blockSignals(False)

    def _render_discussed(self, view: DiscussionView) -> None:
        discussed = view.discussed
        assert discussed is not None, "only an image that is there is discussed"
        self._show_picture(discussed.image)
        self._pictures.request([discussed.image])
        self.place.setText(discussed.place)
        self.answers.render_answers(discussed.answers, accepted=discussed.accepted)
        self.notes.render_notes(discussed.notes, note_draft=discussed.note_draft)
        self._classes.comparison.compare(discussed.classes)

    def _show_picture(self, image: int) -> None:
        shown = self._view.discussed if self._view else None
        if shown is not None and shown.image == image:
            is_missing = self._pictures.is_missing(image)
            self.picture.show_image(
                self._pictures.get(image), instead=UNREADABLE_MESSAGE if is_missing else ""
            )

    def _connect(self) -> None:
        self._presenter.listen(show=self.render_view, fail=self.say)
        self._pictures.listen(self._show_picture)
        self._pictures.listen_for_missing(self._show_picture)
        self._classes.comparison.listen(self.columns.render_classes)
        self.list.chosen.connect(self._choose)
        self.notes.edited.connect(self._presenter.edit_note_draft)
        self.notes.added.connect(self._presenter.add_note)
        self.notes.left.connect(self.list.setFocus)
        self.guide.left.connect(self._show_classes)
        self.progress.clicked.connect(self.progress_wanted)
        self.home.clicked.connect(self.home_wanted)
        self.previous.clicked.connect(lambda: self._presenter.step(-1))
        self.next.clicked.connect(lambda: self._presenter.step(1))
        self.to_guide.clicked.connect(self.toggle_guide)

    def _choose(self, row: int) -> None:
        if row >= 0:
            self._presenter.go_to(row)

    def _bind(self, keymap: Keymap) -> None:
        bind_scope(
            self,
            keymap,
            Scope.DISCUSSION,
            {
                Action.NEXT_DISCUSSED: lambda: self._presenter.step(1),
                Action.PREVIOUS_DISCUSSED: lambda: self._presenter.step(-1),
                Action.WRITE_NOTE: self.notes.field.setFocus,
                Action.ADD_NOTE: self._presenter.add_note,
            },
        )
        bind_scope(
            self,
            keymap,
            Scope.LOOKING_BACK,
            {
                Action.SHOW_PROGRESS: self.progress_wanted.emit,
                Action.SHOW_DISCUSSION: self.list.setFocus,
            },
        )
        bind_action(self, keymap[Action.SHOW_GUIDE], self.toggle_guide)

    def _lay_out(self) -> None:
        self.guide.align_with_neighbours(above=0)
        self._side_panel.addWidget(self.columns)
        self._side_panel.addWidget(self.guide)
        self.below_head.addWidget(self.summary)
        body = hsplit(self.list, self._middle(), self._side_panel, sizes=_SIZES, shares=(1, 2, 3))
        self.set_contents(body, until_then="Loading answers…")

    def _middle(self) -> QFrame:
        middle = QFrame()
        middle.setProperty("kind", "card")
        column = vbox(grow(self.picture, 3), on=middle, margins=(16, 16, 16, 16))
        steps = hbox(self.previous, self.next, self.place, stretch(), self.to_guide)
        column.addLayout(steps)
        column.addSpacing(8)
        column.addWidget(self.answers)
        column.addSpacing(8)
        column.addWidget(label("Notes", rank="heading"))
        column.addWidget(self.notes, stretch=2)
        return middle
