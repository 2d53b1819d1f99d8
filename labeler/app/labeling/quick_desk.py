"""The evaluation's desk for a labeler who goes on: the next trial is there before the rest is.

It begins the session and opens the first trial by the quick way. All else is left to the usual
desk, whose modules take longer to import than the first image to appear.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from labeler import __version__
from labeler.app.labeling.answer_journal import AnswerJournal, ReplayResult
from labeler.app.labeling.kept_trial import SavedTrial
from labeler.app.labeling.outcomes import AnswerOutcome
from labeler.app.labeling.pictures import read_image_file
from labeler.app.labeling.starting import (
    RECENTLY_ACTIVE,
    SessionStart,
    TrialStart,
    trial_start,
)
from labeler.app.lazy import Lazy
from labeler.app.study.settings import settings_from_values
from labeler.core.clock import Clock, stamp
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.answers import TrialDraft, TrialFlag
from labeler.core.labeling.blind_types import BlindTrial, EncodedImage
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.core.labeling.time_spent import TimeSpent
from labeler.store.labeling.quick_study import QuickSession, QuickStudy

if TYPE_CHECKING:
    from labeler.app.labeling.evaluation_session import EvaluationSession

_NOTHING_WAITED = ReplayResult(stored=(), refused=(), torn_lines=0)


class QuickEvaluationSession:
    """Answers what it knows by itself, each once; from then on the usual desk does."""

    def __init__(
        self,
        quick: QuickStudy,
        *,
        journal: AnswerJournal,
        clock: Clock,
        usual: "Callable[[], EvaluationSession]",
    ) -> None:
        self._quick = quick
        self._journal = journal
        self._clock = clock
        self._session_id: str | None = None
        self._starts: dict[str, TrialStart] = {}
        self._pictures: dict[str, EncodedImage] = {}
        self._make_usual = usual
        self._usual = Lazy(self._made)

    def begin(self) -> SessionStart:
        """Begin a session where everything is as usual; else let the usual desk begin it."""
        session = self._begun() if self._journal.is_empty else None
        if session is None:
            return self._usual().begin()
        self._session_id = session.session_id
        begun = _begun(session)
        if begun.first is not None:
            self._open(begun.first)
        return begun

    def trials(self) -> tuple[BlindTrial, ...]:
        """All trials in the labeler's order."""
        known = None if self._session_id is None else self._quick.trials()
        return self._usual().trials() if known is None else known

    def open_trial(self, trial_id: str) -> TrialStart:
        known = self._starts.pop(trial_id, None)
        return self._usual().open_trial(trial_id) if known is None else known

    def picture(self, trial_id: str) -> EncodedImage:
        known = self._pictures.pop(trial_id, None)
        return self._usual().picture(trial_id) if known is None else known

    def keep(self, trial_id: str, kept: SavedTrial) -> None:
        self._usual().keep(trial_id, kept)

    def commit(self, answer: CommittedAnswer) -> AnswerOutcome:
        return self._usual().commit(answer)

    def flag(
        self,
        trial_id: str,
        flag: TrialFlag,
        *,
        note: str,
        spent: TimeSpent,
        shown_at: str | None,
    ) -> None:
        self._usual().flag(trial_id, flag, note=note, spent=spent, shown_at=shown_at)

    def unflag(self, trial_id: str) -> None:
        self._usual().unflag(trial_id)

    def mark(self, trial_id: str, *, marked: bool) -> None:
        self._usual().mark(trial_id, marked=marked)

    def visited_guide(self, slug: str, *, trial_id: str | None, guide_version: str) -> None:
        self._usual().visited_guide(slug, trial_id=trial_id, guide_version=guide_version)

    def lock(self) -> None:
        self._usual().lock()

    def end(self) -> None:
        self._usual().end()

    def _begun(self) -> QuickSession | None:
        now = self._clock.utc()
        return self._quick.begin(
            program_version=__version__, now=stamp(now), active_since=stamp(now - RECENTLY_ACTIVE)
        )

    def _open(self, trial_id: str) -> None:
        """Take the trial's image out of its file, if the trial is new."""
        trial = self._quick.trial(trial_id)
        if trial is None:
            return
        self._starts[trial_id] = trial_start(TrialDraft(), trial.draft)
        # The usual desk meets the same fault when it is asked for the image, and tells it then.
        with suppress(EnvironmentFault):
            self._pictures[trial_id] = read_image_file(trial.file)

    def _made(self) -> "EvaluationSession":
        desk = self._make_usual()
        if self._session_id is not None:
            desk.go_on_with(self._session_id)
        return desk


def _begun(session: QuickSession) -> SessionStart:
    settings = settings_from_values(session.settings)
    return SessionStart(
        session_id=session.session_id,
        trial=session.left or session.waits,
        resumed=session.left is not None,
        finished=session.waits is None,
        replayed=_NOTHING_WAITED,
        asks_confidence=settings.asks_confidence,
        idle_after_ms=settings.idle_after_ms,
        also_open=session.also_open,
    )
