"""The evaluation as a labeler meets it: trials without a name, answers, flags, the lock.

What a labeler's screen asks here is answered from tables that know images by number only. Two
methods look further: `prepare_trials`, since the order comes from the images' identities, and
those for the decoder, whose answers never become part of a view.
"""

from pathlib import Path
from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Select, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from labeler.core.answers import CommittedAnswer
from labeler.core.blind import BlindTrial, OwnAnswer, OwnProgress
from labeler.core.clock import Clock, stamp
from labeler.core.errors import EnvironmentFault, Refused
from labeler.core.study import ProblemReason, Role, Task
from labeler.core.trial_record import Draft
from labeler.store.committing import EVALUATION_PREDICTION, commit_answer
from labeler.store.datasets import place_of
from labeler.store.drafts import MARKED_TRIALS, Drafts
from labeler.store.prepared import SessionLine
from labeler.store.reopening import left_half_done, reopened
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    NotShownRow,
    ParticipantRow,
    PredictionRow,
    ProblematicRow,
    TrialRow,
)
from labeler.store.sessions import person_id, require_role
from labeler.store.setting_aside import SettingAside, note_problem, set_aside, take_back
from labeler.store.trial_making import (
    add_missing_trials,
    is_trial_of,
    require_open_evaluation,
    require_untrained,
)
from labeler.store.trial_time import own_active_ms

Selected = TypeVarTuple("Selected")

_ANSWERED = (
    exists()
    .where(
        PredictionRow.participant_id == TrialRow.participant_id,
        PredictionRow.image_id == TrialRow.image_id,
        EVALUATION_PREDICTION,
    )
    .correlate(TrialRow)
)
_FLAGGED = or_(
    exists()
    .where(
        ProblematicRow.participant_id == TrialRow.participant_id,
        ProblematicRow.image_id == TrialRow.image_id,
        ProblematicRow.withdrawn_at.is_(None),
    )
    .correlate(TrialRow),
    exists()
    .where(NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None))
    .correlate(TrialRow),
)


