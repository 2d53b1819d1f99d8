"""Settle disagreements after the blind verdicts of a stage are frozen."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.review.blind_types import OwnVerdict
from labeler.core.review.verdict_table import UNCLEAR_CODE, VERDICT_ORDER
from labeler.core.study.entities import Stage, Verdict
from labeler.core.study.phases import PHASE_BY_STAGE, PHASE_NAMES, PhaseState
from labeler.store.review.verdict_arrays import StoredVerdicts, Verdicts
from labeler.store.review.verdict_writer import WITHDRAWN_VERDICT, record_review_exposure
from labeler.store.schema import AdjudicationRow, ClassRow, PhaseRow, ReviewRow
from labeler.store.study.sessions import person_id


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedLabel:
    """A pair on which reviewers disagreed or were unsure, with current verdicts but no names.

    `blind` are the verdicts before the discussion. `own` is the verdict of the current person,
    `decided` whether they confirmed or changed it after the discussion; `settled` is the group's
    verdict recorded by the lead.
    """

    image_id: int
    class_id: int
    wnid: str
    verdicts: tuple[Verdict, ...]
    blind: tuple[Verdict, ...]
    own: OwnVerdict | None
    decided: bool
    settled: OwnVerdict | None

    @property
    def is_open(self) -> bool:
        agreed = len(set(self.verdicts)) == 1 and self.verdicts[0] is not Verdict.UNCLEAR
        return self.settled is None and not agreed


class ReviewDisagreements:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def disputed(self, stage: Stage, participant: str) -> list[DisputedLabel]:
        """Return the pairs whose blind verdicts differ or include an unclear one."""
        self._require_frozen(stage)
        verdicts = Verdicts(self._session)
        # With decoys: leaving them out would show reviewers which labels are decoys.
        blind = verdicts.of_stage(stage, blind_only=True, with_decoys=True)
        pairs = {
            (int(blind.images[pair]), int(blind.classes[pair]))
            for pair in np.flatnonzero(_is_disputed(blind))
        }
        before = _verdicts_by_pair(blind, pairs)
        current = _verdicts_by_pair(verdicts.of_stage(stage, with_decoys=True), pairs)
        person = person_id(self._session, participant)
        own, decided = self._own(stage, person), self._decided(stage, person)
        settled = self._settled(stage)
        wnids = dict(self._session.execute(select(ClassRow.id, ClassRow.wnid)).all())
        return [
            DisputedLabel(
                image_id=image_id,
                class_id=class_id,
                wnid=wnids[class_id],
                verdicts=current[image_id, class_id],
                blind=before[image_id, class_id],
                own=own.get((image_id, class_id)),
                decided=(image_id, class_id) in decided,
                settled=settled.get((image_id, class_id)),
            )
            for image_id, class_id in sorted(pairs)
        ]

    def change(
        self,
        stage: Stage,
        pair: tuple[int, int],
        own: OwnVerdict,
        *,
        participant: str,
        session: str,
        note: str = "",
    ) -> None:
        """Confirm or change a verdict after the discussion; the new revision is marked."""
        self._require_frozen(stage)
        key = _own_key(stage, pair, person_id(self._session, participant))
        last = self._session.scalar(select(func.max(ReviewRow.revision)).filter_by(**key))
        if last is None:
            raise RefusedError("You have no verdict on this label, so there is nothing to change.")
        self._append(key, own, revision=last + 1, session=session, discussed=True, note=note)
        self.record_sight(pair, participant=participant, session=session)

    def take_back(
        self, stage: Stage, pair: tuple[int, int], *, participant: str, session: str
    ) -> None:
        """Withdraw the decision: the blind verdict becomes the next revision."""
        self._require_frozen(stage)
        key = _own_key(stage, pair, person_id(self._session, participant))
        query = select(ReviewRow).filter_by(**key).order_by(ReviewRow.revision)
        rows = self._session.scalars(query).all()
        blind = [row for row in rows if not row.discussed]
        if not blind:
            raise RefusedError("You have no verdict on this label, so there is nothing to undo.")
        own = OwnVerdict(blind[-1].verdict, blind[-1].kind)
        last = rows[-1].revision
        self._append(key, own, revision=last + 1, session=session, discussed=False)
        self.record_sight(pair, participant=participant, session=session)

    def adjudicate(
        self,
        stage: Stage,
        pair: tuple[int, int],
        group: OwnVerdict | None,
        *,
        lead: str,
        session: str,
        note: str = "",
    ) -> None:
        """Record the group's verdict, or withdraw it with None; a change is the next revision."""
        self._require_frozen(stage)
        key = {"stage": stage, "image_id": pair[0], "class_id": pair[1]}
        last = self._session.scalar(select(func.max(AdjudicationRow.revision)).filter_by(**key))
        row = {
            **key,
            "revision": (last or 0) + 1,
            "verdict": WITHDRAWN_VERDICT if group is None else group.verdict,
            "kind": None if group is None else group.kind,
            "withdrawn": group is None,
            "note": note,
            "participant_id": person_id(self._session, lead),
            "at": stamp(self._clock.utc()),
        }
        self._session.execute(insert(AdjudicationRow), [row])
        self.record_sight(pair, participant=lead, session=session)

    def record_sight(self, pair: tuple[int, int], *, participant: str, session: str) -> None:
        """Record that the person sees the image with the label now; a washout starts again."""
        record_review_exposure(
            self._session,
            participant_id=person_id(self._session, participant),
            image_id=pair[0],
            session_id=session,
            at=stamp(self._clock.utc()),
        )

    def _append(
        self,
        key: dict[str, object],
        own: OwnVerdict,
        *,
        revision: int,
        session: str,
        discussed: bool,
        note: str = "",
    ) -> None:
        row = {
            **key,
            "revision": revision,
            "verdict": own.verdict,
            "kind": own.kind,
            "at": stamp(self._clock.utc()),
            "session_id": session,
            "discussed": discussed,
            "note": note,
        }
        self._session.execute(insert(ReviewRow), [row])

    def _require_frozen(self, stage: Stage) -> None:
        query = select(PhaseRow.state).where(PhaseRow.phase == PHASE_BY_STAGE[stage])
        if self._session.scalar(query) is not PhaseState.LOCKED:
            raise RefusedError(
                "Disagreements can be settled after the blind verdicts are frozen. Lock the "
                f"{PHASE_NAMES[PHASE_BY_STAGE[stage]]} first.",
                by_command=f"Use `labeler phase STUDY lock {PHASE_BY_STAGE[stage]}`.",
            )

    def _own(self, stage: Stage, person: int) -> dict[tuple[int, int], OwnVerdict]:
        query = (
            select(ReviewRow)
            .where(ReviewRow.participant_id == person, ReviewRow.stage == stage)
            .order_by(ReviewRow.revision)
        )
        own: dict[tuple[int, int], OwnVerdict] = {}
        for row in self._session.scalars(query):
            own.pop((row.image_id, row.class_id), None)
            if not row.withdrawn:
                own[row.image_id, row.class_id] = OwnVerdict(row.verdict, row.kind)
        return own

    def _decided(self, stage: Stage, person: int) -> set[tuple[int, int]]:
        query = (
            select(ReviewRow.image_id, ReviewRow.class_id, ReviewRow.discussed)
            .where(ReviewRow.participant_id == person, ReviewRow.stage == stage)
            .order_by(ReviewRow.revision)
        )
        last = {
            (image, label): discussed for image, label, discussed in self._session.execute(query)
        }
        return {pair for pair, discussed in last.items() if discussed}

    def _settled(self, stage: Stage) -> dict[tuple[int, int], OwnVerdict]:
        query = (
            select(AdjudicationRow)
            .where(AdjudicationRow.stage == stage)
            .order_by(AdjudicationRow.revision)
        )
        last = {(row.image_id, row.class_id): row for row in self._session.scalars(query)}
        return {
            pair: OwnVerdict(row.verdict, row.kind)
            for pair, row in last.items()
            if not row.withdrawn
        }


def _own_key(stage: Stage, pair: tuple[int, int], person: int) -> dict[str, object]:
    return {"image_id": pair[0], "class_id": pair[1], "participant_id": person, "stage": stage}


def _is_disputed(verdicts: StoredVerdicts) -> npt.NDArray[np.bool_]:
    counts = verdicts.table.counts()
    differ = counts.max(axis=1, initial=0) < counts.sum(axis=1)
    return np.asarray(differ | (counts[:, UNCLEAR_CODE] > 0))


def _verdicts_by_pair(
    verdicts: StoredVerdicts, selected: set[tuple[int, int]]
) -> dict[tuple[int, int], tuple[Verdict, ...]]:
    """Return the verdicts on each pair, sorted by verdict so that order reveals no person."""
    counts = verdicts.table.counts()
    pairs = zip(verdicts.images.tolist(), verdicts.classes.tolist(), strict=True)
    return {
        pair: tuple(
            verdict
            for verdict, count in zip(VERDICT_ORDER, counts[number].tolist(), strict=True)
            for _each in range(count)
        )
        for number, pair in enumerate(pairs)
        if pair in selected
    }
