"""The plans of reviews, made and extended by the lead; rows are only added."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.review.blinding import ImageLabelPair, ReviewVisit
from labeler.core.review.plan import PlannedReview, ReviewPlanDraft, ReviewPlanRequest
from labeler.core.study.entities import ImageKey, Stage
from labeler.store.review.decoys import ReviewDecoys
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    ParticipantRow,
    ReviewDecoyRow,
    ReviewItemRow,
    ReviewPlanRow,
    ReviewRepeatRow,
    ReviewRow,
    ReviewVisitRow,
    table_of,
)
from labeler.store.schema.row_ids import class_ids

# This many verdicts are enough to estimate the pace.
_PACE_SAMPLE_SIZE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSize:
    """The size of a stage's plan."""

    pairs: int
    images: int
    reviewers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPlan:
    """One creation or extension of a plan: the request, and how many labels it added."""

    stage: Stage
    made_at: str
    seed: int
    overlap: int
    model_seeds: int
    again: float
    repeats: float
    leak: float | None
    pairs: int
    decoys: int


class ReviewPlans:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def seed_of(self, stage: Stage) -> int | None:
        """Return the seed with which the stage's plan was first made."""
        query = select(ReviewPlanRow.seed).where(ReviewPlanRow.stage == stage)
        return self._session.scalar(query.order_by(ReviewPlanRow.id).limit(1))

    def made(self) -> tuple[StoredPlan, ...]:
        """Return every plan and extension, oldest first."""
        added = select(ReviewItemRow.plan_id, func.count()).group_by(ReviewItemRow.plan_id)
        pairs = dict(self._session.execute(added).all())
        is_decoy = (
            (ReviewDecoyRow.stage == ReviewItemRow.stage)
            & (ReviewDecoyRow.image_id == ReviewItemRow.image_id)
            & (ReviewDecoyRow.class_id == ReviewItemRow.class_id)
        )
        decoys = dict(self._session.execute(added.join(ReviewDecoyRow, is_decoy)).all())
        return tuple(
            StoredPlan(
                stage=row.stage,
                made_at=row.made_at,
                seed=row.seed,
                overlap=row.overlap,
                model_seeds=row.model_seeds,
                again=row.again,
                repeats=row.repeats,
                leak=row.leak,
                pairs=pairs.get(row.id, 0),
                decoys=decoys.get(row.id, 0),
            )
            for row in self._session.scalars(select(ReviewPlanRow).order_by(ReviewPlanRow.id))
        )

    def planned(self, stage: Stage) -> PlannedReview:
        return PlannedReview(
            pairs=frozenset(self._pairs(ReviewItemRow, stage)),
            decoys=frozenset(self._pairs(ReviewDecoyRow, stage)),
            reviewers=self._reviewers(stage),
            repeats=frozenset(self._repeats(stage)),
        )

    def size(self, stage: Stage) -> PlanSize:
        items = select(func.count(), func.count(func.distinct(ReviewItemRow.image_id))).where(
            ReviewItemRow.stage == stage
        )
        reviewers = select(func.count(func.distinct(ReviewVisitRow.participant_id))).where(
            ReviewVisitRow.stage == stage
        )
        pairs, images = self._session.execute(items).one()
        return PlanSize(pairs=pairs, images=images, reviewers=self._session.scalar(reviewers) or 0)

    def keep(self, draft: ReviewPlanDraft, *, program_version: str) -> None:
        """Add the new parts to the stage's plan."""
        now = stamp(self._clock.utc())
        plan = self._add_plan(draft.request, program_version, now)
        images = self._image_ids()
        classes = class_ids(self._session)
        people = self._people()
        stage = draft.request.stage

        def visited(visit: ReviewVisit) -> dict[str, object]:
            return {
                "id": visit.visit_id,
                "stage": stage,
                "image_id": images[visit.image],
                "participant_id": people[visit.reviewer],
                "place": visit.place,
                "plan_id": plan,
            }

        self._add(
            ReviewItemRow,
            (
                {
                    "stage": stage,
                    "image_id": images[pair.image],
                    "class_id": classes[pair.label],
                    "plan_id": plan,
                    "added_at": now,
                }
                for pair in draft.pairs
            ),
        )
        self._add(
            ReviewDecoyRow,
            (
                {"stage": stage, "image_id": images[pair.image], "class_id": classes[pair.label]}
                for pair in sorted(draft.decoys)
            ),
        )
        self._add(ReviewVisitRow, (visited(visit) for visit in draft.visits))
        self._add(
            ReviewRepeatRow,
            (
                {**visited(repeat.visit), "class_id": classes[repeat.pair.label]}
                for repeat in draft.repeats
            ),
        )

    def claim(self, stage: Stage, pairs: Iterable[ImageLabelPair]) -> None:
        """Turn planned decoys into ordinary labels, because someone has proposed them since."""
        images, classes = self._image_ids(), class_ids(self._session)
        decoys = ReviewDecoys(self._session)
        decoys.claim(stage, {(images[pair.image], classes[pair.label]) for pair in pairs})

    def pace_ms(self, stage: Stage | None = None) -> int | None:
        """Return the median active time of the last verdicts, or None if none was timed."""
        query = select(ReviewRow.active_ms).where(ReviewRow.active_ms.is_not(None))
        if stage is not None:
            query = query.where(ReviewRow.stage == stage)
        times = list(
            self._session.scalars(query.order_by(ReviewRow.at.desc()).limit(_PACE_SAMPLE_SIZE))
        )
        return round(median(time or 0 for time in times)) if times else None

    def _add_plan(self, request: ReviewPlanRequest, program_version: str, now: str) -> int:
        row = ReviewPlanRow(
            stage=request.stage,
            seed=request.seed,
            overlap=request.overlap,
            model_seeds=request.model_seeds,
            again=request.again,
            repeats=request.repeats,
            leak=request.leak,
            program_version=program_version,
            made_at=now,
        )
        self._session.add(row)
        self._session.flush()
        return row.id

    def _add(
        self,
        row: type[ReviewItemRow | ReviewDecoyRow | ReviewVisitRow | ReviewRepeatRow],
        values: Iterable[dict[str, object]],
    ) -> None:
        rows = list(values)
        if rows:
            # Without the ORM, which would triple the time of a large plan.
            self._session.connection().execute(insert(table_of(row)), rows)

    def _pairs(
        self, row: type[ReviewItemRow | ReviewDecoyRow], stage: Stage
    ) -> Iterable[ImageLabelPair]:
        """Yield the images and labels of the plan's items or decoys."""
        query = (
            select(DatasetRow.name, ImageRow.name, ClassRow.wnid)
            .select_from(row)
            .join(ImageRow, ImageRow.id == row.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == row.class_id)
            .where(row.stage == stage)
        )
        for dataset, image, wnid in self._session.execute(query):
            yield ImageLabelPair(ImageKey(dataset, image), wnid)

    def _reviewers(self, stage: Stage) -> dict[ImageKey, tuple[str, ...]]:
        query = (
            select(DatasetRow.name, ImageRow.name, ParticipantRow.code)
            .select_from(ReviewVisitRow)
            .join(ImageRow, ImageRow.id == ReviewVisitRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ParticipantRow, ParticipantRow.id == ReviewVisitRow.participant_id)
            .where(ReviewVisitRow.stage == stage)
            .order_by(ParticipantRow.id)
        )
        reviewers: dict[ImageKey, list[str]] = defaultdict(list)
        for dataset, image, code in self._session.execute(query):
            reviewers[ImageKey(dataset, image)].append(code)
        return {image: tuple(codes) for image, codes in reviewers.items()}

    def _repeats(self, stage: Stage) -> Iterable[tuple[str, ImageLabelPair]]:
        query = (
            select(ParticipantRow.code, DatasetRow.name, ImageRow.name, ClassRow.wnid)
            .select_from(ReviewRepeatRow)
            .join(ImageRow, ImageRow.id == ReviewRepeatRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ReviewRepeatRow.class_id)
            .join(ParticipantRow, ParticipantRow.id == ReviewRepeatRow.participant_id)
            .where(ReviewRepeatRow.stage == stage)
        )
        for code, dataset, image, wnid in self._session.execute(query):
            yield code, ImageLabelPair(ImageKey(dataset, image), wnid)

    def _image_ids(self) -> dict[ImageKey, int]:
        query = select(DatasetRow.name, ImageRow.name, ImageRow.id).join(
            DatasetRow, DatasetRow.id == ImageRow.dataset_id
        )
        return {
            ImageKey(dataset, name): number
            for dataset, name, number in self._session.execute(query)
        }

    def _people(self) -> dict[str, int]:
        return dict(self._session.execute(select(ParticipantRow.code, ParticipantRow.id)).all())