class Labeling:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._drafts = Drafts(session, clock)

    def prepare_trials(self, participant: str) -> int:
        """Make the labeler's trials, one for each image of the sample; give how many there are.

        Done again, it adds nothing.
        """
        person = person_id(self._session, participant)
        require_role(self._session, participant, Role.LABELER)
        require_open_evaluation(self._session)
        if self.is_locked(participant):
            raise Refused("Your answers are locked: you have finished the evaluation.")
        require_untrained(self._session, person)
        add_missing_trials(self._session, participant)
        return self._count(person)

    def trials(self, participant: str) -> list[BlindTrial]:
        """The labeler's trials in the labeler's own order."""
        person = person_id(self._session, participant)
        return self._blind_trials(participant, _trials_of(person))

    def next_unanswered(self, participant: str) -> BlindTrial | None:
        """The first trial that still waits for an answer; flagged ones don't."""
        person = person_id(self._session, participant)
        waiting = _trials_of(person).where(~_ANSWERED, ~_FLAGGED).limit(1)
        return next(iter(self._blind_trials(participant, waiting)), None)

    def progress(self, participant: str) -> OwnProgress:
        person = person_id(self._session, participant)
        answered = self._count(person, _ANSWERED)
        set_aside = self._count(person, _FLAGGED, ~_ANSWERED)
        return OwnProgress(answered=answered, set_aside=set_aside, total=self._count(person))

    def commit(self, answer: CommittedAnswer) -> int:
        """Store the answer and give its revision; committed again, it changes nothing."""
        return commit_answer(SessionLine(self._session.connection()), answer)

    def answers_of(self, trial_id: str) -> OwnAnswer | None:
        """The labeler's last answer to the trial; refused once the answers are locked."""
        trial = self._changeable(trial_id)
        alternative = aliased(ClassRow)
        query = (
            select(
                ClassRow.wnid,
                alternative.wnid.label("alternative"),
                PredictionRow.confidence,
                PredictionRow.note,
                PredictionRow.revision,
            )
            .join(ClassRow, ClassRow.id == PredictionRow.class_id)
            .outerjoin(alternative, alternative.id == PredictionRow.alternative_id)
            .where(
                PredictionRow.participant_id == trial.participant_id,
                PredictionRow.image_id == trial.image_id,
                EVALUATION_PREDICTION,
            )
            .order_by(PredictionRow.revision.desc())
            .limit(1)
        )
        row = self._session.execute(query).one_or_none()
        if row is None:
            return None
        return OwnAnswer(
            label=row.wnid,
            alternative=row.alternative,
            confidence=row.confidence,
            note=row.note,
            revision=row.revision,
        )

    def mark(self, trial_id: str, *, marked: bool = True) -> None:
        """Note that the labeler wants to come back to the trial, or no longer does."""
        trial = self._changeable(trial_id)
        code = self._session.get_one(ParticipantRow, trial.participant_id).code
        marks = self._marks(code) | {trial_id} if marked else self._marks(code) - {trial_id}
        self._drafts.put(
            code, task=Task.EVALUATE, subject=MARKED_TRIALS, contents={"trials": sorted(marks)}
        )

    def flag(self, trial_id: str, reason: ProblemReason, note: str = "") -> None:
        """Say that the trial's image is problematic; said again, it is kept once."""
        if reason is ProblemReason.TARGET_WRONG:
            raise Refused("A labeler doesn't know the target: choose another reason.")
        trial = self._changeable(trial_id)
        now = stamp(self._clock.utc())
        note_problem(self._session, trial, reason, note=note, now=now)

    def set_aside(self, trial_id: str, aside: SettingAside) -> None:
        """Flag the trial instead of answering it; its time so far is kept."""
        now = stamp(self._clock.utc())
        set_aside(self._session, self._changeable(trial_id), aside, now=now)

    def take_back(self, trial_id: str) -> None:
        """Withdraw the labeler's flags: the trial waits again unless it is answered."""
        take_back(self._session, self._changeable(trial_id), now=stamp(self._clock.utc()))

    def reopened(self, trial_id: str) -> Draft:
        """Where the trial starts: its last answer with its time, or an empty draft."""
        trial = self._changeable(trial_id)
        code = self._session.get_one(ParticipantRow, trial.participant_id).code
        marked = trial_id in self._marks(code)
        return reopened(self._session, trial, self.answers_of(trial_id), marked=marked)

    def active_ms(self, participant: str, *, idle_after_ms: int) -> int:
        """The labeler's active time so far, in all."""
        person = person_id(self._session, participant)
        return own_active_ms(self._session, person, idle_after_ms=idle_after_ms)

    def left_half_done(self, participant: str) -> str | None:
        """The trial that the labeler was at when the program ended, if nothing came after it."""
        return left_half_done(self._session, person_id(self._session, participant))

    def is_locked(self, participant: str) -> bool:
        person = person_id(self._session, participant)
        return self._count(person, TrialRow.locked_at.is_not(None)) > 0

    def lock_task(self, participant: str) -> None:
        """Lock the labeler's answers for good; refused while a trial waits for its answer."""
        person = person_id(self._session, participant)
        if not self._count(person):
            raise Refused("There is nothing to lock: the evaluation hasn't begun.")
        left = self._count(person, ~_ANSWERED, ~_FLAGGED)
        if left:
            trials = "1 trial isn't" if left == 1 else f"{left:,} trials aren't"
            raise Refused(f"{trials} answered yet. The answers are locked when all are.")
        unlocked = is_trial_of(person), TrialRow.locked_at.is_(None)
        now = stamp(self._clock.utc())
        self._session.execute(update(TrialRow).where(*unlocked).values(locked_at=now))

    def image_file(self, trial_id: str) -> Path:
        """Where the trial's image lies: for the decoder alone, since the path may be the target."""
        query = select(DatasetRow.root, ImageRow.name, ImageRow.path)
        row = self._session.execute(_of_image(query, trial_id)).one_or_none()
        place = "" if row is None else place_of(root=row.root, name=row.name, path=row.path)
        if not place:
            raise EnvironmentFault(
                "This trial's image has no file here: flag it and go on, and tell the lead."
            )
        return Path(place)

    def applies_exif(self, trial_id: str) -> bool:
        """How the decoder treats the image's orientation: for it alone, as it tells datasets."""
        return bool(self._session.scalar(_of_image(select(DatasetRow.apply_exif), trial_id)))

    def _blind_trials(
        self, participant: str, query: Select[*tuple[object, ...]]
    ) -> list[BlindTrial]:
        marks = self._marks(participant)
        return [
            BlindTrial(
                trial_id=row.id,
                position=row.position,
                total=row.total,
                answered=row.answered,
                flagged=row.flagged,
                marked=row.id in marks,
            )
            for row in self._session.execute(query)
        ]

    def _marks(self, participant: str) -> frozenset[str]:
        kept = self._drafts.get(participant, task=Task.EVALUATE, subject=MARKED_TRIALS)
        return frozenset(kept["trials"] if kept else ())

    def _count(self, person: int, *conditions: ColumnElement[bool]) -> int:
        query = select(func.count(TrialRow.id)).where(is_trial_of(person), *conditions)
        return self._session.scalar(query) or 0

    def _changeable(self, trial_id: str) -> TrialRow:
        """The trial, while its labeler may still work on it."""
        trial = self._session.get(TrialRow, trial_id)
        if trial is None:
            raise Refused("The study has no such trial. Sign in again.")
        require_open_evaluation(self._session)
        if trial.locked_at is not None:
            raise Refused("Your answers are locked: they can't be seen or changed any more.")
        return trial


def _trials_of(person: int) -> Select[str, int, int, bool, bool]:
    total = select(func.count(TrialRow.id)).where(is_trial_of(person)).scalar_subquery()
    return (
        select(
            TrialRow.id,
            TrialRow.position,
            total.label("total"),
            _ANSWERED.label("answered"),
            _FLAGGED.label("flagged"),
        )
        .where(is_trial_of(person))
        .order_by(TrialRow.position)
    )


def _of_image(query: Select[*Selected], trial_id: str) -> Select[*Selected]:
    """Ask something of a trial's image and its dataset."""
    return (
        query.select_from(TrialRow)
        .join(ImageRow, ImageRow.id == TrialRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(TrialRow.id == trial_id)
    )
