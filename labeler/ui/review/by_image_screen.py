"""Review by image: the image, its labels with verdicts, and the class in question."""

from collections.abc import Callable
from functools import cached_property, partial

from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.review.by_image import NO_PROBLEM_FLAG, ReviewByImage
from labeler.app.review.views import ImageReviewView, ReviewStage
from labeler.core.review.blind_types import OwnFlag
from labeler.core.study.entities import CorrectKind, Verdict
from labeler.ui.kit.layout.boxes import SPACING
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.pictures.image_view import image_view_keys
from labeler.ui.review.class_panel import ClassPanel
from labeler.ui.review.flag_form import ProblemForm, SecondLookPanel
from labeler.ui.review.label_list import AddLabelPanel, ProposedLabelRow, ReviewLabelList
from labeler.ui.review.two_columns import fill_column, lay_out_two_columns, set_split
from labeler.ui.review.verdict_bar import VERDICT_ACTIONS
from labeler.ui.review.verdict_screen import FORM_OPEN, VerdictScreen, VerdictScreenContext
from labeler.ui.window.actions import Handlers, bind_scope

_PAUSED_MESSAGE = "Paused. The image is hidden, and time isn't counted."
_LEFT, _LEFT_AT_SECOND_LOOK = 55, 65
_NAVIGATION_ACTIONS = (
    (Action.PREVIOUS_VISIT, "Back"),
    (Action.NEXT_VISIT, "Next"),
    (Action.UNDO_VERDICT, "Undo"),
    (Action.PAUSE_REVIEW, "Pause"),
    (Action.ADD_LABEL, "Add label"),
    (Action.FLAG_PROBLEM, "Problematic"),
    (Action.OTHER_WAY, "By class"),
    (Action.GO_HOME, "Home"),
)
_SECOND_LOOK_ACTIONS = (Action.UNDO_VERDICT, Action.PAUSE_REVIEW, Action.GO_HOME)


