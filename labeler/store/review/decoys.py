"""The decoys of a review: who accepted one, and who judges it next. Never read for a reviewer.

The table of decoys is separate from the labels to judge, so that no statement behind a reviewer's
screen can select it by accident.
"""

import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select, tuple_
from sqlalchemy.orm import Session

from labeler.core.hash_order import derived_seed
from labeler.core.review.blinding import VISIT_PLACES
from labeler.core.review.decoys import ACCEPTED_BY
from labeler.core.study.entities import Stage, Verdict
from labeler.store.schema import (
    ParticipantRow,
    ReviewDecoyRow,
    ReviewItemRow,
    ReviewPlanRow,
    ReviewRow,
    ReviewVisitRow,
)

ItemKey = tuple[Stage, int, int]


@dataclass(frozen=True, slots=True)
class DecoyAcceptance:
    """How many decoys a reviewer judged, and how many they accepted that no one else did."""

    accepted: int
    judged: int


class ReviewDecoys:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> set[ItemKey]:
        """Return every label that was planned as a decoy and that nobody has proposed since."""
        query = select(ReviewDecoyRow.stage, ReviewDecoyRow.image_id, ReviewDecoyRow.class_id)
        return {(stage, image, label) for stage, image, label in self._session.execute(query)}

    def added(self) -> set[ItemKey]:
        """Return the labels that reviewers added: by hand, or by accepting a decoy."""
        query = select(ReviewItemRow.stage, ReviewItemRow.image_id, ReviewItemRow.class_id).where(
            ReviewItemRow.added_by.is_not(None)
        )
        by_hand = {(stage, image, label) for stage, image, label in self._session.execute(query)}
        accepted = {
            (stage, image, label)
            for stage in Stage
            for (image, label), codes in self._accepted(stage).items()
            if len(codes) >= ACCEPTED_BY
        }
        return by_hand | accepted

    def acceptances(self, stage: Stage) -> dict[str, DecoyAcceptance]:
        """Return each reviewer's false acceptances; a decoy that became a label isn't counted."""
        judged: Counter[str] = Counter()
        accepted: Counter[str] = Counter()
        for verdicts in self._verdicts(stage).values():
            accepting = [code for code, verdict in verdicts.items() if verdict is Verdict.CORRECT]
            if len(accepting) < ACCEPTED_BY:
                judged.update(verdicts.keys())
                accepted.update(accepting)
        return {code: DecoyAcceptance(accepted[code], judged[code]) for code in judged}

    def claim(self, stage: Stage, pairs: set[tuple[int, int]]) -> None:
        """Turn decoys into ordinary labels, because a model or human has proposed them."""
        key = tuple_(ReviewDecoyRow.image_id, ReviewDecoyRow.class_id)
        for pair in sorted(pairs):
            found = delete(ReviewDecoyRow).where(ReviewDecoyRow.stage == stage, key == pair)
            self._session.execute(found)

    def send_to_second_reviewer(self, stage: Stage, *, seed: int) -> int:
        """Assign images with an accepted decoy and a single reviewer to a second reviewer.

        The second reviewer judges the whole image, like any other. Repeated calls only add what is
        new.
        """
        visitors = self._visitors(stage)
        load = Counter(person for people in visitors.values() for person in people)
        known = self._known(stage)
        sent = 0
        for image_id in sorted({image for image, _label in self._accepted(stage)}):
            free = sorted(load.keys() - visitors[image_id])
            if free and len(visitors[image_id]) < ACCEPTED_BY:
                person = min(free, key=lambda p: (image_id in known[p], load[p], p))
                self._send(stage, image_id, person, seed)
                load[person] += 1
                sent += 1
        return sent

    def _send(self, stage: Stage, image_id: int, person: int, seed: int) -> None:
        last_plan = select(func.max(ReviewPlanRow.id)).where(ReviewPlanRow.stage == stage)
        place = derived_seed(seed, "second reviewer", str(person), str(image_id)) % VISIT_PLACES
        row = {
            "id": str(uuid.uuid4()),
            "stage": stage,
            "image_id": image_id,
            "participant_id": person,
            "place": place,
            "plan_id": self._session.scalar(last_plan),
        }
        self._session.execute(insert(ReviewVisitRow), [row])

    def _visitors(self, stage: Stage) -> dict[int, set[int]]:
        query = select(ReviewVisitRow.image_id, ReviewVisitRow.participant_id).where(
            ReviewVisitRow.stage == stage
        )
        visitors: dict[int, set[int]] = defaultdict(set)
        for image_id, person in self._session.execute(query):
            visitors[image_id].add(person)
        return visitors

    def _known(self, stage: Stage) -> dict[int, set[int]]:
        """Return the images that each person meets in the other stage."""
        query = select(ReviewVisitRow.participant_id, ReviewVisitRow.image_id).where(
            ReviewVisitRow.stage != stage
        )
        known: dict[int, set[int]] = defaultdict(set)
        for person, image_id in self._session.execute(query):
            known[person].add(image_id)
        return known

    def _accepted(self, stage: Stage) -> dict[tuple[int, int], list[str]]:
        accepted = {
            pair: [code for code, verdict in verdicts.items() if verdict is Verdict.CORRECT]
            for pair, verdicts in self._verdicts(stage).items()
        }
        return {pair: codes for pair, codes in accepted.items() if codes}

    def _verdicts(self, stage: Stage) -> dict[tuple[int, int], dict[str, Verdict]]:
        """Return the last verdicts on each decoy, by reviewer."""
        query = (
            select(
                ReviewRow.image_id,
                ReviewRow.class_id,
                ParticipantRow.code,
                ReviewRow.verdict,
                ReviewRow.withdrawn,
            )
            .join(
                ReviewDecoyRow,
                (ReviewDecoyRow.stage == ReviewRow.stage)
                & (ReviewDecoyRow.image_id == ReviewRow.image_id)
                & (ReviewDecoyRow.class_id == ReviewRow.class_id),
            )
            .join(ParticipantRow, ParticipantRow.id == ReviewRow.participant_id)
            .where(ReviewRow.stage == stage)
            .order_by(ReviewRow.revision)
        )
        verdicts: dict[tuple[int, int], dict[str, Verdict]] = defaultdict(dict)
        for image, label, code, verdict, withdrawn in self._session.execute(query):
            verdicts[image, label].pop(code, None)
            if not withdrawn:
                verdicts[image, label][code] = verdict
        return verdicts
