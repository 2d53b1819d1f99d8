"""Disagreements: what reviewers differ on, one pair open; the lead goes on to the resolution."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.presenters.disagreements import Disagreements, DisagreementsView
from labeler.app.presenters.review_views import ReviewStage
from labeler.ui.actions import Handlers, bind, bind_one
from labeler.ui.class_tools import ClassTools
from labeler.ui.look import Look
from labeler.ui.trial_pixels import TrialPixels
from labeler.ui.widgets.class_side import ClassSide
from labeler.ui.widgets.image_keys import image_view_keys
from labeler.ui.widgets.image_view import ImageView
from labeler.ui.widgets.key_button import KeyButton
from labeler.ui.widgets.label_list import LabelList
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.two_columns import column, lay_in_two_columns
from labeler.ui.widgets.verdict_bar import JUDGING, VerdictBar

_LEFT = 55
_FURTHER = (
    (Action.UNDO_VERDICT, "Undo"),
    (Action.PREVIOUS_VISIT, "Label before"),
    (Action.NEXT_VISIT, "Next label"),
)
_REVIEWER = "Keep your verdict or change it; what was said blind stays on record."
_LEAD = "Record what the group agreed on; what each said stays on record."


class DisagreementsScreen(QWidget):
    """Renders the view and forwards what a person does."""

    stopped = Signal(str)
    reviewers_wanted = Signal()

    def __init__(
        self,
        *,
        look: Look,
        keymap: Keymap,
        presenter: Disagreements[TrialPixels],
        tools: ClassTools,
    ) -> None:
        super().__init__()
        self._presenter, self._tools = presenter, tools
        self._view: DisagreementsView[TrialPixels] = DisagreementsView()
        self.heading = label(rank="heading")
        self.explained = label(rank="muted", wrap=True)
        self.image = ImageView(look, keymap, takes_keys=False)
        self.rows = LabelList(look)
        self.rows.setAccessibleName("Labels that reviewers differ on")
        self.bar = VerdictBar(look, keymap, _FURTHER)
        self.side = ClassSide(tools)
        self.resolve = KeyButton(look, keymap[Action.SHOW_REVIEWERS], "Reviewers, and resolving")
        self._lay_out()
        self._connect()
        self._bind(keymap)
        presenter.listen(self.render_view)

    def start(self) -> None:
        self.render_view(self._presenter.view)
        self.rows.setFocus()
        self._presenter.start()

    def render_view(self, view: DisagreementsView[TrialPixels]) -> None:
        before, self._view = self._view, view
        self.heading.setText(_heading(view))
        self.explained.setText(_LEAD if view.is_lead else _REVIEWER)
        self.resolve.setVisible(view.is_lead)
        self.bar.notice.setText(view.trouble or view.notice)
        self._render_buttons(view)
        self.rows.show_labels(view.rows, view.focused)
        if view.image is not before.image:
            if view.image is None:
                self.image.clear()
            else:
                self.image.show_image(view.image)
        if view.focused_wnid is not None and view.focused_wnid != before.focused_wnid:
            self.side.show_other(view.focused_wnid)
        if view.stage is ReviewStage.STOPPED and before.stage is not view.stage:
            self.stopped.emit(view.trouble)

    def _render_buttons(self, view: DisagreementsView[TrialPixels]) -> None:
        judging = view.stage is ReviewStage.JUDGING
        self.bar.allow_judging(judging)
        self.bar.allow(
            {
                Action.UNDO_VERDICT: judging and view.can_undo,
                Action.PREVIOUS_VISIT: judging and view.focused > 0,
                Action.NEXT_VISIT: judging and view.focused < len(view.rows) - 1,
            }
        )

    def _lay_out(self) -> None:
        left = column(
            self.heading, self.explained, self.image, self.bar, self.resolve, grows=self.image
        )
        right = column(self.rows, self.side, grows=self.side)
        lay_in_two_columns(self, left, right, percent=_LEFT)

    def _connect(self) -> None:
        self.rows.focused.connect(self._presenter.focus)
        self.bar.pressed.connect(lambda action: self._handlers()[action]())
        self.side.left.connect(self.rows.setFocus)
        self.resolve.clicked.connect(self._leave_for_reviewers)

    def _bind(self, keymap: Keymap) -> None:
        bound = bind(self, keymap, Scope.REVIEW, self._handlers())
        for action in bound.values():
            # A key held down must not settle the next label too.
            action.setAutoRepeat(False)
        bind_one(self, keymap[Action.SHOW_REVIEWERS], self._leave_for_reviewers)
        bind(self.rows, keymap, Scope.REVIEW_LABELS, self._row_handlers())
        bind(self, keymap, Scope.VIEW, image_view_keys(self.image))
        self._tools.bind_keys(self, keymap)

    def _handlers(self) -> Handlers:
        presenter = self._presenter
        judging = {action: partial(presenter.settle, *what) for action, what in JUDGING.items()}
        return {
            **judging,
            Action.UNDO_VERDICT: presenter.undo,
            Action.PREVIOUS_VISIT: lambda: presenter.step(-1),
            Action.NEXT_VISIT: lambda: presenter.step(1),
            Action.PAUSE_REVIEW: _nothing,
            Action.OTHER_WAY: _nothing,
        }

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


def _heading(view: DisagreementsView[TrialPixels]) -> str:
    if view.stage is ReviewStage.OPENING:
        return "Looking for what reviewers differ on …"
    if not view.rows:
        return "Nothing to settle"
    pairs = "1 label" if len(view.rows) == 1 else f"{len(view.rows):,} labels"
    return f"{pairs} to settle, {view.open:,} open"


def _nothing() -> None:
    """A discussion is not timed, and adds no label."""
