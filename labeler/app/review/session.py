"""The use cases of a reviewer's session."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labeler import __version__
from labeler.app.durable_append import user_journal
from labeler.app.review.verdict_writer import VerdictJournal
from labeler.app.study.settings import read_study_settings
from labeler.app.study.window_session import WindowSession
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.review.blind_types import (
    BlindFlagCheck,
    BlindVisit,
    CommittedVerdict,
    Lap,
    OwnFlag,
)
from labeler.core.review.subset_relations import SubsetRelation, load_subset_relations
from labeler.core.review.visit_order import FIRST_ROUND, ClassRound, ReviewOrder
from labeler.core.study.entities import ProblemReason, Role, SessionTask, Stage
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.store.engine.opened_file import DatabaseReplaced
from labeler.store.review.blind_review import BlindReviews
from labeler.store.review.flag_checks import FlagChecks
from labeler.store.study_store import StudyStore, Transaction


@dataclass(frozen=True, slots=True)
class ReviewPosition:
    """Whether the reviewer works by class, and the last class."""

    by_class: bool = False
    at: ClassRound = FIRST_ROUND


def position_subject(stage: Stage) -> str:
    """Return the draft subject under which a position is stored."""
    return f"place in the {stage} review"


def position_to_draft(place: ReviewPosition) -> dict[str, object]:
    return {"by_class": place.by_class, "round": place.at.number, "wnid": place.at.wnid}


def position_from_draft(draft: Mapping[str, Any] | None) -> ReviewPosition:
    """Return the stored position, or the beginning if there is none or it is invalid."""
    match draft:
        case {"by_class": bool(by_class), "round": int(number), "wnid": str(wnid)}:
            return ReviewPosition(by_class, ClassRound(number, wnid))
    return ReviewPosition()


# Up to this many visits load without noticeable delay; otherwise only the next ones are loaded
# first.
MAX_VISITS_READ_FIRST = 500
_FIRST_READ = 30
# The next class of a round is searched among this many; otherwise after everything is loaded.
_CLASSES_READ = 8

IN_JOURNAL = "Your verdicts are saved in a journal and will be stored when the study is available."
RESCUED = (
    "Your verdicts are saved in a journal on this computer. They are stored when you open the "
    "study here again and continue with your code."
)
NO_PLAN = {
    Stage.INITIAL: "There is nothing for you to judge yet. The lead has to plan the first review.",
    Stage.FINAL: "There is nothing for you to judge yet. The lead has to plan the review.",
}
assert set(NO_PLAN) == set(Stage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStart:
    """A started session; `checks` are images for a second check.

    `visits` are all visits or, if there are many, the next ones: then `complete` is False, and the
    session's `visits()` returns all of them. `place` is the position of the last session. `message`
    is a sentence on verdicts of an earlier session that couldn't be stored.
    """

    session_id: str
    visits: tuple[BlindVisit, ...]
    complete: bool = True
    place: ReviewPosition = field(default_factory=ReviewPosition)
    checks: tuple[BlindFlagCheck, ...]
    subsets: tuple[SubsetRelation, ...]
    idle_after_ms: int
    message: str = ""
    # Whether the reviewer has a review open in another window.
    also_open: bool = False


@dataclass(frozen=True, slots=True)
class ClassToJudge:
    """A round of a class with an open image, and all visits to images of the class."""

    one: ClassRound
    visits: tuple[BlindVisit, ...]


class ReviewSession(WindowSession):
    """Blocking calls for one worker thread; `picture` and `visits` may be called from others.

    Errors and results never reveal who proposed a label, a target, a dataset or a file.
    """

    def __init__(self, store: StudyStore, participant: str, stage: Stage) -> None:
        super().__init__(store, participant, role=Role.REVIEWER, task=SessionTask.REVIEW)
        self._stage = stage
        self._checked: frozenset[str] = frozenset()
        lines = store.journal_lines
        self._journal = VerdictJournal(store.folder, participant, stage, lines=lines)
        self._rescue = VerdictJournal(
            user_journal(store.identity.study_id), participant, stage, private=True, lines=lines
        )
        self._lost = False

    def begin(self) -> ReviewStart:
        """Start a session, and ask other reviewers about accepted decoys and flagged images.

        Verdicts in the journal are stored first, so that they aren't asked again.
        """
        message = self._replay()
        with self._store.write() as study:
            study.review.reviewing.require_open(self._stage)
            study.review.reviewing.require_not_in_evaluation(self._participant)
            is_planned = self._ask_second_reviewers(study)
            visits, complete = self._to_begin_with(study.review.reviewing)
            if not is_planned or not visits:
                raise RefusedError(NO_PLAN[self._stage])
            checks = tuple(study.review.flag_checks.waiting(self._participant, self._stage))
            also_open = self._begin_session(study)
            idle_after_ms = read_study_settings(study).idle_after_ms
            draft = study.drafts.get(
                self._participant, task=SessionTask.REVIEW, subject=self._place
            )
        self._checked = frozenset(check.check_id for check in checks)
        return ReviewStart(
            session_id=self._session,
            visits=visits,
            complete=complete,
            place=position_from_draft(draft),
            checks=checks,
            subsets=load_subset_relations(self._store.taxonomy),
            idle_after_ms=idle_after_ms,
            message=message,
            also_open=also_open,
        )

    def visits(self) -> tuple[BlindVisit, ...]:
        """Return all visits in the reviewer's order; takes seconds for a large plan."""
        with self._store.read() as study:
            return tuple(study.review.reviewing.visits(self._participant, self._stage))

    def class_to_judge(self, one: ClassRound, *, past: bool) -> ClassToJudge | None:
        """Return the first class from there, or after it, with open images in the same round.

        For a large plan, only the visits of that class are read. None if no such class is among the
        next ones: then everything has to be read.
        """
        with self._store.read() as study:
            reviewing, asked = study.review.reviewing, (self._participant, self._stage)
            for wnid in reviewing.waiting_classes(
                *asked, wnid=one.wnid, past=past, count=_CLASSES_READ
            ):
                following = ClassRound(one.number, wnid)
                visits = tuple(reviewing.visits_of_class(*asked, wnid))
                if ReviewOrder(visits).left_in(following):
                    return ClassToJudge(following, visits)
        return None

    def keep_place(self, place: ReviewPosition) -> None:
        """Store the reviewer's position for the next session."""
        with self._store.write() as study:
            study.drafts.put(
                self._participant,
                task=SessionTask.REVIEW,
                subject=self._place,
                contents=position_to_draft(place),
            )

    def commit(self, verdicts: Sequence[CommittedVerdict]) -> None:
        """Store the verdicts: all are on disk when this returns.

        If the database fails, they are written to the journal and the error is reported.
        """
        try:
            self._commit(verdicts)
        except DatabaseReplaced as lost:
            self._lost = True
            self.keep(verdicts)
            raise DatabaseReplaced(f"{lost} {RESCUED}") from lost
        except EnvironmentFault as fault:
            self.keep(verdicts)
            raise EnvironmentFault(f"{fault} {IN_JOURNAL}") from fault
        self._journal.clear()

    def keep(self, verdicts: Sequence[CommittedVerdict]) -> None:
        """Write the verdicts to the journal: the user's own if the study's file is gone."""
        (self._rescue if self._lost else self._journal).keep(verdicts)

    def add_label(self, visit_id: str, wnid: str) -> None:
        with self._writing() as study:
            study.review.reviewing.add_label(visit_id, wnid)

    def flag_of(self, visit_id: str) -> OwnFlag | None:
        """Return the stored flag, without an unfinished one."""
        with self._store.read() as study:
            return study.review.reviewing.flag_of(visit_id)

    def flagged_visits(self) -> frozenset[str]:
        """Return the visits to images that the reviewer has flagged."""
        with self._store.read() as study:
            return study.review.reviewing.flagged_visits(self._participant, self._stage)

    def half_written_flag(self, visit_id: str) -> OwnFlag | None:
        """Return the unfinished flag from when the program ended, or None."""
        with self._store.read() as study:
            draft = study.drafts.get(self._participant, task=SessionTask.REVIEW, subject=visit_id)
        return None if draft is None else _drafted(draft)

    def keep_flag(self, visit_id: str, flag: OwnFlag) -> None:
        """Store an unfinished flag."""
        contents = {"reasons": sorted(flag.reasons), "note": flag.note}
        with self._store.write() as study:
            study.drafts.put(
                self._participant, task=SessionTask.REVIEW, subject=visit_id, contents=contents
            )

    def forget_flag(self, visit_id: str) -> OwnFlag | None:
        """Discard the unfinished flag and return the stored one."""
        with self._store.write() as study:
            study.drafts.discard(self._participant, task=SessionTask.REVIEW, subject=visit_id)
            return study.review.reviewing.flag_of(visit_id)

    def flag(self, visit_id: str, flag: OwnFlag) -> None:
        """Flag the image as problematic; without a reason, withdraw the flag."""
        with self._writing() as study:
            study.review.reviewing.flag(visit_id, flag)
            study.drafts.discard(self._participant, task=SessionTask.REVIEW, subject=visit_id)

    def answer_check(self, check_id: str, found: OwnFlag, lap: Lap | None = None) -> None:
        """Answer a second check."""
        with self._writing() as study:
            study.review.flag_checks.answer(check_id, found, session_id=self._session, lap=lap)

    def take_back_check(self, check_id: str, lap: Lap | None = None) -> None:
        """Withdraw the answer to a second check."""
        with self._writing() as study:
            study.review.flag_checks.take_back(check_id, session_id=self._session, lap=lap)

    def keep_lap(self, lap: Lap) -> None:
        """Store the time since the last verdict."""
        with self._store.write() as study:
            study.review.reviewing.keep_lap(self._session, lap)

    def record_sights(self, visit_ids: Iterable[str]) -> None:
        """Record that the reviewer sees these images now, whether or not they judge them."""
        with self._store.write() as study:
            for visit_id in visit_ids:
                self._repository(study, visit_id).record_sight(visit_id, session_id=self._session)

    def picture(self, visit_id: str) -> EncodedImage:
        """Return the file contents of a visit's or check's image; errors don't reveal its path."""
        with self._store.read() as study:
            file = self._repository(study, visit_id).image_file(visit_id)
        return read_review_image(file)

    def visited_guide(self, slug: str, *, guide_version: str) -> None:
        """Record that a guide page was opened."""
        with self._store.write() as study:
            study.sessions.record_guide_visit(
                self._session, slug, trial_id=None, guide_version=guide_version
            )

    def end(self, lap: Lap | None = None) -> None:
        """End the session if it was started; `lap` is the time after the last verdict.

        Others are asked about what this reviewer accepted or flagged: they may have finished, and
        wouldn't begin another session unless there is something for them to judge.
        """
        try:
            if self._session_id is not None:
                with self._store.write() as study:
                    if lap is not None:
                        study.review.reviewing.keep_lap(self._session_id, lap)
                    if study.review.reviewing.is_open(self._stage):
                        self._ask_second_reviewers(study)
                    study.sessions.end(self._session_id)
        finally:
            self._close()

    def _ask_second_reviewers(self, study: Transaction) -> bool:
        """Assign accepted decoys and flagged images to others; return whether there is a plan."""
        seed = study.review.plans.seed_of(self._stage)
        if seed is None:
            return False
        study.review.decoys.send_to_second_reviewer(self._stage, seed=seed)
        study.review.flag_checks.prepare(self._stage, seed=seed)
        return True

    def _repository(self, study: Transaction, visit_id: str) -> BlindReviews | FlagChecks:
        checked = visit_id in self._checked
        return study.review.flag_checks if checked else study.review.reviewing

    def _to_begin_with(self, reviewing: BlindReviews) -> tuple[tuple[BlindVisit, ...], bool]:
        """Return the visits to show first, and whether these are all."""
        asked = self._participant, self._stage
        if reviewing.count_visits(*asked) > MAX_VISITS_READ_FIRST:
            following = reviewing.next_visits(*asked, count=_FIRST_READ)
            if following:
                return tuple(following), False
        return tuple(reviewing.visits(*asked)), True

    def _commit(self, verdicts: Sequence[CommittedVerdict]) -> None:
        with self._writing() as study:
            study.review.reviewing.commit(verdicts)

    def _replay(self) -> str:
        """Store the verdicts in the journals; refused ones stay there and are reported."""
        return " ".join(filter(None, map(self._replay_journal, (self._journal, self._rescue))))

    def _replay_journal(self, journal: VerdictJournal) -> str:
        pending = journal.pending()
        if not pending:
            return ""
        try:
            with self._store.write() as study:
                study.sessions.add_missing(
                    (verdict.session_id for verdict in pending),
                    self._participant,
                    role=Role.REVIEWER,
                    task=SessionTask.REVIEW,
                    program_version=__version__,
                    at=pending[0].at,
                )
                study.review.reviewing.commit(pending, replayed=True)
        except RefusedError as refusal:
            return f"{len(pending):,} verdicts in the journal can't be stored: {refusal}"
        journal.clear()
        return ""

    @property
    def _place(self) -> str:
        return position_subject(self._stage)


def read_review_image(file: ImageFile) -> EncodedImage:
    """Return the file's bytes for the decoder; errors don't reveal its path."""
    try:
        return EncodedImage(read_known_file(file), file.apply_exif)
    except UnreadableImage as error:
        sentence = f"{error} Skip this image and tell the lead."
    # Raised separately, so that the traceback doesn't contain the file name.
    raise EnvironmentFault(sentence)


def _drafted(draft: dict[str, object]) -> OwnFlag | None:
    reasons = draft.get("reasons")
    note = draft.get("note")
    if not isinstance(reasons, list) or not isinstance(note, str):
        return None
    known = {str(reason) for reason in ProblemReason}
    return OwnFlag(frozenset(ProblemReason(r) for r in reasons if r in known), note)
