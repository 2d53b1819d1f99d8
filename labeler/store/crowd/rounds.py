"""Rounds of crowd tasks: store a plan, close a round, and report how far each is."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, func, insert, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.crowd.entities import ContainsState, GridRole
from labeler.core.crowd.grids import PlannedGrid
from labeler.core.crowd.rounds import CrowdRound, CrowdTask, RoundProgress
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.schema import (
    ClassifyAnswerRow,
    ClassRow,
    ContainsAnswerRow,
    CrowdRoundGridRow,
    CrowdRoundImageRow,
    CrowdRoundRow,
    DatasetRow,
    GridImageRow,
    GridRow,
    ImageRow,
    SampleImageRow,
    SampleRow,
)

_ID_BYTES = 8


class CrowdRounds:
    """The planned rounds of a study, for the lead."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def add_contains(
        self,
        grids: Iterable[PlannedGrid],
        *,
        answers: int,
        seed: int,
        parameters: Mapping[str, Any],
    ) -> CrowdRound:
        """Store a contains round; its grids get random ids."""
        added = self._add(CrowdTask.CONTAINS, answers, seed, parameters)
        planned = [(secrets.token_hex(_ID_BYTES), grid) for grid in grids]
        self._insert(GridRow, [{"id": i, "class_id": self._class_ids[g.label]} for i, g in planned])
        self._insert(
            GridImageRow,
            [
                {
                    "grid_id": number,
                    "position": position,
                    "image_id": self._image_ids[shown.image],
                    "role": shown.role,
                }
                for number, grid in planned
                for position, shown in enumerate(grid.images, 1)
            ],
        )
        rows = [{"grid_id": number, "round_id": added.id} for number, _grid in planned]
        self._insert(CrowdRoundGridRow, rows)
        return added

    def add_classify(
        self,
        labels: Mapping[ImageKey, Sequence[str]],
        *,
        answers: int,
        seed: int,
        parameters: Mapping[str, Any],
    ) -> CrowdRound:
        """Store a classify round over images and the labels that each is asked about."""
        added = self._add(CrowdTask.CLASSIFY, answers, seed, parameters)
        rows = [
            {"round_id": added.id, "image_id": self._image_ids[image], "labels": "|".join(asked)}
            for image, asked in sorted(labels.items())
        ]
        self._insert(CrowdRoundImageRow, rows)
        return added

    def close(self, round_id: str) -> None:
        """Hand out nothing more of a round; answers stay."""
        row = self._session.get(CrowdRoundRow, round_id)
        if row is None:
            raise RefusedError(f"The study has no crowd round '{round_id}'.")
        row.closed_at = row.closed_at or stamp(self._clock.utc())
        self._session.flush()

    def all(self) -> list[CrowdRound]:
        """Return all rounds, oldest first."""
        query = select(CrowdRoundRow).order_by(CrowdRoundRow.planned_at, CrowdRoundRow.id)
        return [_round(row) for row in self._session.scalars(query)]

    def progress(self) -> list[RoundProgress]:
        """Return how far each round is, oldest first."""
        return [self._progress(each) for each in self.all()]

    def grid_ids(self, round_id: str) -> list[str]:
        query = select(CrowdRoundGridRow.grid_id).where(CrowdRoundGridRow.round_id == round_id)
        return list(self._session.scalars(query.order_by(CrowdRoundGridRow.grid_id)))

    def image_labels(self, round_id: str) -> dict[ImageKey, tuple[str, ...]]:
        """Return the images of a classify round and their labels."""
        query = (
            select(DatasetRow.name, ImageRow.name, CrowdRoundImageRow.labels)
            .join(ImageRow, ImageRow.id == CrowdRoundImageRow.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(CrowdRoundImageRow.round_id == round_id)
        )
        return {
            ImageKey(dataset, image): tuple(labels.split("|"))
            for dataset, image, labels in self._session.execute(query)
        }

    def targets(self, datasets: Sequence[str], *, sampled: bool) -> dict[ImageKey, str]:
        """Return the images to ask about with their targets; `sampled` takes the sample only."""
        query = (
            select(DatasetRow.name, ImageRow.name, ClassRow.wnid)
            .join(ImageRow, ImageRow.dataset_id == DatasetRow.id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(DatasetRow.name.in_(datasets))
        )
        if sampled:
            current = select(SampleRow.id).where(SampleRow.retired_at.is_(None))
            images = select(SampleImageRow.image_id).where(SampleImageRow.sample_id.in_(current))
            query = query.where(ImageRow.id.in_(images))
        rows = self._session.execute(query)
        return {ImageKey(dataset, image): target for dataset, image, target in rows}

    def images_in_grids(self, dataset: str) -> set[ImageKey]:
        """Return the images of a dataset that grids ask about for their own target."""
        query = (
            select(ImageRow.name)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(GridImageRow, GridImageRow.image_id == ImageRow.id)
            .join(GridRow, GridRow.id == GridImageRow.grid_id)
            .where(DatasetRow.name == dataset, GridImageRow.role == GridRole.CANDIDATE)
            .where(GridRow.class_id == ImageRow.target_id, GridRow.barred.is_(False))
            .distinct()
        )
        return {ImageKey(dataset, name) for name in self._session.scalars(query)}

    def controls(self, datasets: Sequence[str] | None) -> dict[str, list[ImageKey]]:
        """Return the images that may be controls, by target; by default all references."""
        query = (
            select(ClassRow.wnid, DatasetRow.name, ImageRow.name)
            .join(ImageRow, ImageRow.dataset_id == DatasetRow.id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .order_by(ImageRow.id)
        )
        if datasets is None:
            query = query.where(DatasetRow.role == DatasetRole.REFERENCE)
        else:
            query = query.where(DatasetRow.name.in_(datasets))
        controls: dict[str, list[ImageKey]] = {}
        for target, dataset, image in self._session.execute(query):
            controls.setdefault(target, []).append(ImageKey(dataset, image))
        return controls

    def control_uses(self) -> dict[ImageKey, int]:
        """Return in how many grids each control is."""
        query = (
            select(DatasetRow.name, ImageRow.name, func.count())
            .join(ImageRow, ImageRow.dataset_id == DatasetRow.id)
            .join(GridImageRow, GridImageRow.image_id == ImageRow.id)
            .where(GridImageRow.role != GridRole.CANDIDATE)
            .group_by(DatasetRow.name, ImageRow.name)
        )
        return {ImageKey(*names): count for *names, count in self._session.execute(query)}

    def _progress(self, each: CrowdRound) -> RoundProgress:
        counts = self._contains_counts(each) if each.task is CrowdTask.CONTAINS else None
        counts = self._classify_counts(each) if counts is None else counts
        return RoundProgress(
            round=each,
            items=len(counts),
            finished=sum(count >= each.answers for count in counts),
            answers=sum(min(count, each.answers) for count in counts),
            annotators=self._annotators(each),
        )

    def _contains_counts(self, each: CrowdRound) -> list[int]:
        """Return the number of submitted answers of each grid."""
        query = (
            select(func.count(func.distinct(ContainsAnswerRow.participant_id)))
            .select_from(CrowdRoundGridRow)
            .join(GridRow, GridRow.id == CrowdRoundGridRow.grid_id)
            .outerjoin(ContainsAnswerRow, submitted_to(CrowdRoundGridRow.grid_id))
            .where(CrowdRoundGridRow.round_id == each.id, GridRow.barred.is_(False))
            .group_by(CrowdRoundGridRow.grid_id)
        )
        return list(self._session.scalars(query))

    def _classify_counts(self, each: CrowdRound) -> list[int]:
        query = (
            select(func.count(func.distinct(ClassifyAnswerRow.participant_id)))
            .select_from(CrowdRoundImageRow)
            .outerjoin(ClassifyAnswerRow, ClassifyAnswerRow.image_id == CrowdRoundImageRow.image_id)
            .where(CrowdRoundImageRow.round_id == each.id)
            .group_by(CrowdRoundImageRow.image_id)
        )
        return list(self._session.scalars(query))

    def _annotators(self, each: CrowdRound) -> int:
        if each.task is CrowdTask.CONTAINS:
            query = (
                select(func.count(func.distinct(ContainsAnswerRow.participant_id)))
                .join(CrowdRoundGridRow, CrowdRoundGridRow.grid_id == ContainsAnswerRow.grid_id)
                .where(CrowdRoundGridRow.round_id == each.id)
            )
        else:
            query = (
                select(func.count(func.distinct(ClassifyAnswerRow.participant_id)))
                .join(CrowdRoundImageRow, CrowdRoundImageRow.image_id == ClassifyAnswerRow.image_id)
                .where(CrowdRoundImageRow.round_id == each.id)
            )
        return self._session.scalar(query) or 0

    def _add(
        self, task: CrowdTask, answers: int, seed: int, parameters: Mapping[str, Any]
    ) -> CrowdRound:
        row = CrowdRoundRow(
            id=secrets.token_hex(_ID_BYTES),
            task=task,
            answers=answers,
            seed=seed,
            parameters=json.dumps(parameters, sort_keys=True),
            planned_at=stamp(self._clock.utc()),
        )
        self._session.add(row)
        self._session.flush()
        return _round(row)

    def _insert(self, row: type, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._session.execute(insert(row), rows)

    @cached_property
    def _class_ids(self) -> dict[str, int]:
        return dict(self._session.execute(select(ClassRow.wnid, ClassRow.id)).all())

    @cached_property
    def _image_ids(self) -> dict[ImageKey, int]:
        query = select(DatasetRow.name, ImageRow.name, ImageRow.id).join(
            DatasetRow, DatasetRow.id == ImageRow.dataset_id
        )
        return {ImageKey(*names): number for *names, number in self._session.execute(query)}


def submitted_to(grid_id: ColumnElement[str] | InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Return the condition for the answers to a grid that count: the last revision decides."""
    newer = aliased(ContainsAnswerRow)
    revised = exists().where(
        newer.participant_id == ContainsAnswerRow.participant_id,
        newer.grid_id == ContainsAnswerRow.grid_id,
        newer.revision > ContainsAnswerRow.revision,
    )
    return and_(
        ContainsAnswerRow.grid_id == grid_id,
        ContainsAnswerRow.state == ContainsState.SUBMITTED,
        ~revised,
    )


def _round(row: CrowdRoundRow) -> CrowdRound:
    return CrowdRound(
        id=row.id,
        task=row.task,
        answers=row.answers,
        seed=row.seed,
        planned_at=row.planned_at,
        closed_at=row.closed_at,
    )