class ReviewByImageScreen(VerdictScreen):
    """Renders the view and forwards actions."""

    def __init__(
        self, kit: VerdictScreenContext, *, presenter: ReviewByImage[ImagePyramid]
    ) -> None:
        super().__init__(kit, _NAVIGATION_ACTIONS)
        self._appearance, self._keymap, self._presenter = kit.appearance, kit.keymap, presenter
        self._view: ImageReviewView[ImagePyramid] = ImageReviewView()
        self.labels = ReviewLabelList(kit.appearance)
        self.proposal = ProposedLabelRow(kit.appearance, kit.keymap)
        self.side = ClassPanel(kit.tools)
        self._top = QStackedWidget()
        self._across = self._lay_out()
        self._connect()
        self._bind(kit.keymap)
        presenter.listen(self.render_view)

    # Rarely used parts are created on first use.

    @cached_property
    def adding(self) -> AddLabelPanel:
        adding = AddLabelPanel(self._appearance, self._keymap, self._tools.finder)
        self._top.addWidget(adding)
        return adding

    @cached_property
    def flag_form(self) -> ProblemForm:
        form = ProblemForm(self._appearance)
        form.edited.connect(self._presenter.keep_flag)
        form.done.connect(self._flag)
        form.left.connect(self._leave_flag)
        self._top.addWidget(form)
        return form

    @cached_property
    def second_look(self) -> SecondLookPanel:
        asking = SecondLookPanel(self._appearance, self._keymap)
        asking.pressed.connect(self._press)
        self._top.addWidget(asking)
        return asking

    def start(self, *, look_back: bool = False) -> None:
        self._start_measuring()
        self._presenter.start(look_back=look_back)

    def stop(self) -> None:
        super().stop()
        # An image or flag may arrive after the screen is closed.
        self._presenter.listen(lambda _view: None)

    def render_view(self, view: ImageReviewView[ImagePyramid]) -> None:
        """Show the image, its labels and the progress."""
        before, self._view = self._view, view
        self._render_image(before, view)
        self.labels.show_labels(view.labels, view.focused)
        self._render_words(view)
        self._render_second_look(view)
        self._render_buttons(view)
        if view.focused_wnid is not None and view.focused_wnid != before.focused_wnid:
            self.side.show_other(view.focused_wnid)
        if view.visit_id != before.visit_id:
            self._judge_again()
        if view.stage is ReviewStage.FINISHED and before.stage is not view.stage:
            self.finished.emit()

    def _render_image(
        self, before: ImageReviewView[ImagePyramid], view: ImageReviewView[ImagePyramid]
    ) -> None:
        if view.stage is ReviewStage.PAUSED and before.stage is not view.stage:
            self.image.cover(_PAUSED_MESSAGE)
        elif before.stage is ReviewStage.PAUSED and view.stage is not before.stage:
            self.image.uncover()
            self._asking.setFocus()
        shown = (before.image, before.unseen, before.visit_id)
        if (view.image, view.unseen, view.visit_id) == shown:
            return
        if view.unseen:
            self.image.say(view.unseen)
            self._filling.start()
        elif view.image is not None:
            self.image.show_image(view.image)
        else:
            self.image.clear()
        self._tools.set_subject(view.image.pixels.fitted if view.image else None)

    def _render_words(self, view: ImageReviewView[ImagePyramid]) -> None:
        self.strip.show_progress(view.position, view.progress, each="per label")
        self.bar.notice.setText(view.trouble or view.notice)
        # Its key belongs to the labels: in a form it would type a letter.
        proposed = next(iter(view.proposed), None) if self._at_labels else None
        judged = all(one.own is not None for one in view.labels)
        self.proposal.show_proposal(proposed, all_judged=judged)
        self._fit_top()

    def _render_second_look(self, view: ImageReviewView[ImagePyramid]) -> None:
        if view.stage is ReviewStage.PAUSED:
            return
        checking = view.stage is ReviewStage.CHECKING
        if checking == self.side.isHidden():
            return
        self.bar.offer(_SECOND_LOOK_ACTIONS if checking else None)
        # The class shown last is unrelated to the image.
        self.side.setVisible(not checking)
        set_split(self._across, _LEFT_AT_SECOND_LOOK if checking else _LEFT)

    def _render_buttons(self, view: ImageReviewView[ImagePyramid]) -> None:
        judging = view.stage is ReviewStage.JUDGING
        checking = view.stage is ReviewStage.CHECKING
        paused = view.stage is ReviewStage.PAUSED
        if "second_look" in vars(self):
            self.second_look.allow(checking)
        self.bar.allow_judging(judging and self._at_labels)
        self.bar.allow(
            {
                Action.ADD_LABEL: judging,
                Action.FLAG_PROBLEM: judging,
                Action.UNDO_VERDICT: (judging or checking) and view.can_undo,
                Action.PREVIOUS_VISIT: judging,
                Action.NEXT_VISIT: judging,
                Action.PAUSE_REVIEW: judging or checking or paused,
                Action.OTHER_WAY: judging,
            }
        )
        buttons = self.bar.buttons
        buttons[Action.PAUSE_REVIEW].set_words("Resume" if paused else "Pause")
        flagged = view.flag is not None
        buttons[Action.FLAG_PROBLEM].set_words("Problematic ✓" if flagged else "Problematic")

    # Building.

    def _lay_out(self) -> QSplitter:
        columns = lay_out_two_columns(self, percent=_LEFT)
        self._top.addWidget(self.labels)
        fill_column(columns.left, self.strip, self.image, self.bar, grows=self.image)
        fill_column(columns.right, self._top, self.proposal, self.side, grows=self.side)
        # Keep the upper part in place where the class isn't shown.
        columns.right.addStretch()
        self._appearance.changed.connect(self._fit_top)
        self._fit_top()
        return columns.across

    def _fit_top(self) -> None:
        """Set the height of the upper part to that of the labels, including a proposal."""
        taken = 0 if self.proposal.isHidden() else self.proposal.sizeHint().height() + SPACING
        self._top.setFixedHeight(self.labels.usual_height - taken)

    def _deferred_parts(self) -> tuple[Callable[[], object], ...]:
        return lambda: self._tools.class_view, self.side.fill, self._make_finder

    def _make_finder(self) -> None:
        _ = self.adding

    def _connect(self) -> None:
        presenter = self._presenter
        self.image.painted.connect(lambda _visit: self._filling.start())
        self.image.resume_wanted.connect(presenter.pause_or_resume)
        self.labels.focused.connect(presenter.focus)
        self.labels.typed.connect(self._add_by_typing)
        for pressed in (self.bar.pressed, self.proposal.pressed):
            pressed.connect(self._press)
        self.side.left.connect(self._judge_again)
        self._tools.entered.connect(self._add)
        self._tools.chosen.connect(self._add)
        self._tools.search_left.connect(self._judge_again)

    def _bind(self, keymap: Keymap) -> None:
        handlers = self._handlers()
        in_labels = {binding.action for binding in keymap.of(Scope.REVIEW_LABELS)}
        rest = {action: run for action, run in handlers.items() if action not in in_labels}
        bound = bind_scope(self, keymap, Scope.REVIEW, rest)
        # In the search field, the same arrows move between classes.
        bound |= bind_scope(
            self.labels,
            keymap,
            Scope.REVIEW_LABELS,
            {action: handlers[action] for action in in_labels},
        )
        for action in bound:
            # A key that is held down must not judge the next label, too.
            if action not in (Action.NEXT_LABEL, Action.PREVIOUS_LABEL):
                bound[action].setAutoRepeat(False)
        bind_scope(self, keymap, Scope.VIEW, image_view_keys(self.image))
        self._tools.bind_keys(self, keymap)

    def _handlers(self) -> Handlers:
        presenter = self._presenter
        judging = {action: partial(self._judge, *what) for action, what in VERDICT_ACTIONS.items()}
        return {
            **judging,
            Action.UNDO_VERDICT: presenter.undo,
            Action.PREVIOUS_VISIT: presenter.back,
            Action.NEXT_VISIT: presenter.next_image,
            Action.PAUSE_REVIEW: presenter.pause_or_resume,
            Action.OTHER_WAY: self._switch_review_mode,
            Action.NEXT_LABEL: lambda: presenter.step(1),
            Action.PREVIOUS_LABEL: lambda: presenter.step(-1),
            Action.ADD_LABEL: self._open_finder,
            Action.ACCEPT_PROPOSAL: presenter.accept_proposal,
            Action.FLAG_PROBLEM: self._open_flag,
            Action.NOTHING_WRONG: self._nothing_wrong,
        }

    # Actions.

    @property
    def _asking(self) -> QWidget:
        """The widget that has the focus while no form is open."""
        checking = self._view.stage is ReviewStage.CHECKING
        return self.second_look if checking else self.labels

    @property
    def _at_labels(self) -> bool:
        """Whether the labels are visible: none is judged behind a form."""
        return self._top.currentWidget() is self.labels

    @property
    def _is_adding(self) -> bool:
        return "adding" in vars(self) and self._top.currentWidget() is self.adding

    def _press(self, action: Action) -> None:
        if action is Action.GO_HOME:
            self.home_wanted.emit()
        else:
            self._handlers()[action]()

    def _judge(self, verdict: Verdict, kind: CorrectKind | None) -> None:
        if self._at_labels:
            self._presenter.judge(verdict, kind)
        elif self._view.stage is ReviewStage.JUDGING:
            self.bar.notice.setText(FORM_OPEN)

    def _switch_review_mode(self) -> None:
        if self._view.stage is ReviewStage.JUDGING:
            self.mode_switch_wanted.emit()

    def _open_finder(self) -> None:
        if self._view.stage is ReviewStage.JUDGING:
            self._show_in_top(self.adding)
            self._tools.focus_search()

    def _add_by_typing(self, text: str) -> None:
        self._open_finder()
        self._tools.type_on(text)

    def _add(self, wnid: str | None) -> None:
        if wnid is not None and self._is_adding:
            self._presenter.add_label(wnid)
            self._judge_again()

    def _open_flag(self) -> None:
        if self._view.stage in (ReviewStage.JUDGING, ReviewStage.CHECKING):
            self._show_in_top(self.flag_form)
            self.flag_form.open(self._view.half_written or self._view.flag)

    def _flag(self, flag: OwnFlag) -> None:
        self._presenter.flag(flag)
        self._judge_again()

    def _leave_flag(self) -> None:
        self._presenter.leave_flag()
        self._judge_again()

    def _nothing_wrong(self) -> None:
        if self._view.stage is ReviewStage.CHECKING:
            self._presenter.flag(NO_PROBLEM_FLAG)

    def _judge_again(self) -> None:
        self._show_in_top(self._asking)
        self._asking.setFocus()
        if self._view.focused_wnid is not None:
            self._tools.show_class(self._view.focused_wnid)

    def _show_in_top(self, page: QWidget) -> None:
        self._top.setCurrentWidget(page)
        self._render_words(self._view)
        self._render_buttons(self._view)
