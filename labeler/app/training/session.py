"""A labeler's training session: like the evaluation, with feedback after each answer."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.app.labeling.session import BaseLabelingSession, SessionStart
from labeler.app.study.settings import read_study_settings
from labeler.app.training.feedback import (
    AnswerFeedback,
    DueClass,
    Feedback,
    MissedAnswer,
    TrainingSummary,
)
from labeler.app.training.selection import (
    checked_training_request,
    read_training_material,
    select_training_images,
)
from labeler.app.training.spaced_repetition import repetitions
from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import AnswerDraft
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.trial_order import TrialOrder
from labeler.core.training.answers import TrainingAnswer
from labeler.core.training.image_draw import next_repetition
from labeler.core.training.request import GradedAnswer, TrainingRequest
from labeler.store.labeling.trial_tasks import TRAINING
from labeler.store.study_store import StudyStore, Transaction
from labeler.store.training.trainings import OpenTraining, Trainings

NO_UNFINISHED_TRAINING = "There is no unfinished training. Choose what to train on."


class TrainingLabelingSession(BaseLabelingSession):
    """Draws a training or resumes one; targets are revealed only after the answer."""

    def __init__(
        self,
        store: StudyStore,
        participant: str,
        request: TrainingRequest | None = None,
        *,
        guide_pairs: Callable[[], frozenset[tuple[str, str]]] = frozenset,
        journal: AnswerJournal | None = None,
    ) -> None:
        """Without a request the session resumes the unfinished training.

        `guide_pairs` returns the pairs of classes that the guide compares.
        """
        super().__init__(store, participant, TRAINING, journal=journal)
        self._request = request
        self._guide_pairs = guide_pairs
        self._training: OpenTraining | None = None
        self._noted: set[str] = set()
        # Read once from the shared store instead of the session's own.
        self._taxonomy = store.taxonomy

    def _work(self, study: Transaction) -> Trainings:
        return study.training

    def begin(self) -> SessionStart:
        """Store journaled answers, draw the trials if needed, and start a session."""
        replayed = self.answers.replay()
        with self._store.write() as study:
            study.training.require_open(self._participant)
            self._training = self._drawn(study)
            also_open = self._begin_session(study)
        with self._store.read() as study:
            settings = read_study_settings(study)
            trials = study.training.trials(self._open.training_id)
            first = next((trial for trial in trials if trial.waits), None)
            return SessionStart(
                session_id=self._session,
                trial=first,
                resumed=first is not None and self._is_drafted(study, first.trial_id),
                finished=first is None,
                replayed=replayed,
                # There is feedback after each answer, so training asks for the class alone.
                questions=frozenset(),
                idle_after_ms=settings.idle_after_ms,
                also_open=also_open,
            )

    def trials(self) -> tuple[BlindTrial, ...]:
        """Return all trials of the training in order."""
        with self._store.read() as study:
            return tuple(study.training.trials(self._open.training_id))

    def keep(self, trial_id: str, draft: AnswerDraft) -> None:
        """Save the trial's draft; if the image was seen, record an exposure."""
        if draft.shown_at is not None and trial_id not in self._noted:
            self._note_shown(trial_id, at=draft.shown_at)
        super().keep(trial_id, draft)

    def _note_shown(self, trial_id: str, *, at: str) -> None:
        # An image that another window has answered, or a locked training, needs no record.
        with suppress(RefusedError), self._store.write() as study:
            study.training.note_shown(trial_id, session_id=self._session, at=at)
        self._noted.add(trial_id)

    def feedback(self, trial_id: str) -> AnswerFeedback:
        """Return the feedback, refused before the answer is stored; a missed class is repeated."""
        with self._store.write() as study:
            answer = study.training.answer(trial_id)
            again = not answer.right and self._class_repeats(study, answer)
            trials = tuple(study.training.trials(self._open.training_id))
        feedback = Feedback(
            trial_id=trial_id,
            label=answer.label,
            target=answer.target,
            accepted=answer.accepted,
            alternative=answer.alternative,
            again=again,
        )
        return AnswerFeedback(feedback, trials)

    def finish(self) -> TrainingSummary:
        """End the training, answered completely or not, and return its summary."""
        with self._store.write() as study:
            study.training.end(self._open.training_id)
            trials = study.training.trials(self._open.training_id)
            answers = study.training.answers(self._open.training_id)
            everything = study.training_record.answers(self._participant)
        order = TrialOrder(trials)
        right = sum(answer.right for answer in answers)
        return TrainingSummary(
            right=right,
            wrong=len(answers) - right,
            set_aside=order.set_aside,
            unanswered=order.left,
            comes_back=self._due_classes(answers, everything),
            missed=tuple(
                MissedAnswer(image=answer.image, label=answer.label, target=answer.target)
                for answer in answers
                if not answer.right
            ),
        )

    @property
    def request(self) -> TrainingRequest:
        """The request of this training, to start another like it."""
        return replace(self._open.request, seed=None)

    def _drawn(self, study: Transaction) -> OpenTraining:
        """Return the requested training, or the unfinished one."""
        if self._request is not None:
            material = read_training_material(
                study,
                self._participant,
                taxonomy=self._taxonomy,
                guide_pairs=self._guide_pairs(),
                now=self._store.clock.utc(),
            )
            person = study.participants.find(self._participant)
            assert person is not None, "who may train is a participant"
            before = study.training.count(self._participant)
            request = checked_training_request(
                self._request, order_seed=person.order_seed, before=before
            )
            pool = study.training.pool(self._participant)
            study.training.begin(
                self._participant, request, select_training_images(request, material, pool)
            )
        found = study.training.current(self._participant)
        if found is None:
            raise RefusedError(NO_UNFINISHED_TRAINING)
        return found

    def _class_repeats(self, study: Transaction, answer: GradedAnswer) -> bool:
        """Repeat a missed class in this training, if possible; return whether it is."""
        training, request = self._open.training_id, self._open.request
        planned = study.training.planned(training)
        missed = next(image for image in planned if image.trial_id == answer.trial_id)
        misses = sum(
            other.target == answer.target and not other.right
            for other in study.training.answers(training)
        )
        found = next_repetition(
            missed,
            planned,
            study.training.pool(self._participant),
            misses=misses,
            seed=request.seed or 0,
        )
        if found is not None:
            key, position = found
            study.training.insert(training, key, position=position)
        waits = (image.target == answer.target and not image.done for image in planned)
        return found is not None or any(waits)

    def _due_classes(
        self, answers: Sequence[GradedAnswer], everything: Sequence[TrainingAnswer]
    ) -> tuple[DueClass, ...]:
        classes = self._taxonomy.class_wnids
        missed = {answer.target for answer in answers if not answer.right}
        back = [
            DueClass(classes[index], each.due)
            for index, each in repetitions(everything).items()
            if classes[index] in missed
        ]
        return tuple(sorted(back, key=lambda each: (each.due, each.wnid)))

    def _is_drafted(self, study: Transaction, trial_id: str) -> bool:
        text = study.drafts.text(self._participant, task=self._task.task, subject=trial_id)
        return text is not None

    @property
    def _open(self) -> OpenTraining:
        assert self._training is not None, "a session is begun before it is used"
        return self._training
