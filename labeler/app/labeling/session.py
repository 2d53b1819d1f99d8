"""A labeler's session on a task: the blocking calls that evaluation and training share."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from labeler.app.durable_append import user_journal
from labeler.app.labeling.answer_journal import AnswerJournal, ReplayResult
from labeler.app.labeling.answer_writer import JournaledAnswerStore
from labeler.app.labeling.trial_draft import draft_from_text, draft_to_text
from labeler.app.study.window_session import WindowSession
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import AnswerDraft, Question, TrialFlag
from labeler.core.labeling.blind_types import BlindTrial, EncodedImage
from labeler.core.study.entities import Role
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.store.labeling.trial_flags import FlaggedTrial
from labeler.store.labeling.trial_tasks import TrialTask
from labeler.store.labeling.trials import TaskTrials
from labeler.store.study_store import StudyStore, Transaction


def read_trial_image(store: StudyStore, trial_id: str) -> EncodedImage:
    """Return the bytes of the trial's image; safe on any thread."""
    with store.read() as study:
        file = study.labeling.image_file(trial_id)
    return read_image_file(file)


def read_image_file(file: ImageFile) -> EncodedImage:
    """Return the bytes of a file; errors don't contain its path."""
    try:
        return EncodedImage(read_known_file(file), file.apply_exif)
    except UnreadableImage as error:
        sentence = f"{error} Flag this image to continue, and tell the lead."
    # Raised outside the handler, so that no traceback contains the file's name.
    raise EnvironmentFault(sentence)


UNREADABLE_DRAFT = (
    "Your draft for this image can't be read. The image starts from your last answer, if there is "
    "one. The time saved with the draft is lost."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStart:
    """A session that has started.

    `trial` is the one to start with, or None if all are done; the others are loaded later.
    `resumed` tells that it was left half done, `finished` that no trial waits any more.
    `also_open` tells that the same labeler has the task open in another window.
    """

    session_id: str
    trial: BlindTrial | None
    resumed: bool
    finished: bool
    replayed: ReplayResult
    questions: frozenset[Question]
    idle_after_ms: int
    also_open: bool

    @property
    def first(self) -> str | None:
        """The id of the trial to start with."""
        return None if self.trial is None else self.trial.trial_id


@dataclass(frozen=True, slots=True)
class TrialStart:
    """The state in which a trial opens: its draft, and the submitted answer that it changes.

    `message` is a sentence about a draft that couldn't be read.
    """

    draft: AnswerDraft
    submitted: AnswerDraft | None = None
    message: str = ""


def trial_start(stored: AnswerDraft, text: str | None) -> TrialStart:
    """Start from the saved draft `text`, or else from the stored answer."""
    submitted = stored if stored.revision > 1 else None
    if text is None:
        return TrialStart(stored, submitted)
    kept = draft_from_text(text)
    if kept is None:
        return TrialStart(stored, submitted, message=UNREADABLE_DRAFT)
    # Another window may have answered since the draft was saved.
    draft = replace(kept, revision=stored.revision, earlier=stored.earlier)
    return TrialStart(draft, submitted)


class BaseLabelingSession(WindowSession, ABC):
    """Blocking calls for one worker thread; only `picture` may be called from other threads.

    Refusals and faults are raised as sentences (`RefusedError`, `EnvironmentFault`). Nothing that
    is raised or returned reveals a target, a dataset or a file. `answers` stores answers.
    """

    def __init__(
        self,
        store: StudyStore,
        participant: str,
        task: TrialTask,
        *,
        journal: AnswerJournal | None = None,
    ) -> None:
        super().__init__(store, participant, role=Role.LABELER, task=task.task)
        self._task = task
        lines = store.journal_lines
        own = journal or AnswerJournal(store.folder, participant, task.task, lines=lines)
        rescue = AnswerJournal(
            user_journal(store.identity.study_id),
            participant,
            task.task,
            private=True,
            lines=lines,
        )
        self.answers = JournaledAnswerStore(self._store, own, rescue=rescue)

    @abstractmethod
    def _work(self, study: Transaction) -> TaskTrials:
        """Return the trials of the task in a transaction."""

    @abstractmethod
    def begin(self) -> SessionStart:
        """Store journaled answers, prepare the trials, and start a session."""

    @abstractmethod
    def trials(self) -> tuple[BlindTrial, ...]:
        """Return all trials in the labeler's order."""

    def labels(self) -> tuple[str, ...]:
        """Return the classes of the labeler's answers, the oldest answer first."""
        with self._store.read() as study:
            return self._work(study).labels(self._participant)

    def open_trial(self, trial_id: str) -> TrialStart:
        """Return the trial's draft, else its last answer reopened, else an empty start."""
        with self._store.read() as study:
            stored = self._work(study).reopened(trial_id)
            text = study.drafts.text(self._participant, task=self._task.task, subject=trial_id)
        return trial_start(stored, text)

    def keep(self, trial_id: str, draft: AnswerDraft) -> None:
        """Save the trial's draft; does nothing once the answers are locked."""
        if self.is_read_only:
            return
        text = draft_to_text(draft)
        with self._writing() as study:
            study.drafts.put_trial(trial_id, text)
            study.sessions.touch(self._session)

    def flag(
        self,
        trial_id: str,
        flag: TrialFlag,
        *,
        note: str,
        spent: TimeSpent,
        shown_at: str | None,
    ) -> None:
        """Flag the trial as not shown or inappropriate; its time so far is saved."""
        aside = FlaggedTrial(
            flag=flag, note=note, spent=spent, shown_at=shown_at, session_id=self._session
        )
        with self._writing() as study:
            self._work(study).set_aside(trial_id, aside)

    def unflag(self, trial_id: str) -> None:
        """Remove the labeler's flags: the trial needs an answer again unless it has one."""
        with self._writing() as study:
            self._work(study).take_back(trial_id)

    def picture(self, trial_id: str) -> EncodedImage:
        """Return the trial's image file; errors don't contain its path."""
        return read_trial_image(self._store, trial_id)

    def visited_guide(self, slug: str, *, trial_id: str | None, guide_version: str) -> None:
        """Record that a page of the guide was open, and during which trial."""
        with self._writing() as study:
            study.sessions.record_guide_visit(
                self._session, slug, trial_id=trial_id, guide_version=guide_version
            )

    def end(self) -> None:
        """End the session, if it has started, and close its resources."""
        try:
            if self._session_id is not None:
                with self._store.write() as study:
                    study.sessions.end(self._session_id)
        finally:
            self._close()
