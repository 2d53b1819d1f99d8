"""The desk at which a reviewer judges labels: every use case of the review's screens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labeler import __version__
from labeler.app.review.verdict_writer import VerdictJournal
from labeler.app.study.settings import read_study_settings
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
from labeler.store.review.blind_review import BlindReviews
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class ReviewPosition:
    """Whether the reviewer judges by class, and the class at which they were last."""

    by_class: bool = False
    at: ClassRound = FIRST_ROUND


def position_subject(stage: Stage) -> str:
    """Under what a place is kept, among drafts that are about single images."""
    return f"place in the {stage} review"


def position_to_draft(place: ReviewPosition) -> dict[str, object]:
    return {"by_class": place.by_class, "round": place.at.number, "wnid": place.at.wnid}


def position_from_draft(draft: Mapping[str, Any] | None) -> ReviewPosition:
    """The place that was kept; the beginning where none was, or nothing that can be read."""
    match draft:
        case {"by_class": bool(by_class), "round": int(number), "wnid": str(wnid)}:
            return ReviewPosition(by_class, ClassRound(number, wnid))
    return ReviewPosition()


# No one notices how long reading so many visits takes; of more, the next come first.
MAX_VISITS_READ_FIRST = 500
_FIRST_READ = 30
# Among so many classes of which something waits, the next of a round is found or looked for later.
_CLASSES_READ = 8

_IN_JOURNAL = "Your verdicts are safe in a journal, and are stored when the study can take them."
_NO_PLAN = {
    Stage.INITIAL: "There is nothing for you to judge yet: the lead plans the first review.",
    Stage.FINAL: "There is nothing for you to judge yet: the lead plans the review.",
}
assert set(_NO_PLAN) == set(Stage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStart:
    """A session that has begun; `checks` are images put to the reviewer for a second look.

    `visits` are everything that is asked or, where that is a lot, the next ones: then `complete` is
    False, and the session's `visits()` gives all of them. `place` is where the reviewer was last
    time. `message` is a sentence about verdicts of an earlier session that couldn't be stored.
    """

    session_id: str
    visits: tuple[BlindVisit, ...]
    complete: bool = True
    place: ReviewPosition = field(default_factory=ReviewPosition)
    checks: tuple[BlindFlagCheck, ...]
    subsets: tuple[SubsetRelation, ...]
    idle_after_ms: int
    message: str = ""


@dataclass(frozen=True, slots=True)
class ClassToJudge:
    """A round of a class with an image that waits, and every visit to an image of the class."""

    one: ClassRound
    visits: tuple[BlindVisit, ...]


class ReviewSession:
    """Blocking calls for one worker thread; `picture` and `visits` may be called from others.

    Refusals and faults are raised as sentences; none of them, nor anything returned, tells who
    proposed a label, a target, a dataset or a file.
    """

    def __init__(self, store: StudyStore, participant: str, stage: Stage) -> None:
        self._store = store.hurried()
        self._participant = participant
        self._stage = stage
        self._session_id: str | None = None
        self._checked: frozenset[str] = frozenset()
        self._journal = VerdictJournal(store.folder, participant, stage)

    def begin(self) -> ReviewStart:
        """Begin a session, and put flagged images to those who haven't flagged them.

        What waits in the journal is stored first, so that it isn't asked again.
        """
        message = self._replay()
        with self._store.write() as study:
            study.review.reviewing.require_open(self._stage)
            study.review.reviewing.require_not_in_evaluation(self._participant)
            visits, complete = self._to_begin_with(study.review.reviewing)
            seed = study.review.plans.seed_of(self._stage)
            if seed is None or not visits:
                raise RefusedError(_NO_PLAN[self._stage])
            study.review.flag_checks.prepare(self._stage, seed=seed)
            checks = tuple(study.review.flag_checks.waiting(self._participant, self._stage))
            self._session_id = study.sessions.begin(
                self._participant,
                role=Role.REVIEWER,
                task=SessionTask.REVIEW,
                program_version=__version__,
            )
            idle_after_ms = read_study_settings(study).idle_after_ms
            kept = study.drafts.get(self._participant, task=SessionTask.REVIEW, subject=self._place)
        self._checked = frozenset(check.check_id for check in checks)
        return ReviewStart(
            session_id=self._session_id,
            visits=visits,
            complete=complete,
            place=position_from_draft(kept),
            checks=checks,
            subsets=load_subset_relations(self._store.taxonomy),
            idle_after_ms=idle_after_ms,
            message=message,
        )

    def visits(self) -> tuple[BlindVisit, ...]:
        """Everything that is asked, in the reviewer's order; of a large plan it takes seconds."""
        with self._store.read() as study:
            return tuple(study.review.reviewing.visits(self._participant, self._stage))

    def class_to_judge(self, one: ClassRound, *, past: bool) -> ClassToJudge | None:
        """The first class from there, or past it, that waits in the same round.

        Of a large plan no more is read for it than what is asked of that class's images. None where
        no such class is near: everything has to be read then to find one.
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
        """Remember where the reviewer is, for the next time."""
        with self._store.write() as study:
            study.drafts.put(
                self._participant,
                task=SessionTask.REVIEW,
                subject=self._place,
                contents=position_to_draft(place),
            )

    def commit(self, verdicts: Sequence[CommittedVerdict]) -> None:
        """Store the verdicts: all of them are on disk when this returns.

        Where the study can't take them they go into the journal, and the fault is reported.
        """
        try:
            self._commit(verdicts)
        except EnvironmentFault as fault:
            self._journal.keep(verdicts)
            raise EnvironmentFault(f"{fault} {_IN_JOURNAL}") from fault
        self._journal.clear()

    def add_label(self, visit_id: str, wnid: str) -> None:
        with self._store.write() as study:
            study.review.reviewing.add_label(visit_id, wnid)

    def flag_of(self, visit_id: str) -> OwnFlag | None:
        """What the reviewer flagged; nothing that is only half written."""
        with self._store.read() as study:
            return study.review.reviewing.flag_of(visit_id)

    def half_written_flag(self, visit_id: str) -> OwnFlag | None:
        """What the reviewer was writing about the image when the program ended."""
        with self._store.read() as study:
            draft = study.drafts.get(self._participant, task=SessionTask.REVIEW, subject=visit_id)
        return None if draft is None else _drafted(draft)

    def keep_flag(self, visit_id: str, flag: OwnFlag) -> None:
        """Keep a flag that is still being written."""
        contents = {"reasons": sorted(flag.reasons), "note": flag.note}
        with self._store.write() as study:
            study.drafts.put(
                self._participant, task=SessionTask.REVIEW, subject=visit_id, contents=contents
            )

    def forget_flag(self, visit_id: str) -> OwnFlag | None:
        """Drop what was half written; give what the reviewer flagged before."""
        with self._store.write() as study:
            study.drafts.discard(self._participant, task=SessionTask.REVIEW, subject=visit_id)
            return study.review.reviewing.flag_of(visit_id)

    def flag(self, visit_id: str, flag: OwnFlag) -> None:
        """Say what is wrong with the image; without a reason, take it back."""
        with self._store.write() as study:
            study.review.reviewing.flag(visit_id, flag)
            study.drafts.discard(self._participant, task=SessionTask.REVIEW, subject=visit_id)

    def answer_check(self, check_id: str, found: OwnFlag, lap: Lap | None = None) -> None:
        """Say whether anything is wrong with an image that was put to the reviewer."""
        with self._store.write() as study:
            study.review.flag_checks.answer(check_id, found, session_id=self._session, lap=lap)

    def take_back_check(self, check_id: str, lap: Lap | None = None) -> None:
        """Have an image that was put to the reviewer wait for its answer again."""
        with self._store.write() as study:
            study.review.flag_checks.take_back(check_id, session_id=self._session, lap=lap)

    def keep_lap(self, lap: Lap) -> None:
        """Keep the time since the last verdict, of which nothing has come yet."""
        with self._store.write() as study:
            study.review.reviewing.keep_lap(self._session, lap)

    def picture(self, visit_id: str) -> EncodedImage:
        """The image of a visit or a check as it is on disk; a fault is reported without its
        place."""
        with self._store.read() as study:
            repository = (
                study.review.flag_checks if visit_id in self._checked else study.review.reviewing
            )
            file = repository.image_file(visit_id)
        return read_review_image(file)

    def visited_guide(self, slug: str, *, guide_version: str) -> None:
        """Note that a page of the guide was open."""
        with self._store.write() as study:
            study.sessions.record_guide_visit(
                self._session, slug, trial_id=None, guide_version=guide_version
            )

    def end(self, lap: Lap | None = None) -> None:
        """End the session, if one has begun; `lap` is the time after the last verdict."""
        try:
            if self._session_id is not None:
                with self._store.write() as study:
                    if lap is not None:
                        study.review.reviewing.keep_lap(self._session_id, lap)
                    study.sessions.end(self._session_id)
        finally:
            self._store.close()

    def _to_begin_with(self, reviewing: BlindReviews) -> tuple[tuple[BlindVisit, ...], bool]:
        """What is shown at once, and whether that is everything."""
        asked = self._participant, self._stage
        if reviewing.count_visits(*asked) > MAX_VISITS_READ_FIRST:
            following = reviewing.next_visits(*asked, count=_FIRST_READ)
            if following:
                return tuple(following), False
        return tuple(reviewing.visits(*asked)), True

    def _commit(self, verdicts: Sequence[CommittedVerdict]) -> None:
        with self._store.write() as study:
            study.review.reviewing.commit(verdicts)

    def _replay(self) -> str:
        """Store what waits in the journal; what is refused waits on, and is reported."""
        waiting = self._journal.pending()
        if not waiting:
            return ""
        try:
            self._commit(waiting)
        except RefusedError as refusal:
            return f"{len(waiting):,} verdicts wait in a journal and can't be stored: {refusal}"
        self._journal.clear()
        return ""

    @property
    def _place(self) -> str:
        return position_subject(self._stage)

    @property
    def _session(self) -> str:
        assert self._session_id is not None, "a desk is begun before it is used"
        return self._session_id


def read_review_image(file: ImageFile) -> EncodedImage:
    """The file's bytes for the decoder; a fault is reported without the file's place."""
    try:
        return EncodedImage(read_known_file(file), file.apply_exif)
    except UnreadableImage as error:
        sentence = f"{error} Pass this image, and tell the lead."
    # Raised apart, so that no traceback leads back to the file's name.
    raise EnvironmentFault(sentence)


def _drafted(draft: dict[str, object]) -> OwnFlag | None:
    reasons = draft.get("reasons")
    note = draft.get("note")
    if not isinstance(reasons, list) or not isinstance(note, str):
        return None
    known = {str(reason) for reason in ProblemReason}
    return OwnFlag(frozenset(ProblemReason(r) for r in reasons if r in known), note)
