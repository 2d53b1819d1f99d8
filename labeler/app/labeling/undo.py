"""Takes back the labeler's last acts, one after the other and from image to image."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.core.labeling.answers import AnswerDraft, TrialFlag

if TYPE_CHECKING:
    from labeler.app.labeling.presenter import WorkbenchPresenter

NOTHING_TO_UNDO = "There is nothing to undo."
EDIT_UNDONE = "The last change of the answer is undone."
MARK_UNDONE = "The mark is as it was before."
ANSWER_RESTORED = "The change is undone. Submit to make your earlier answer count again."
ANSWER_REOPENED = (
    "You are back at the image that you answered last. Its answer counts until you submit another."
)
FLAG_UNDONE = "The flag is removed. This image needs an answer again."
_MOST_ACTS = 200


class ActKind(Enum):
    """What a labeler can take back."""

    EDIT = "edit"
    NOTE = "note"
    MARK = "mark"
    ANSWER = "answer"
    FLAG = "flag"
    FLAG_REMOVED = "flag_removed"


@dataclass(frozen=True, slots=True)
class Act:
    """One act on a trial; `before` is the answer in progress before it, `reasons` the flags."""

    kind: ActKind
    trial_id: str
    before: AnswerDraft | None = None
    reasons: frozenset[TrialFlag] = frozenset()


class UndoHistory:
    """Remembers the acts of a session and takes back the newest.

    An act on an image that isn't open opens it first. A submitted answer isn't deleted: its image
    opens again, and the answer counts until another one is submitted.
    """

    def __init__(self, presenter: "WorkbenchPresenter[Any]") -> None:
        self._presenter = presenter
        self._acts: list[Act] = []
        # What to do when the image that is being opened is there.
        self._after_opening: tuple[str, Callable[[], None]] | None = None
        # Taking back isn't an act to take back.
        self._is_undoing = False

    def record(self, act: Act) -> None:
        """Remember an act; the letters of a note count as one."""
        if self._is_undoing:
            return
        goes_on = act.kind is ActKind.NOTE and self._acts and self._same(self._acts[-1], act)
        if not goes_on:
            self._acts = [*self._acts, act][-_MOST_ACTS:]

    def record_answer(self, trial_id: str, *, before: AnswerDraft | None) -> None:
        """Remember a submitted answer in place of its edits; `before` is the answer it changes."""
        self._forget(trial_id)
        self.record(Act(ActKind.ANSWER, trial_id, before))

    def record_flag(self, trial_id: str, *, before: AnswerDraft) -> None:
        """Remember that an image was flagged, in place of the edits before it."""
        self._forget(trial_id)
        self.record(Act(ActKind.FLAG, trial_id, before))

    def undo(self) -> None:
        """Take back the newest act."""
        if self._presenter.view.stage is not WorkbenchStage.TRIAL:
            return
        if not self._acts:
            self._presenter.update_view(notice=NOTHING_TO_UNDO)
            return
        act = self._acts.pop()
        take_back = {
            ActKind.EDIT: self._restore,
            ActKind.NOTE: self._restore,
            ActKind.MARK: self._toggle_mark,
            ActKind.ANSWER: self._reopen,
            ActKind.FLAG: self._unflag,
            ActKind.FLAG_REMOVED: self._flag_again,
        }[act.kind]
        take_back(act)

    def clear(self) -> None:
        """Forget everything, because nothing before can be taken back."""
        self._acts = []

    def opened(self) -> None:
        """Finish what waited for the image that is open now."""
        waiting, self._after_opening = self._after_opening, None
        trial = self._presenter.trial
        if waiting is not None and trial is not None and trial.trial_id == waiting[0]:
            self._take_back(waiting[1])

    def _take_back(self, work: Callable[[], None]) -> None:
        self._is_undoing = True
        try:
            work()
        finally:
            self._is_undoing = False

    def _forget(self, trial_id: str) -> None:
        """Forget the edits of an answer, since it is complete."""
        edits = (ActKind.EDIT, ActKind.NOTE)
        self._acts = [a for a in self._acts if a.trial_id != trial_id or a.kind not in edits]

    @staticmethod
    def _same(one: Act, other: Act) -> bool:
        return (one.kind, one.trial_id) == (other.kind, other.trial_id)

    def _restore(self, act: Act) -> None:
        def restore() -> None:
            if act.before is not None:
                self._presenter.restore_answer(act.before, notice=EDIT_UNDONE)

        self._at(act.trial_id, restore)

    def _toggle_mark(self, act: Act) -> None:
        def toggle() -> None:
            self._presenter.flow.toggle_mark()
            self._presenter.update_view(notice=MARK_UNDONE)

        self._at(act.trial_id, toggle)

    def _reopen(self, act: Act) -> None:
        before = act.before
        if before is None:
            self._presenter.open(act.trial_id, notice=ANSWER_REOPENED)
        else:
            restore = partial(self._presenter.restore_answer, before, notice=ANSWER_RESTORED)
            self._at(act.trial_id, restore)

    def _unflag(self, act: Act) -> None:
        def unflag() -> None:
            self._presenter.flow.remove_flag()
            if act.before is not None:
                self._presenter.restore_answer(act.before, notice=FLAG_UNDONE)

        self._at(act.trial_id, unflag)

    def _flag_again(self, act: Act) -> None:
        def flag() -> None:
            self._presenter.flag(min(act.reasons))

        self._at(act.trial_id, flag)

    def _at(self, trial_id: str, then: Callable[[], None]) -> None:
        """Do something at a trial, which is opened if it isn't open."""
        trial = self._presenter.trial
        if trial is not None and trial.trial_id == trial_id:
            self._take_back(then)
        else:
            self._after_opening = (trial_id, then)
            self._presenter.open(trial_id)
