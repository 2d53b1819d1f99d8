"""The blind review as a reviewer sees it: visit ids, labels, own verdicts.

No statement here selects a target, source, plan, number of proposals or another person's verdict; a
test checks all of them. File paths are only passed to the decoder.
"""

from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter

from sqlalchemy import ColumnElement, and_, case, func, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.review.blind_types import (
    BlindLabel,
    BlindVisit,
    CommittedVerdict,
    Lap,
    OwnFlag,
    OwnVerdict,
)
from labeler.core.review.blinding import label_order
from labeler.core.study.entities import CorrectKind, ProblemReason, Role, Stage, Verdict
from labeler.core.study.phases import PHASE_BY_STAGE, Phase, PhaseState
from labeler.store.datasets.image_files import (
    IMAGE_FILE_COLUMNS,
    shown_image_files,
)
from labeler.store.review import visit_queries
from labeler.store.review.verdict_writer import (
    VisitKey,
    commit_verdict,
    find_visit,
    is_verdict_stored,
    record_review_exposure,
    store_laps,
)
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    ParticipantRoleRow,
    PhaseRow,
    ReviewFlagRow,
    ReviewItemRow,
    ReviewRepeatRow,
    ReviewVisitRow,
)
from labeler.store.study.sessions import person_id

_STAGE_NAMES = {Stage.INITIAL: "first review", Stage.FINAL: "review"}
_UNKNOWN_TO_REVIEWERS = frozenset({ProblemReason.TARGET_WRONG})
EVALUATION_OPEN = (
    "You are a labeler in the evaluation that is open now and would see labels of its images here. "
    "You can review after it is locked."
)
TARGET_UNKNOWN = "Reviewers don't know the target. Choose another reason."


