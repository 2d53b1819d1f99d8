"""All verdicts of a study as arrays, for resolution rules and statistics."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import Integer, case, select, type_coerce
from sqlalchemy.orm import Session

from labeler.core.review.decoys import ACCEPTED_BY
from labeler.core.review.verdict_table import VERDICT_CODES, VerdictTable
from labeler.core.study.entities import ImageKey, Stage, Verdict
from labeler.store.review.decoys import ReviewDecoys
from labeler.store.schema import (
    AdjudicationRow,
    ClassRow,
    DatasetRow,
    ImageRow,
    ParticipantRow,
    ReviewDecoyRow,
    ReviewItemRow,
    ReviewRow,
)

VerdictIds = npt.NDArray[np.int64]

_CHUNK = 50_000
# The final review comes after the initial one.
_STAGE_NUMBER = {Stage.INITIAL: 0, Stage.FINAL: 1}
assert set(_STAGE_NUMBER) == set(Stage)


@dataclass(frozen=True, slots=True)
class StoredVerdicts:
    """The effective verdicts; pairs are identified by image and class ids.

    `reviewers` are the codes by number, in the order they were added to the study.
    """

    images: VerdictIds
    classes: VerdictIds
    table: VerdictTable
    reviewers: tuple[str, ...]


class Verdicts:
    def __init__(self, session: Session) -> None:
        self._session = session

    def stages(self) -> tuple[Stage, ...]:
        """Return the stages that have verdicts, the last one first."""
        given = set(self._session.scalars(select(ReviewRow.stage).distinct()))
        return tuple(stage for stage in (Stage.FINAL, Stage.INITIAL) if stage in given)

    def latest(self) -> StoredVerdicts:
        """Return the last verdicts; a final verdict on a pair supersedes the initial ones.

        Decoys are left out, unless enough reviewers accepted one.
        """
        rows = self._without_decoys(self._last(blind_only=False))
        return self._coded(rows[_of_latest_stage(rows)])

    def of_stage(
        self, stage: Stage, *, blind_only: bool = False, with_decoys: bool = False
    ) -> StoredVerdicts:
        """Return the last verdicts of one stage; `blind_only` excludes those from discussion."""
        rows = self._last(blind_only=blind_only)
        if not with_decoys:
            rows = self._without_decoys(rows)
        return self._coded(rows[rows["stage"] == _STAGE_NUMBER[stage]])

    def has(self, stage: Stage) -> bool:
        """Return whether there are verdicts in the stage."""
        query = select(ReviewRow.revision).where(ReviewRow.stage == stage).limit(1)
        return self._session.scalar(query) is not None

    def adjudicated(self, verdicts: StoredVerdicts) -> dict[int, int]:
        """Return the group's last verdict codes by pair; final ones take precedence."""
        numbers = _pair_positions(verdicts)
        query = select(AdjudicationRow).order_by(AdjudicationRow.revision)
        last = {(r.stage, r.image_id, r.class_id): r for r in self._session.scalars(query)}
        current = [row for row in last.values() if not row.withdrawn]
        current.sort(key=lambda row: _STAGE_NUMBER[row.stage])
        found = {(row.image_id, row.class_id): VERDICT_CODES[row.verdict] for row in current}
        return {numbers[pair]: code for pair, code in found.items() if pair in numbers}

    def planned(self, verdicts: StoredVerdicts) -> tuple[int, int]:
        """Return how many planned pairs have a verdict, and how many are planned, without decoys.

        The verdicts are those of `latest`, where decoys are left out as well.
        """
        is_decoy = (
            select(ReviewDecoyRow.class_id)
            .where(
                ReviewDecoyRow.stage == ReviewItemRow.stage,
                ReviewDecoyRow.image_id == ReviewItemRow.image_id,
                ReviewDecoyRow.class_id == ReviewItemRow.class_id,
            )
            .exists()
        )
        query = select(ReviewItemRow.image_id, ReviewItemRow.class_id).where(
            ReviewItemRow.plan_id.is_not(None), ~is_decoy
        )
        found = self._session.connection().execute(query.distinct())
        pairs = [np.array([tuple(row) for row in chunk]) for chunk in found.partitions(_CHUNK)]
        items = np.concatenate(pairs) if pairs else np.empty((0, 2), np.int64)
        planned = items[:, 0] * _CLASS_LIMIT + items[:, 1]
        judged = np.isin(planned, verdicts.images * _CLASS_LIMIT + verdicts.classes)
        return int(np.count_nonzero(judged)), len(planned)

    def image_keys(self, numbers: VerdictIds) -> frozenset[ImageKey]:
        """Return images by their ids; for the lead."""
        selected = set(numbers.tolist())
        return frozenset(
            ImageKey(dataset, name)
            for number, (dataset, name) in self._images().items()
            if number in selected
        )

    def _images(self) -> dict[int, tuple[str, str]]:
        query = select(ImageRow.id, DatasetRow.name, ImageRow.name).join(
            DatasetRow, DatasetRow.id == ImageRow.dataset_id
        )
        return {number: (dataset, name) for number, dataset, name in self._session.execute(query)}

    def names(self, verdicts: StoredVerdicts) -> list[tuple[str, str, str]]:
        """Return dataset, image and label of each pair, for files and the lead."""
        images = self._images()
        wnids = dict(self._session.execute(select(ClassRow.id, ClassRow.wnid)).all())
        return [
            (*images[image], wnids[label])
            for image, label in zip(
                verdicts.images.tolist(), verdicts.classes.tolist(), strict=True
            )
        ]

    def _last(self, *, blind_only: bool) -> npt.NDArray[np.void]:
        """Return the last revision of each verdict, without withdrawn ones."""
        rows = self._rows(blind_only=blind_only)
        key = ["image", "label", "reviewer", "stage"]
        rows = rows[np.lexsort([rows[name] for name in ("revision", *reversed(key))])]
        following = np.ones(len(rows), np.bool_)
        if len(rows):
            following[:-1] = np.any([rows[k][1:] != rows[k][:-1] for k in key], axis=0)
        return np.asarray(rows[following & (rows["withdrawn"] == 0)])

    def _without_decoys(self, rows: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        """Leave out decoys that fewer than `ACCEPTED_BY` reviewers of their stage accepted."""
        decoys = [
            (image * _CLASS_LIMIT + label) * len(_STAGE_NUMBER) + _STAGE_NUMBER[stage]
            for stage, image, label in ReviewDecoys(self._session).all()
        ]
        if not decoys:
            return rows
        items = _pair(rows) * len(_STAGE_NUMBER) + rows["stage"]
        accepted = items[rows["verdict"] == VERDICT_CODES[Verdict.CORRECT]]
        known, counts = np.unique(accepted, return_counts=True)
        left_out = np.isin(items, decoys) & ~np.isin(items, known[counts >= ACCEPTED_BY])
        return np.asarray(rows[~left_out])

    def _rows(self, *, blind_only: bool) -> npt.NDArray[np.void]:
        codes = {str(verdict): code for verdict, code in VERDICT_CODES.items()}
        stages = {str(stage): number for stage, number in _STAGE_NUMBER.items()}
        query = select(
            ReviewRow.image_id,
            ReviewRow.class_id,
            ReviewRow.participant_id,
            case(stages, value=ReviewRow.stage),
            ReviewRow.revision,
            case(codes, value=ReviewRow.verdict),
            type_coerce(ReviewRow.withdrawn, Integer),
        )
        if blind_only:
            query = query.where(~ReviewRow.discussed)
        # Without the ORM, which would double the time for a million rows.
        found = self._session.connection().execute(query)
        chunks = [
            np.array([tuple(row) for row in chunk], _ROW_TYPE) for chunk in found.partitions(_CHUNK)
        ]
        return np.concatenate(chunks) if chunks else np.empty(0, _ROW_TYPE)

    def _coded(self, rows: npt.NDArray[np.void]) -> StoredVerdicts:
        codes = dict(self._session.execute(select(ParticipantRow.id, ParticipantRow.code)).all())
        people, reviewers = np.unique(rows["reviewer"], return_inverse=True)
        pairs, numbers = np.unique(_pair(rows), return_inverse=True)
        return StoredVerdicts(
            images=pairs // _CLASS_LIMIT,
            classes=pairs % _CLASS_LIMIT,
            table=VerdictTable(
                numbers, reviewers, rows["verdict"].astype(np.int64), pair_count=len(pairs)
            ),
            reviewers=tuple(codes[int(person)] for person in people),
        )


_ROW_TYPE = np.dtype(
    [
        ("image", np.int64),
        ("label", np.int32),
        ("reviewer", np.int32),
        ("stage", np.int8),
        ("revision", np.int32),
        ("verdict", np.int8),
        ("withdrawn", np.int8),
    ]
)
# Larger than any class index: packs an image and a class into one integer.
_CLASS_LIMIT = 1 << 20


def _pair(rows: npt.NDArray[np.void]) -> VerdictIds:
    return np.asarray(rows["image"] * _CLASS_LIMIT + rows["label"])


def _of_latest_stage(rows: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
    pairs, pair_of = np.unique(_pair(rows), return_inverse=True)
    latest = np.zeros(len(pairs), np.int8)
    np.maximum.at(latest, pair_of, rows["stage"])
    return np.asarray(rows["stage"] == latest[pair_of])


def _pair_positions(verdicts: StoredVerdicts) -> dict[tuple[int, int], int]:
    pairs = zip(verdicts.images.tolist(), verdicts.classes.tolist(), strict=True)
    return {pair: number for number, pair in enumerate(pairs)}
