"""Verdicts about pairs of images, the sets of near-duplicates, and which image of one is kept."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.curation.duplicate_sets import duplicate_pairs, duplicate_sets
from labeler.core.curation.entities import PairVerdict
from labeler.core.curation.near_duplicates import (
    ImagePair,
    JudgedPair,
    current_verdicts,
)
from labeler.core.curation.sample_check import OverlapPlace, SampleOverlap
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.curation.duplicate_searches import DuplicateSearches
from labeler.store.curation.image_numbers import id_of, ids_of, keys_of
from labeler.store.schema import (
    CandidateRow,
    ImageRow,
    NearDuplicateChoiceRow,
    NearDuplicateMemberRow,
    NearDuplicateVerdictRow,
    ParticipantRow,
    ReferenceRow,
    TrainingPoolRow,
)


class NearDuplicates:
    """The verdicts and sets of a study, for the lead."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def same_source(self) -> list[ImagePair]:
        """Return candidates of one source id, or with the same content, in several classes."""
        one, other = aliased(CandidateRow), aliased(CandidateRow)
        first, second = aliased(ImageRow), aliased(ImageRow)
        by_source = (
            select(one.image_id, other.image_id)
            .join(other, (other.source == one.source) & (other.source_id == one.source_id))
            .where(one.source_id != "", one.image_id < other.image_id)
        )
        by_content = (
            select(first.id, second.id)
            .join(one, one.image_id == first.id)
            .join(second, second.content_hash == first.content_hash)
            .join(other, other.image_id == second.id)
            .where(first.id < second.id)
        )
        pairs = {
            (a, b) for query in (by_source, by_content) for a, b in self._session.execute(query)
        }
        keys = keys_of(self._session, {number for pair in pairs for number in pair})
        return sorted(ImagePair.of(keys[a], keys[b]) for a, b in pairs)

    # Verdicts.

    def judge(self, judged: Iterable[JudgedPair], *, withdrawn: bool = False) -> None:
        """Store verdicts as the next revision of each reviewer's, and recompute the sets."""
        for judgement in judged:
            first, second = sorted(
                (
                    id_of(self._session, judgement.pair.first),
                    id_of(self._session, judgement.pair.second),
                )
            )
            person = self._person(judgement.reviewer)
            key = {
                "image_a_id": first,
                "image_b_id": second,
                "metric": judgement.metric,
                "participant_id": person,
            }
            last = select(func.max(NearDuplicateVerdictRow.revision)).filter_by(**key)
            self._session.add(
                NearDuplicateVerdictRow(
                    **key,
                    revision=(self._session.scalar(last) or 0) + 1,
                    distance=judgement.distance,
                    verdict=judgement.verdict,
                    at=judgement.at,
                    withdrawn=withdrawn,
                )
            )
            self._session.flush()
        self.recompute_sets()

    def judged(self) -> list[JudgedPair]:
        """Return the last verdict of each reviewer about each pair and metric."""
        rows = self._session.scalars(
            select(NearDuplicateVerdictRow).order_by(
                NearDuplicateVerdictRow.image_a_id,
                NearDuplicateVerdictRow.image_b_id,
                NearDuplicateVerdictRow.metric,
                NearDuplicateVerdictRow.participant_id,
                NearDuplicateVerdictRow.revision,
            )
        ).all()
        last = {(r.image_a_id, r.image_b_id, r.metric, r.participant_id): r for r in rows}
        given = [row for row in last.values() if not row.withdrawn]
        keys = keys_of(
            self._session, {n for row in given for n in (row.image_a_id, row.image_b_id)}
        )
        codes = dict(self._session.execute(select(ParticipantRow.id, ParticipantRow.code)).all())
        return [
            JudgedPair(
                ImagePair.of(keys[row.image_a_id], keys[row.image_b_id]),
                row.verdict,
                codes[row.participant_id],
                row.at,
                row.metric,
                row.distance,
            )
            for row in given
        ]

    def verdicts(self) -> dict[ImagePair, JudgedPair]:
        """Return the verdict that counts for each pair."""
        return current_verdicts(self.judged())

    def sets(self) -> list[tuple[ImageKey, ...]]:
        """Return the sets of near-duplicates, by verdicts and by equal sources."""
        return duplicate_sets(self._joined())

    def sets_with(self, images: Collection[ImageKey]) -> list[tuple[ImageKey, ...]]:
        """Return the stored sets that contain any of these images, without reading verdicts."""
        members: dict[int, list[int]] = defaultdict(list)
        columns = select(NearDuplicateMemberRow.set_id, NearDuplicateMemberRow.image_id)
        for set_id, number in self._session.execute(columns):
            members[set_id].append(number)
        if not members:
            return []
        wanted = set(ids_of(self._session, images).values())
        found = [numbers for numbers in members.values() if not wanted.isdisjoint(numbers)]
        keys = keys_of(self._session, [number for numbers in found for number in numbers])
        return sorted(tuple(sorted(keys[n] for n in numbers)) for numbers in found)

    def recompute_sets(self) -> None:
        """Store which set each image belongs to, so that queries can follow near-duplicates."""
        self._session.execute(delete(NearDuplicateMemberRow))
        rows = []
        sets = self.sets()
        ids = ids_of(self._session, [key for members in sets for key in members])
        for members in sets:
            numbers = [ids[key] for key in members]
            rows += [{"image_id": number, "set_id": min(numbers)} for number in numbers]
        if rows:
            self._session.execute(insert(NearDuplicateMemberRow), rows)

    def joined_distances(self) -> dict[ImagePair, float]:
        """Return the duplicate pairs with their distances, which are 0 for equal sources."""
        verdicts = self.verdicts()
        found = {pair: verdicts[pair].distance or 0.0 for pair in duplicate_pairs(verdicts)}
        return {**dict.fromkeys(self._sources(verdicts), 0.0), **found}

    # The sample.

    def overlaps(self, images: Collection[ImageKey]) -> list[SampleOverlap]:
        """Return the near-duplicates of these images that were confirmed or are still open."""
        wanted = set(ids_of(self._session, images).values())
        in_sets = self._pairs_of_sets(wanted)
        pairs = self._pairs_within_limits(wanted) | in_sets
        if not pairs:
            return []
        verdicts = self.verdicts()
        keys = keys_of(self._session, {number for pair in pairs for number in pair})
        references = set(self._session.scalars(select(ReferenceRow.image_id)))
        trained = set(self._session.scalars(select(TrainingPoolRow.image_id)))
        found = set()
        for sampled, other in pairs:
            judged = verdicts.get(ImagePair.of(keys[sampled], keys[other]))
            if judged is not None and judged.verdict is PairVerdict.DISTINCT:
                continue
            place = OverlapPlace.SAMPLE if other in wanted else OverlapPlace.DATASET
            if other in trained:
                place = OverlapPlace.TRAINING
            if other in references:
                place = OverlapPlace.REFERENCES
            # Joined directly, or through other images of the set.
            confirmed = (sampled, other) in in_sets
            found.add(SampleOverlap(place, keys[sampled], keys[other], confirmed))
        return sorted(found)

    def _pairs_within_limits(self, wanted: set[int]) -> set[tuple[int, int]]:
        pairs: set[tuple[int, int]] = set()
        searches = DuplicateSearches(self._session, self._clock)
        for metric, record in searches.records().items():
            for number, packed in searches.neighbours(metric).items():
                near = packed["image"][packed["distance"] <= record.limit]
                for other in map(int, near):
                    pairs |= {(number, other)} if number in wanted else set()
                    pairs |= {(other, number)} if other in wanted else set()
        return pairs

    def _pairs_of_sets(self, wanted: set[int]) -> set[tuple[int, int]]:
        """Return the duplicates of images directly or through others."""
        members: dict[int, list[int]] = defaultdict(list)
        columns = select(NearDuplicateMemberRow.image_id, NearDuplicateMemberRow.set_id)
        for number, set_id in self._session.execute(columns):
            members[set_id].append(number)
        return {
            (one, other)
            for found in members.values()
            for one in found
            if one in wanted
            for other in found
            if other != one
        }

    # Survivors.

    def choose_survivor(self, image: ImageKey, *, by: str) -> None:
        """Keep this image of its set; the choice for another image of the set is withdrawn."""
        members = next((found for found in self.sets() if image in found), None)
        if members is None:
            raise RefusedError(f"{image.dataset}: {image.image} is in no near-duplicate set.")
        now = stamp(self._clock.utc())
        self._withdraw_choices(members, at=now)
        self._session.add(
            NearDuplicateChoiceRow(
                image_id=id_of(self._session, image), participant_id=self._person(by), at=now
            )
        )
        self._session.flush()

    def withdraw_survivor(self, image: ImageKey) -> None:
        """Let the rule decide about the set of this image again; the choice stays on record."""
        self._withdraw_choices([image], at=stamp(self._clock.utc()))

    def _withdraw_choices(self, images: Collection[ImageKey], *, at: str) -> None:
        self._session.execute(
            update(NearDuplicateChoiceRow)
            .where(
                NearDuplicateChoiceRow.image_id.in_(list(ids_of(self._session, images).values())),
                NearDuplicateChoiceRow.withdrawn_at.is_(None),
            )
            .values(withdrawn_at=at)
        )

    def chosen(self) -> frozenset[ImageKey]:
        """Return the images that the lead chose to keep."""
        query = select(NearDuplicateChoiceRow.image_id).where(
            NearDuplicateChoiceRow.withdrawn_at.is_(None)
        )
        return frozenset(keys_of(self._session, list(self._session.scalars(query))).values())

    def _joined(self) -> Sequence[ImagePair]:
        verdicts = self.verdicts()
        return [*duplicate_pairs(verdicts), *self._sources(verdicts)]

    def _sources(self, verdicts: Mapping[ImagePair, JudgedPair]) -> list[ImagePair]:
        """Return pairs of equal sources, unless they were judged to be distinct."""
        return [
            pair
            for pair in self.same_source()
            if pair not in verdicts or verdicts[pair].verdict is not PairVerdict.DISTINCT
        ]

    def _person(self, code: str) -> int:
        found = self._session.scalar(select(ParticipantRow.id).where(ParticipantRow.code == code))
        if found is None:
            raise RefusedError(f"The study has no participant '{code}'.")
        return found