class BlindReviews:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def require_open(self, stage: Stage) -> None:
        """Refuse, with the reason, unless the stage's phase is open."""
        state = self._phase_state(stage)
        if state is PhaseState.CLOSED:
            raise RefusedError(
                f"The {_STAGE_NAMES[stage]} isn't open yet. Ask the lead to open it."
            )
        if state is PhaseState.LOCKED:
            raise RefusedError(
                f"The {_STAGE_NAMES[stage]} is locked, so its verdicts can no longer be changed."
            )

    def is_open(self, stage: Stage) -> bool:
        return self._phase_state(stage) is PhaseState.OPEN

    def _phase_state(self, stage: Stage) -> PhaseState:
        query = select(PhaseRow.state).where(PhaseRow.phase == PHASE_BY_STAGE[stage])
        return self._session.scalar(query) or PhaseState.CLOSED

    def require_not_in_evaluation(self, participant: str) -> None:
        """Refuse a labeler while the evaluation is open, because they would see its labels."""
        query = select(PhaseRow.state).where(PhaseRow.phase == Phase.EVALUATE)
        if self._session.scalar(query) is not PhaseState.OPEN:
            return
        is_labeler = select(ParticipantRoleRow.role).where(
            ParticipantRoleRow.participant_id == person_id(self._session, participant),
            ParticipantRoleRow.role == Role.LABELER,
        )
        if self._session.scalar(is_labeler) is not None:
            raise RefusedError(EVALUATION_OPEN)

    def visits(self, participant: str, stage: Stage) -> list[BlindVisit]:
        """Return everything that the reviewer judges in the stage, in the reviewer's order."""
        person = person_id(self._session, participant)
        return self._visits(
            visit_queries.select_visits(person, stage),
            visit_queries.select_items(person, stage),
            visit_queries.select_repeats(person, stage),
        )

    def count_visits(self, participant: str, stage: Stage) -> int:
        """Return how many images the reviewer judges, counting repeats separately."""
        person = person_id(self._session, participant)
        return sum(
            self._session.scalar(
                select(func.count()).where(row.participant_id == person, row.stage == stage)
            )
            or 0
            for row in (ReviewVisitRow, ReviewRepeatRow)
        )

    def next_visits(self, participant: str, stage: Stage, *, count: int) -> list[BlindVisit]:
        """Return the next visits with labels to judge: this many, or a few more in case of ties."""
        person = person_id(self._session, participant)
        first = self._session.execute(
            visit_queries.select_pending_visits(person, stage).limit(count)
        ).all()
        second = self._session.execute(
            visit_queries.select_pending_repeats(person, stage).limit(count)
        ).all()
        # Positions after the last fetched one can be incomplete and are left out.
        ends = [found[-1][0] for found in (first, second) if len(found) == count]
        shown = {place for place, _image in (*first, *second) if place <= min(ends, default=place)}
        images = [image for place, image in first if place in shown]
        again = [image for place, image in second if place in shown]
        visits = self._visits(
            visit_queries.select_visits(person, stage).where(
                ReviewVisitRow.image_id.in_({*images, *again})
            ),
            visit_queries.select_items(person, stage).where(ReviewItemRow.image_id.in_(images)),
            visit_queries.select_repeats(person, stage).where(ReviewRepeatRow.place.in_(shown)),
        )
        # Several visits can share a position, and some may be judged already.
        return [visit for visit in visits if visit.waits]

    def visits_of_class(self, participant: str, stage: Stage, wnid: str) -> list[BlindVisit]:
        """Return every visit to an image with this label, with all its labels."""
        person = person_id(self._session, participant)
        images = visit_queries.select_images(wnid, stage)
        return self._visits(
            visit_queries.select_visits(person, stage).where(ReviewVisitRow.image_id.in_(images)),
            visit_queries.select_items(person, stage).where(ReviewItemRow.image_id.in_(images)),
            visit_queries.select_repeats(person, stage).where(ReviewRepeatRow.image_id.in_(images)),
        )

    def waiting_classes(
        self, participant: str, stage: Stage, *, wnid: str, past: bool, count: int
    ) -> list[str]:
        """Return the classes with open labels from `wnid` on, or after it, ordered by wnid."""
        person = person_id(self._session, participant)
        pending = visit_queries.select_pending_classes(person, stage, wnid=wnid, past=past)
        return list(self._session.scalars(pending.limit(count)))

    def _visits(
        self,
        visits: visit_queries.VisitSelect,
        first_labels: visit_queries.ItemSelect,
        repeated_labels: visit_queries.RepeatSelect,
    ) -> list[BlindVisit]:
        """Return the visits with their labels.

        Positions and ids of visits are selected separately from labels: in a large plan, reading an
        id again with every label would be slowest.
        """
        rows = self._session.execute(visits)
        visited = {image_id: (place, visit_id) for image_id, place, visit_id in rows}
        asked: dict[tuple[int, str, str | None], list[BlindLabel]] = defaultdict(list)
        for image, wnid, verdict, kind, withdrawn in self._session.execute(first_labels):
            asked[*visited[image], None].append(_blind_label(wnid, verdict, kind, withdrawn))
        second = self._session.execute(repeated_labels)
        for image, place, visit_id, wnid, verdict, kind, withdrawn in second:
            _place, first = visited[image]
            asked[place, visit_id, first].append(_blind_label(wnid, verdict, kind, withdrawn))
        return [
            BlindVisit(visit_id, _in_blind_order(visit_id, labels), first=first)
            for (_place, visit_id, first), labels in sorted(asked.items(), key=itemgetter(0))
        ]

    def progress(self, participant: str, stage: Stage) -> tuple[int, int]:
        """Return how many labels the reviewer has judged, and the total."""
        person = person_id(self._session, participant)
        done = total = 0
        for query in (
            visit_queries.select_items(person, stage),
            visit_queries.select_repeats(person, stage),
        ):
            asked = query.subquery()
            is_judged = and_(asked.c.verdict.is_not(None), ~asked.c.withdrawn)
            counts = select(func.count(), func.count(case((is_judged, 1)))).select_from(asked)
            of_query, judged = self._session.execute(counts).one()
            total, done = total + of_query, done + judged
        return done, total

    def commit(self, verdicts: Sequence[CommittedVerdict], *, replayed: bool = False) -> None:
        """Store the verdicts, each as the next revision of its label: all or none.

        Replayed verdicts come from a journal and may be stored already; those are skipped.
        """
        stages: set[Stage] = set()
        for given in verdicts:
            visited = find_visit(self._session, given.visit_id)
            if visited.stage not in stages:
                self.require_open(visited.stage)
                stages.add(visited.stage)
            if not (replayed and is_verdict_stored(self._session, visited, given)):
                commit_verdict(self._session, visited, given)
        store_laps(self._session, ((given.session_id, given.lap) for given in verdicts))

    def keep_lap(self, session_id: str, lap: Lap) -> None:
        """Store time that doesn't belong to a verdict, yet or at all."""
        store_laps(self._session, [(session_id, lap)])

    def record_sight(self, visit_id: str, *, session_id: str) -> None:
        """Record that the reviewer sees the image now; a washout starts again."""
        visited = find_visit(self._session, visit_id)
        record_review_exposure(
            self._session,
            participant_id=visited.participant_id,
            image_id=visited.image_id,
            session_id=session_id,
            at=stamp(self._clock.utc()),
        )

    def add_label(self, visit_id: str, wnid: str) -> None:
        """Add a label that no one proposed; an existing label is not added twice."""
        visited = find_visit(self._session, visit_id)
        self.require_open(visited.stage)
        class_id = self._class_id(wnid)
        key = {"stage": visited.stage, "image_id": visited.image_id, "class_id": class_id}
        if self._session.scalar(select(ReviewItemRow.class_id).filter_by(**key)) is None:
            now = stamp(self._clock.utc())
            added = {**key, "added_by": visited.participant_id, "added_at": now}
            self._session.execute(insert(ReviewItemRow), [added])

    def flag_of(self, visit_id: str) -> OwnFlag | None:
        """Return the reviewer's flag on the image, or None."""
        visited = find_visit(self._session, visit_id)
        query = select(ReviewFlagRow.reason, ReviewFlagRow.note).where(*_current_flags(visited))
        rows = self._session.execute(query).all()
        if not rows:
            return None
        return OwnFlag(frozenset(reason for reason, _note in rows), rows[0][1])

    def flagged_visits(self, participant: str, stage: Stage) -> frozenset[str]:
        """Return the visits to flagged images; hidden repeats stay unmarked."""
        person = person_id(self._session, participant)
        of_visit = and_(
            ReviewFlagRow.image_id == ReviewVisitRow.image_id,
            ReviewFlagRow.participant_id == ReviewVisitRow.participant_id,
            ReviewFlagRow.stage == ReviewVisitRow.stage,
            ReviewFlagRow.withdrawn_at.is_(None),
        )
        asked = (ReviewVisitRow.participant_id == person, ReviewVisitRow.stage == stage)
        query = select(ReviewVisitRow.id).join(ReviewFlagRow, of_visit).where(*asked)
        return frozenset(self._session.scalars(query))

    def flag(self, visit_id: str, flag: OwnFlag) -> None:
        """Flag the image as problematic, replacing an earlier flag."""
        if flag.reasons & _UNKNOWN_TO_REVIEWERS:
            raise RefusedError(TARGET_UNKNOWN)
        visited = find_visit(self._session, visit_id)
        self.require_open(visited.stage)
        now = stamp(self._clock.utc())
        withdrawn = update(ReviewFlagRow).where(*_current_flags(visited))
        self._session.execute(withdrawn.values(withdrawn_at=now))
        rows = [
            {
                "stage": visited.stage,
                "image_id": visited.image_id,
                "participant_id": visited.participant_id,
                "reason": reason,
                "note": flag.note,
                "at": now,
            }
            for reason in sorted(flag.reasons)
        ]
        if rows:
            self._session.execute(insert(ReviewFlagRow), rows)

    def image_file(self, visit_id: str) -> ImageFile:
        """Return the file of the visit's image, for the decoder only."""
        return review_image_file(self._session, find_visit(self._session, visit_id).image_id)

    def _class_id(self, wnid: str) -> int:
        found = self._session.scalar(select(ClassRow.id).where(ClassRow.wnid == wnid))
        if found is None:
            raise RefusedError(f"'{wnid}' is not a class of this study. Choose one of its classes.")
        return found


