"""The blocking calls of the review of near-duplicates: its queue, verdicts and kept images."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labeler.app.curation.duplicate_overview import pairs_within
from labeler.core.clock import stamp
from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.curation.near_duplicates import (
    DuplicateRow,
    ImagePair,
    JudgedPair,
    plan_review,
)
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.images.file_reader import read_known_file
from labeler.store.curation.duplicate_searches import ComparedImage
from labeler.store.study_store import StudyStore, Transaction

PLACES = {
    DatasetRole.POOL: ("pool", 0),
    DatasetRole.EVALUATION: ("original · protected", 1),
    DatasetRole.TRAINING: ("training", 2),
    DatasetRole.REFERENCE: ("references", 3),
}
assert set(PLACES) == set(DatasetRole), "every role has its words"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDecisions:
    """The verdicts that count, and the images that the lead chose to keep of their sets."""

    verdicts: Mapping[ImagePair, JudgedPair]
    kept: frozenset[ImageKey]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQueue:
    """Everything that is read when the review begins."""

    rows: tuple[DuplicateRow, ...]
    images: Mapping[ImageKey, ComparedImage]
    limits: Mapping[DuplicateMetric, float]
    distances: Mapping[DuplicateMetric, Mapping[ImagePair, float]]
    decisions: PairDecisions


class DuplicateSession:
    """The blocking calls of the review."""

    def __init__(self, store: StudyStore, code: str) -> None:
        self._store, self._code = store, code

    def queue(self) -> ReviewQueue:
        """Read the open pairs of every metric."""
        with self._store.read() as study:
            records = study.duplicate_searches.records()
            pairs = {metric: pairs_within(study, record) for metric, record in records.items()}
            images = {image.key: image for image in study.duplicate_searches.images()}
            decisions = _decisions(study)
            same_source = set(study.near_duplicates.same_source())
            rejected = {key for pool in study.pools.names() for key in study.pools.rejected(pool)}
        rows = plan_review(
            pairs,
            {metric: record.limit for metric, record in records.items()},
            reviewed={*decisions.verdicts, *same_source},
            protection={key: PLACES[image.role][1] for key, image in images.items()},
            skipped=rejected,
        )
        return ReviewQueue(
            rows=tuple(rows),
            images=images,
            limits={metric: record.limit for metric, record in records.items()},
            distances=pairs,
            decisions=decisions,
        )

    def judge(self, judged: Sequence[JudgedPair]) -> PairDecisions:
        """Store verdicts durably and return all that count now."""
        with self._store.write() as study:
            study.near_duplicates.judge(judged)
            return _decisions(study)

    def withdraw(self, judged: Sequence[JudgedPair]) -> PairDecisions:
        """Take verdicts back; they stay on record."""
        with self._store.write() as study:
            study.near_duplicates.judge(judged, withdrawn=True)
            return _decisions(study)

    def keep(self, image: ImageKey) -> PairDecisions:
        """Keep this candidate of its set instead of the others."""
        with self._store.write() as study:
            keep_of_set(study, image, by=self._code)
            return _decisions(study)

    def keep_before(self, image: ImageKey, before: ImageKey | None) -> PairDecisions:
        """Take the choice of this image back: the one chosen before counts again, if any."""
        with self._store.write() as study:
            if before is None:
                study.near_duplicates.withdraw_survivor(image)
                study.audit.record(
                    "near-duplicate choice taken back",
                    actor=self._code,
                    pool=image.dataset,
                    image=image.image,
                )
            else:
                keep_of_set(study, before, by=self._code)
            return _decisions(study)

    def judgement(
        self,
        pair: ImagePair,
        verdict: PairVerdict,
        metric: DuplicateMetric,
        distance: float | None,
    ) -> JudgedPair:
        now = stamp(self._store.clock.utc())
        return JudgedPair(pair, verdict, self._code, now, metric, distance)

    @staticmethod
    def picture(image: ComparedImage) -> EncodedImage:
        return EncodedImage(read_known_file(image.file), image.file.apply_exif)


def keep_of_set(study: Transaction, image: ImageKey, *, by: str) -> None:
    """Keep a candidate instead of the others of its near-duplicate set."""
    study.near_duplicates.choose_survivor(image, by=by)
    study.audit.record("near-duplicate kept", actor=by, pool=image.dataset, image=image.image)


def _decisions(study: Transaction) -> PairDecisions:
    return PairDecisions(
        verdicts=study.near_duplicates.verdicts(), kept=study.near_duplicates.chosen()
    )
