"""Second checks of flagged images, mixed with images that no one flagged."""

import uuid
from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import Select, and_, func, insert, select
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.hash_order import derived_seed, hash_key, shuffled
from labeler.core.review.blind_types import BlindFlagCheck, Lap, OwnFlag
from labeler.core.study.entities import ProblemReason, Stage
from labeler.store.review.blind_review import TARGET_UNKNOWN, review_image_file
from labeler.store.review.verdict_writer import record_review_exposure, store_laps
from labeler.store.schema import (
    FlagAnswerRow,
    FlagCheckRow,
    ParticipantRow,
    ProblematicRow,
    ReviewFlagRow,
    ReviewVisitRow,
)
from labeler.store.study.sessions import person_id

# How many unflagged images are mixed in with each flagged one.
_UNFLAGGED_PER_FLAGGED = 1


class FlagChecks:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def prepare(self, stage: Stage, *, seed: int) -> int:
        """Assign every unchecked flagged image to another reviewer of the stage.

        As many unflagged images are added; repeated calls only add what is new.
        """
        flagged = self._flaggers(stage)
        seen = set(self._session.scalars(self._checked(stage)))
        reviewers = self._reviewers(stage)
        added = 0
        for image_id in sorted(flagged.keys() - seen):
            free = [code for code in reviewers if reviewers[code] not in flagged[image_id]]
            if not free:
                continue
            turn = int.from_bytes(hash_key(seed, "flag check", stage, str(image_id))[:4])
            person = reviewers[free[turn % len(free)]]
            others = self._unflagged(stage, person, flagged.keys(), seed)
            for shown in (image_id, *others[:_UNFLAGGED_PER_FLAGGED]):
                added += self._put(stage, shown, person, seed)
        return added

    def waiting(self, participant: str, stage: Stage) -> list[BlindFlagCheck]:
        """Return the images that the reviewer is asked to check, in a meaningless order."""
        person = person_id(self._session, participant)
        last = (
            select(FlagAnswerRow.withdrawn)
            .where(FlagAnswerRow.check_id == FlagCheckRow.id)
            .order_by(FlagAnswerRow.revision.desc())
            .limit(1)
            .correlate(FlagCheckRow)
            .scalar_subquery()
        )
        query = (
            select(FlagCheckRow.id, last)
            .where(FlagCheckRow.participant_id == person, FlagCheckRow.stage == stage)
            .order_by(FlagCheckRow.place, FlagCheckRow.id)
        )
        return [
            BlindFlagCheck(check_id, answered=withdrawn is not None and not withdrawn)
            for check_id, withdrawn in self._session.execute(query)
        ]

    def answer(
        self, check_id: str, found: OwnFlag, *, session_id: str, lap: Lap | None = None
    ) -> None:
        """Store the second reviewer's answer; common reasons make the image problematic."""
        if ProblemReason.TARGET_WRONG in found.reasons:
            raise RefusedError(TARGET_UNKNOWN)
        self._append(check_id, found, session_id=session_id, lap=lap)

    def settle_answers(self, person: int) -> None:
        """Let the person's answers take effect that were stored in another way, as by a merge."""
        last = (
            select(FlagAnswerRow.check_id, func.max(FlagAnswerRow.revision).label("revision"))
            .group_by(FlagAnswerRow.check_id)
            .subquery()
        )
        query = (
            select(FlagCheckRow, FlagAnswerRow.reasons, FlagAnswerRow.at)
            .join(last, last.c.check_id == FlagCheckRow.id)
            .join(
                FlagAnswerRow,
                and_(
                    FlagAnswerRow.check_id == FlagCheckRow.id,
                    FlagAnswerRow.revision == last.c.revision,
                ),
            )
            .where(FlagCheckRow.participant_id == person)
        )
        for check, reasons, at in self._session.execute(query).all():
            self._settle(check, frozenset(map(ProblemReason, filter(None, reasons.split("|")))), at)

    def take_back(self, check_id: str, *, session_id: str, lap: Lap | None = None) -> None:
        """Reopen the check; the earlier answer stays on record."""
        nothing = OwnFlag(frozenset())
        self._append(check_id, nothing, session_id=session_id, lap=lap, withdrawn=True)

    def record_sight(self, check_id: str, *, session_id: str) -> None:
        """Record that the reviewer sees the image now; a washout starts again."""
        self._record_sight(self._check(check_id), session_id, stamp(self._clock.utc()))

    def image_file(self, check_id: str) -> ImageFile:
        """Return the image's file, for the decoder only."""
        return review_image_file(self._session, self._check(check_id).image_id)

    def unconfirmed(self) -> int:
        """Return how many images were flagged and not confirmed; for the lead."""
        problematic = select(ProblematicRow.image_id).where(ProblematicRow.withdrawn_at.is_(None))
        query = select(func.count(func.distinct(ReviewFlagRow.image_id))).where(
            ReviewFlagRow.withdrawn_at.is_(None), ReviewFlagRow.image_id.not_in(problematic)
        )
        return self._session.scalar(query) or 0

    def _append(
        self,
        check_id: str,
        found: OwnFlag,
        *,
        session_id: str,
        lap: Lap | None,
        withdrawn: bool = False,
    ) -> None:
        check = self._check(check_id)
        of_check = FlagAnswerRow.check_id == check_id
        last = self._session.scalar(select(func.max(FlagAnswerRow.revision)).where(of_check)) or 0
        now = stamp(self._clock.utc())
        row = {
            "check_id": check_id,
            "revision": last + 1,
            "reasons": "|".join(sorted(found.reasons)),
            "note": found.note,
            "at": now,
            "session_id": session_id,
            "lap": None if lap is None else lap.number,
            "withdrawn": withdrawn,
        }
        self._session.execute(insert(FlagAnswerRow), [row])
        store_laps(self._session, [(session_id, lap)])
        self._record_sight(check, session_id, now)
        self._settle(check, found.reasons, now)

    def _record_sight(self, check: FlagCheckRow, session_id: str, now: str) -> None:
        record_review_exposure(
            self._session,
            participant_id=check.participant_id,
            image_id=check.image_id,
            session_id=session_id,
            at=now,
        )

    def _settle(self, check: FlagCheckRow, reasons: frozenset[ProblemReason], now: str) -> None:
        """Mark the image as problematic for exactly the reasons that two reviewers found."""
        flags = select(ReviewFlagRow).where(
            ReviewFlagRow.image_id == check.image_id, ReviewFlagRow.withdrawn_at.is_(None)
        )
        confirmed = {
            flag.reason: flag
            for flag in self._session.scalars(flags)
            if flag.participant_id != check.participant_id and flag.reason in reasons
        }
        own_flags = {
            row.reason: row
            for row in self._session.scalars(
                select(ProblematicRow).where(
                    ProblematicRow.image_id == check.image_id,
                    ProblematicRow.participant_id == check.participant_id,
                    ProblematicRow.withdrawn_at.is_(None),
                )
            )
        }
        for reason in own_flags.keys() - confirmed.keys():
            own_flags[reason].withdrawn_at = now
        for reason in sorted(confirmed.keys() - own_flags.keys()):
            self._session.add(
                ProblematicRow(
                    image_id=check.image_id,
                    reason=reason,
                    participant_id=check.participant_id,
                    note=confirmed[reason].note,
                    at=now,
                )
            )
        self._session.flush()

    def _check(self, check_id: str) -> FlagCheckRow:
        found = self._session.get(FlagCheckRow, check_id)
        if found is None:
            raise RefusedError("The study has no such image to check. Sign in again.")
        return found

    def _flaggers(self, stage: Stage) -> dict[int, set[int]]:
        query = select(ReviewFlagRow.image_id, ReviewFlagRow.participant_id).where(
            ReviewFlagRow.stage == stage, ReviewFlagRow.withdrawn_at.is_(None)
        )
        flaggers: dict[int, set[int]] = defaultdict(set)
        for image_id, person in self._session.execute(query):
            flaggers[image_id].add(person)
        return flaggers

    def _checked(self, stage: Stage) -> Select[int]:
        """Return flagged images that another reviewer is already asked to check."""
        other = aliased(ReviewFlagRow)
        return (
            select(FlagCheckRow.image_id)
            .join(
                other,
                and_(
                    other.image_id == FlagCheckRow.image_id,
                    other.participant_id != FlagCheckRow.participant_id,
                    other.withdrawn_at.is_(None),
                ),
            )
            .where(FlagCheckRow.stage == stage)
        )

    def _reviewers(self, stage: Stage) -> dict[str, int]:
        query = (
            select(ParticipantRow.code, ParticipantRow.id)
            .join(ReviewVisitRow, ReviewVisitRow.participant_id == ParticipantRow.id)
            .where(ReviewVisitRow.stage == stage)
            .distinct()
            .order_by(ParticipantRow.id)
        )
        return dict(self._session.execute(query).all())

    def _unflagged(
        self, stage: Stage, person: int, flagged: Collection[int], seed: int
    ) -> list[int]:
        """Return shuffled images that no one flagged and the reviewer isn't asked about yet."""
        asked = select(FlagCheckRow.image_id).where(
            FlagCheckRow.stage == stage, FlagCheckRow.participant_id == person
        )
        query = (
            select(ReviewVisitRow.image_id)
            .where(ReviewVisitRow.stage == stage, ReviewVisitRow.image_id.not_in(asked))
            .distinct()
        )
        free = [i for i in self._session.scalars(query) if i not in flagged]
        return shuffled(
            free, seed=seed, purpose=f"unflagged {person}", key=lambda number: (str(number),)
        )

    def _put(self, stage: Stage, image_id: int, person: int, seed: int) -> int:
        row = {
            "id": str(uuid.uuid4()),
            "stage": stage,
            "image_id": image_id,
            "participant_id": person,
            "place": derived_seed(seed, "check", str(person), str(image_id)),
            "made_at": stamp(self._clock.utc()),
        }
        self._session.execute(insert(FlagCheckRow), [row])
        return 1
