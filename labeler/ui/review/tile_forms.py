"""Forms for one image of the grid: report a problem, or add a missing label."""

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from labeler.app.review.by_class import ReviewByClass
from labeler.core.review.blind_types import OwnFlag
from labeler.ui.review.flag_form import ProblemForm
from labeler.ui.review.label_list import AddLabelPanel
from labeler.ui.review.verdict_screen import VerdictScreenContext

_Given = TypeVar("_Given")

# Enough for the search field and several results, with the class below.
_FINDER_HEIGHT = 320


class TileForms(QStackedWidget):
    """Hidden unless a form is open; each form is created on first use."""

    closed = Signal()

    def __init__(self, kit: VerdictScreenContext, presenter: ReviewByClass) -> None:
        super().__init__()
        self._kit, self._presenter = kit, presenter
        self._visit_id: str | None = None
        self.hide()
        kit.tools.entered.connect(self._add)
        kit.tools.chosen.connect(self._add)
        kit.tools.search_left.connect(self.close_form)

    @property
    def is_open(self) -> bool:
        return self._visit_id is not None

    @cached_property
    def flag_form(self) -> ProblemForm:
        form = ProblemForm(self._kit.appearance)
        form.edited.connect(lambda flag: self._with_visit(self._presenter.keep_flag, flag))
        form.done.connect(self._flag)
        form.left.connect(self._leave_flag)
        self.addWidget(form)
        return form

    @cached_property
    def adding(self) -> AddLabelPanel:
        adding = AddLabelPanel(self._kit.appearance, self._kit.keymap, self._kit.tools.finder)
        self.addWidget(adding)
        return adding

    def open_flag(self, visit_id: str) -> None:
        """Open the form with the reviewer's earlier flag on the image."""
        self._show(visit_id, self.flag_form, self.flag_form.sizeHint().height())
        self.flag_form.open(None)
        self._presenter.read_flag(visit_id, lambda flag: self._flag_read(visit_id, flag))

    def open_finder(self, visit_id: str) -> None:
        """Open the search for a class to add to the image."""
        self._show(visit_id, self.adding, _FINDER_HEIGHT)
        self._kit.tools.focus_search()

    def close_form(self) -> None:
        """Close the open form; an unfinished flag is kept."""
        if self.is_open:
            self._visit_id = None
            self.hide()
            self.closed.emit()

    def _show(self, visit_id: str, form: QWidget, height: int) -> None:
        self._visit_id = visit_id
        self.setCurrentWidget(form)
        self.setFixedHeight(height)
        self.show()

    def _flag_read(self, visit_id: str, flag: OwnFlag | None) -> None:
        untouched = self.flag_form.flag == OwnFlag(frozenset())
        if flag is not None and self._visit_id == visit_id and untouched:
            self.flag_form.open(flag)

    def _flag(self, flag: OwnFlag) -> None:
        self._with_visit(self._presenter.flag, flag)
        self.close_form()

    def _leave_flag(self) -> None:
        if self._visit_id is not None:
            self._presenter.leave_flag(self._visit_id)
        self.close_form()

    def _add(self, wnid: str | None) -> None:
        if wnid is not None and "adding" in vars(self) and self.currentWidget() is self.adding:
            self._with_visit(self._presenter.add_label, wnid)
            self.close_form()

    def _with_visit(self, run: Callable[[str, _Given], None], given: _Given) -> None:
        if self._visit_id is not None:
            run(self._visit_id, given)
