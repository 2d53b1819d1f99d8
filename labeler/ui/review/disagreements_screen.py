"""Disagreements between reviewers, one pair open; the lead continues with the resolution."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QWidget

from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.review.disagreements import Disagreements, DisagreementsView
from labeler.app.review.views import ReviewStage
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.pictures.image_view import ImageView, image_view_keys
from labeler.ui.kit.text.labels import label
from labeler.ui.review.class_panel import ClassPanel
from labeler.ui.review.label_list import ReviewLabelList
from labeler.ui.review.two_columns import fill_column, lay_out_two_columns, two_part_splitter
from labeler.ui.review.verdict_bar import VERDICT_ACTIONS, VerdictBar
from labeler.ui.window.actions import Handlers, bind_action, bind_scope
from labeler.ui.window.idle_queue import IdleQueue
from labeler.ui.window.theme import Appearance

_WIDTH = 640
_REVIEWER_NEXT = "The lead continues from here."
_LEAD_NEXT = "You can now resolve the verdicts into multi-labels."


class NoDisagreementsPage(Page):
    """Shown instead of the discussion; the lead can go to the resolution."""

    home_wanted = Signal()
    reviewers_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance, width=_WIDTH)
        way_home, enter = keymap[Action.GO_HOME].keys[:1], [Key((), "Return")]
        self.sentence = label(rank="muted", wrap=True)
        self.explained = label(rank="muted", wrap=True)
        self.reviewers = CommandButton(
            appearance, "Go to reviewers", keys=enter, kind=ButtonKind.PRIMARY
        )
        self.home = CommandButton(appearance, "Home", keys=way_home, actions=[Action.GO_HOME])
        self.column.addWidget(label("Nothing to settle", rank="title"))
        self.column.addWidget(self.sentence)
        self.column.addWidget(self.explained)
        row = hbox(self.reviewers, self.home, stretch(), spacing=16)
        self.column.addLayout(row)
        self.home.clicked.connect(self.home_wanted)
        self.reviewers.clicked.connect(self.reviewers_wanted)

    def say(self, sentence: str, *, to_lead: bool) -> None:
        self.sentence.setText(sentence)
        self.explained.setText(_LEAD_NEXT if to_lead else _REVIEWER_NEXT)
        self.reviewers.setVisible(to_lead)
        self.set_initial_focus(self.reviewers if to_lead else self.home)


# In percent: the width of the image, the height of the labels.
_LEFT, _LABELS = 55, 36
_NAVIGATION_ACTIONS = (
    (Action.PREVIOUS_VISIT, "Previous label"),
    (Action.NEXT_VISIT, "Next label"),
    (Action.UNDO_VERDICT, "Undo"),
    (Action.KEEP_VERDICT, "Keep mine"),
    (Action.SHOW_REVIEWERS, "Reviewers"),
    (Action.GO_HOME, "Home"),
)
# Only a reviewer has a verdict to confirm; the lead has statistics and the resolution.
_REVIEWER_ACTION, _LEAD_ACTION = Action.KEEP_VERDICT, Action.SHOW_REVIEWERS
_REVIEWER_INSTRUCTION = "Keep or change your verdict. Your blind verdict stays on record."
_LEAD_REASON = "Reason for the group's verdict (optional, recorded with it)"
_REVIEWER_REASON = "Reason for your verdict (optional, recorded with it)"
_LEAD_INSTRUCTION = "Record the group's verdict. Each reviewer's verdict stays on record."


class DisagreementsScreen(QWidget):
    """Renders the view and forwards actions."""

    stopped = Signal(str)
    home_wanted = Signal()
    reviewers_wanted = Signal()

    def __init__(
        self,
        *,
        appearance: Appearance,
        keymap: Keymap,
        presenter: Disagreements[ImagePyramid],
        tools: ClassTools,
    ) -> None:
        super().__init__()
        self._presenter, self._tools = presenter, tools
        self._view: DisagreementsView[ImagePyramid] = DisagreementsView()
        self.heading = label(rank="heading")
        self.explained = label(rank="muted", wrap=True)
        self.image = ImageView(appearance, keymap, takes_keys=False)
        self.rows = ReviewLabelList(appearance)
        self.rows.setAccessibleName("Labels with disagreements")
        self.bar = VerdictBar(appearance, keymap, _NAVIGATION_ACTIONS)
        self.reason = QLineEdit()
        self.side = ClassPanel(tools)
        self.resolve = self.bar.buttons[Action.SHOW_REVIEWERS]
        self.nothing = NoDisagreementsPage(appearance, keymap)
        self._filling = IdleQueue(lambda: tools.class_view, self.side.fill, parent=self)
        self._pages = self._lay_out()
        self._offer(is_lead=presenter.view.is_lead)
        self._connect()
        self._bind(keymap)
        presenter.listen(self.render_view)

    def start(self) -> None:
        self.render_view(self._presenter.view)
        self.rows.setFocus()
        self._presenter.start()
        self._filling.start()

    def stop(self) -> None:
        """Create nothing more: the screen is closing."""
        self._filling.stop()

    def render_view(self, view: DisagreementsView[ImagePyramid]) -> None:
        before, self._view = self._view, view
        self.heading.setText(_heading(view))
        self.explained.setText(_LEAD_INSTRUCTION if view.is_lead else _REVIEWER_INSTRUCTION)
        self.bar.notice.setText(view.trouble or view.notice)
        self._render_buttons(view)
        self.rows.show_labels(view.rows, view.focused)
        if view.focused != before.focused or view.rows != before.rows:
            # The reason was for the label before.
            self.reason.clear()
        if view.image is not before.image or view.unseen != before.unseen:
            if view.unseen:
                self.image.say(view.unseen)
            elif view.image is None:
                self.image.clear()
            else:
                self.image.show_image(view.image)
        if view.focused_wnid is not None and view.focused_wnid != before.focused_wnid:
            self.side.show_other(view.focused_wnid)
        if view.stage is ReviewStage.FINISHED and before.stage is not view.stage:
            self.nothing.say(view.notice, to_lead=view.is_lead)
            self._pages.setCurrentWidget(self.nothing)
        if view.stage is ReviewStage.STOPPED and before.stage is not view.stage:
            self.stopped.emit(view.trouble)

    def _render_buttons(self, view: DisagreementsView[ImagePyramid]) -> None:
        judging = view.stage is ReviewStage.JUDGING
        self.bar.allow_judging(judging)
        self.bar.allow(
            {
                Action.UNDO_VERDICT: judging and view.can_undo,
                Action.PREVIOUS_VISIT: judging and view.focused > 0,
                Action.NEXT_VISIT: judging and view.focused < len(view.rows) - 1,
                Action.KEEP_VERDICT: judging and view.has_own,
            }
        )

    def _offer(self, *, is_lead: bool) -> None:
        words = _LEAD_REASON if is_lead else _REVIEWER_REASON
        self.reason.setPlaceholderText(words)
        self.reason.setAccessibleName(words)
        others = _REVIEWER_ACTION if is_lead else _LEAD_ACTION
        self.bar.offer([action for action in self.bar.buttons if action is not others])

    def _lay_out(self) -> QStackedLayout:
        discussion = QWidget()
        pages = QStackedLayout(self)
        pages.addWidget(discussion)
        pages.addWidget(self.nothing)
        columns = lay_out_two_columns(discussion, percent=_LEFT)
        fill_column(
            columns.left,
            self.heading,
            self.explained,
            self.image,
            self.reason,
            self.bar,
            grows=self.image,
        )
        right = two_part_splitter(Qt.Orientation.Vertical, self.rows, self.side, percent=_LABELS)
        fill_column(columns.right, right, grows=right)
        return pages

    def _connect(self) -> None:
        self.rows.focused.connect(self._presenter.focus)
        self.bar.pressed.connect(self._press)
        self.reason.textChanged.connect(self._presenter.explain)
        # The verdict keys work again.
        self.reason.returnPressed.connect(self.rows.setFocus)
        self.side.left.connect(self.rows.setFocus)
        self.nothing.home_wanted.connect(self.home_wanted)
        self.nothing.reviewers_wanted.connect(self._leave_for_reviewers)

    def _bind(self, keymap: Keymap) -> None:
        bound = bind_scope(self, keymap, Scope.REVIEW, self._handlers())
        for action in bound.values():
            # A key that is held down must not settle the next label, too.
            action.setAutoRepeat(False)
        bind_action(self, keymap[Action.SHOW_REVIEWERS], self._leave_for_reviewers)
        # Only while the labels have the focus: Return has another meaning in the guide.
        shortcuts = bind_scope(self.rows, keymap, Scope.SETTLING, self._settling())
        shortcuts[Action.KEEP_VERDICT].setAutoRepeat(False)
        bind_scope(self.rows, keymap, Scope.REVIEW_LABELS, self._row_handlers())
        bind_scope(self, keymap, Scope.VIEW, image_view_keys(self.image))
        self._tools.bind_keys(self, keymap)

    def _handlers(self) -> Handlers:
        presenter = self._presenter
        judging = {
            action: partial(presenter.settle, *what) for action, what in VERDICT_ACTIONS.items()
        }
        return {
            **judging,
            Action.UNDO_VERDICT: presenter.undo,
            Action.PREVIOUS_VISIT: lambda: presenter.step(-1),
            Action.NEXT_VISIT: lambda: presenter.step(1),
            Action.PAUSE_REVIEW: _nothing,
            Action.OTHER_WAY: _nothing,
        }

    def _settling(self) -> Handlers:
        return {Action.KEEP_VERDICT: self._presenter.keep}

    def _press(self, action: Action) -> None:
        elsewhere: Handlers = {
            Action.GO_HOME: self.home_wanted.emit,
            Action.SHOW_REVIEWERS: self._leave_for_reviewers,
        }
        {**self._handlers(), **self._settling(), **elsewhere}[action]()

    def _row_handlers(self) -> Handlers:
        return {
            Action.NEXT_LABEL: lambda: self._presenter.step(1),
            Action.PREVIOUS_LABEL: lambda: self._presenter.step(-1),
            Action.ADD_LABEL: _nothing,
            Action.ACCEPT_PROPOSAL: _nothing,
            Action.FLAG_PROBLEM: _nothing,
            Action.NOTHING_WRONG: _nothing,
        }

    def _leave_for_reviewers(self) -> None:
        if self._view.is_lead:
            self.reviewers_wanted.emit()


def _heading(view: DisagreementsView[ImagePyramid]) -> str:
    if view.stage is ReviewStage.OPENING:
        return "Loading disagreements…"
    if not view.rows:
        return "Nothing to settle"
    pairs = "1 label" if len(view.rows) == 1 else f"{len(view.rows):,} labels"
    decided = "" if view.is_lead else f", {view.decided:,} decided by you"
    return f"{pairs} to settle, {view.open:,} open{decided}"


def _nothing() -> None:
    """Do nothing: a discussion isn't timed and adds no labels."""