def review_image_file(session: Session, image_id: int) -> ImageFile:
    """Return the file of an image, for the decoder only."""
    query = (
        select(*IMAGE_FILE_COLUMNS)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(ImageRow.id == image_id)
    )
    row = session.execute(query).one_or_none()
    file = shown_image_files(session)(row)
    if file is None:
        raise EnvironmentFault("This image has no file on this machine. Skip it and tell the lead.")
    return file


def _blind_label(
    wnid: str, verdict: Verdict | None, kind: CorrectKind | None, withdrawn: bool | None, /
) -> BlindLabel:
    return BlindLabel(wnid, None if verdict is None or withdrawn else OwnVerdict(verdict, kind))


def _in_blind_order(visit_id: str, labels: Sequence[BlindLabel]) -> tuple[BlindLabel, ...]:
    by_wnid = {label.wnid: label for label in labels}
    return tuple(by_wnid[wnid] for wnid in label_order(visit_id, by_wnid))


def _current_flags(visited: VisitKey) -> tuple[ColumnElement[bool], ...]:
    return (
        ReviewFlagRow.stage == visited.stage,
        ReviewFlagRow.image_id == visited.image_id,
        ReviewFlagRow.participant_id == visited.participant_id,
        ReviewFlagRow.withdrawn_at.is_(None),
    )
