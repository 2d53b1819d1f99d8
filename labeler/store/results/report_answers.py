"""Read everything that a report counts from the study, as arrays."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import BigInteger, String, case, cast, func, select, true
from sqlalchemy.orm import Session

from labeler.core.clock import stamp
from labeler.core.metrics.study_answers import (
    NO_CONFIDENCE,
    NO_LABEL,
    NO_TIME,
    DatasetAnswers,
    Guesses,
    JudgedLabels,
    Labels,
    Scores,
    StudyAnswers,
)
from labeler.core.review.verdict_table import VERDICT_CODES
from labeler.core.statistics.arrays import Counts, Flags
from labeler.core.study.entities import ExposureOccasion, ParticipantKind, Role, SessionTask
from labeler.store.datasets.exposures import images_seen_before
from labeler.store.datasets.image_factors import ImageFactorTable
from labeler.store.engine.checksums import verified
from labeler.store.exchange.human_answers import latest_answers
from labeler.store.exchange.lookups import evaluation_datasets
from labeler.store.models.predictions import LABELS_COLUMN, SCORES_COLUMN, PackedBytes, unpack
from labeler.store.schema import (
    ClassRow,
    ExposureRow,
    ImageRow,
    ModelPredictionsRow,
    MultilabelRow,
    ParticipantRoleRow,
    ParticipantRow,
    PredictionRow,
    ProblematicRow,
    SampleImageRow,
    SampleRow,
)
from labeler.store.study.sessions import person_id

# A verdict code, a class and an image packed into one integer.
_CLASS_FACTOR, _IMAGE_FACTOR = 4, 1 << 24
_ROWS_PER_FETCH = 5_000  # rows held as Python objects at a time
# Larger than the number of classes in a taxonomy.
_TARGET_LIMIT = 1 << 16
assert len(VERDICT_CODES) <= _CLASS_FACTOR


class ReportAnswers:
    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self) -> StudyAnswers:
        """Return all evaluation datasets with everyone's last answers."""
        humans = self._participants(ParticipantKind.HUMAN)
        models = self._participants(ParticipantKind.MODEL)
        answering = set(self._session.scalars(select(latest_answers().c.participant_id).distinct()))
        # People who only review or lead don't appear in tables of accuracies.
        people = {number: code for number, code in humans.items() if number in answering}
        judged = self._judged()
        silent = self._silent(humans.keys() - answering)
        return StudyAnswers(
            wnids=tuple(self._session.scalars(select(ClassRow.wnid).order_by(ClassRow.id))),
            humans=tuple(people.values()),
            models=tuple(models.values()),
            datasets=tuple(
                self._dataset(number, name, list(people), list(models), judged)
                for number, name in evaluation_datasets(self._session)
            ),
            silent=tuple(code for number, code in humans.items() if number in silent),
        )

    def _silent(self, without_answers: AbstractSet[int]) -> set[int]:
        """Return who should have answered: labelers, and imported people without any role."""
        roles: dict[int, set[Role]] = {}
        query = select(ParticipantRoleRow.participant_id, ParticipantRoleRow.role)
        for person, role in self._session.execute(query):
            roles.setdefault(person, set()).add(role)
        return {n for n in without_answers if Role.LABELER in roles.get(n, {Role.LABELER})}

    def imported(self) -> bool:
        """Return whether some answers were imported, without a trial in this study."""
        query = select(PredictionRow.id).where(
            PredictionRow.task == SessionTask.EVALUATE, PredictionRow.trial_id.is_(None)
        )
        return self._session.scalar(query.limit(1)) is not None

    def has_only_model_predictions(self) -> bool:
        """Return whether models have predictions and there is no sample for humans."""
        predicted = select(ModelPredictionsRow.dataset_id).limit(1)
        sampled = select(SampleRow.id).where(SampleRow.retired_at.is_(None)).limit(1)
        has_predictions = self._session.scalar(predicted) is not None
        return has_predictions and self._session.scalar(sampled) is None

    def record_exposures(self, code: str, *, at: datetime) -> None:
        """Record that the person may have seen every sampled image with its target."""
        person = person_id(self._session, code)
        seen = set(
            self._session.scalars(
                select(ExposureRow.image_id).where(
                    ExposureRow.participant_id == person,
                    ExposureRow.occasion == ExposureOccasion.DECLARED,
                )
            )
        )
        sampled = select(SampleImageRow.image_id).join(
            SampleRow, SampleRow.id == SampleImageRow.sample_id
        )
        for image in self._session.scalars(sampled.where(SampleRow.retired_at.is_(None))).all():
            if image not in seen:
                self._session.add(
                    ExposureRow(
                        participant_id=person,
                        image_id=image,
                        occasion=ExposureOccasion.DECLARED,
                        at=stamp(at),
                    )
                )

    def fingerprints(self) -> dict[str, str]:
        """Return a hash of every dataset's images and targets, and of every model's predictions."""
        hashes: dict[str, str] = {}
        for number, name in evaluation_datasets(self._session):
            query = select(ImageRow.name, ImageRow.target_id, ImageRow.content_hash)
            query = query.where(ImageRow.dataset_id == number).order_by(ImageRow.ordinal)
            hashes[f"dataset {name}"] = _hash(repr(tuple(r)) for r in self._session.execute(query))
        packed = select(ParticipantRow.code, ModelPredictionsRow.labels).join(
            ParticipantRow, ParticipantRow.id == ModelPredictionsRow.participant_id
        )
        order = ParticipantRow.id, ModelPredictionsRow.dataset_id
        for code, labels in self._session.execute(packed.order_by(*order)):
            name = f"predictions of {code}"
            hashes[name] = _hash([hashes.get(name, ""), sha256(labels).hexdigest()])
        return hashes | self._fingerprints_of_people()

    def _fingerprints_of_people(self) -> dict[str, str]:
        last = latest_answers()
        answers = select(
            last.c.participant_id, last.c.image_id, last.c.class_id, last.c.alternative_id
        ).order_by(last.c.participant_id, last.c.image_id)
        labels = select(
            MultilabelRow.image_id, MultilabelRow.class_id, MultilabelRow.state
        ).order_by(MultilabelRow.image_id, MultilabelRow.class_id)
        problems = select(ProblematicRow.image_id, ProblematicRow.reason)
        problems = problems.where(ProblematicRow.withdrawn_at.is_(None))
        queries: dict[str, Any] = {
            "human answers": answers,
            "multi-labels": labels,
            "problematic images": problems.order_by(ProblematicRow.image_id, ProblematicRow.id),
        }
        return {
            name: _hash(repr(tuple(row)) for row in self._session.execute(query))
            for name, query in queries.items()
        }

    def _participants(self, kind: ParticipantKind) -> dict[int, str]:
        query = select(ParticipantRow.id, ParticipantRow.code).where(ParticipantRow.kind == kind)
        return dict(self._session.execute(query.order_by(ParticipantRow.id)).all())

    def _dataset(
        self, number: int, name: str, people: list[int], models: list[int], judged: Counts
    ) -> DatasetAnswers:
        query = select(ImageRow.name).where(ImageRow.dataset_id == number)
        names = _rows(self._session, query.order_by(ImageRow.ordinal))
        ids, targets = self._images(number)
        positions = _ImagePositions(ids)
        labels, alternatives, times, confidence = self._answers(number, people, positions)
        return DatasetAnswers(
            name=name,
            images=tuple(chain.from_iterable(names)),
            targets=targets.astype(np.int32),
            problematic=self._problematic(number, positions),
            sampled=self._sampled(number, positions),
            judged=positions.judged(judged),
            human_labels=labels,
            alternatives=alternatives,
            active_ms=times,
            model_guesses=self._guesses(number, models),
            model_scores=self._scores(number, models),
            seen_before=self._seen_before(number, people, positions),
            confidence=confidence if (confidence != NO_CONFIDENCE).any() else None,
            factors={
                factor: positions.flags(images)
                for factor, images in ImageFactorTable(self._session).of_dataset(number).items()
            },
        )

    def _seen_before(
        self, dataset: int, people: list[int], positions: "_ImagePositions"
    ) -> Flags | None:
        seen_pairs = images_seen_before(self._session, dataset, people)
        if not seen_pairs:
            return None
        flags = np.zeros((len(people), len(positions)), np.bool_)
        rows = [people.index(person) for person, _image in seen_pairs]
        flags[rows, positions.of(np.array([image for _person, image in seen_pairs], np.int64))] = (
            True
        )
        return flags

    def _problematic(self, dataset: int, positions: "_ImagePositions") -> Flags:
        query = (
            select(ProblematicRow.image_id)
            .join(ImageRow, ImageRow.id == ProblematicRow.image_id)
            .where(ImageRow.dataset_id == dataset, ProblematicRow.withdrawn_at.is_(None))
        )
        return positions.flags(self._session.scalars(query).all())

    def _sampled(self, dataset: int, positions: "_ImagePositions") -> Flags:
        query = (
            select(SampleImageRow.image_id)
            .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
            .join(ImageRow, ImageRow.id == SampleImageRow.image_id)
            .where(ImageRow.dataset_id == dataset, SampleRow.retired_at.is_(None))
        )
        return positions.flags(self._session.scalars(query).all())

    def _images(self, dataset: int) -> tuple[Counts, Counts]:
        """Return the ids and the targets of the dataset's images, by ordinal."""
        packed = cast(ImageRow.ordinal, BigInteger) * _TARGET_LIMIT + ImageRow.target_id
        ids, ordinals = _numbers(self._session, ImageRow.dataset_id == dataset, ImageRow.id, packed)
        order = np.argsort(ordinals)
        return ids[order], ordinals[order] % _TARGET_LIMIT

    def _judged(self) -> Counts:
        """Return every judged label of the study as one integer: image, class and state."""
        codes = {str(verdict): code for verdict, code in VERDICT_CODES.items()}
        image = cast(MultilabelRow.image_id, BigInteger) * _IMAGE_FACTOR
        packed = (
            image + MultilabelRow.class_id * _CLASS_FACTOR + case(codes, value=MultilabelRow.state)
        )
        return _numbers(self._session, true(), packed)[0]

    def _answers(
        self, dataset: int, people: list[int], positions: "_ImagePositions"
    ) -> tuple[Labels, Labels, Counts, Counts]:
        """Return label, alternative, active time and confidence by person and image."""
        last = latest_answers()
        query = (
            select(
                last.c.participant_id,
                last.c.image_id,
                last.c.class_id,
                last.c.alternative_id,
                last.c.active_ms,
                last.c.confidence,
            )
            .join(ImageRow, ImageRow.id == last.c.image_id)
            .where(ImageRow.dataset_id == dataset)
        )
        shape = len(people), len(positions)
        labels = np.full(shape, NO_LABEL, np.int32)
        alternatives, times = labels.copy(), np.full(shape, NO_TIME, np.int64)
        confidence = np.full(shape, NO_CONFIDENCE, np.int64)
        row_of = {number: row for row, number in enumerate(people)}
        for rows in _fetch_in_parts(self._session, query):
            numbers = np.array(
                [
                    (
                        row_of.get(person, -1),
                        image,
                        label,
                        _value_or(other, NO_LABEL),
                        _value_or(ms, NO_TIME),
                        _value_or(sure, NO_CONFIDENCE),
                    )
                    for person, image, label, other, ms, sure in rows
                ],
                np.int64,
            )
            # Models' answers are stored packed and not counted here.
            row, images, label, other, spent, sure = numbers[numbers[:, 0] >= 0].T
            at = row, positions.of(images)
            labels[at], alternatives[at], times[at], confidence[at] = label, other, spent, sure
        return labels, alternatives, times, confidence

    def _guesses(self, dataset: int, models: list[int]) -> tuple[Guesses | None, ...]:
        """Return the labels by image and rank."""
        query = select(
            ModelPredictionsRow.participant_id,
            ModelPredictionsRow.images,
            ModelPredictionsRow.ranks,
            ModelPredictionsRow.labels,
            ModelPredictionsRow.labels_checksum,
        ).where(ModelPredictionsRow.dataset_id == dataset)
        found: dict[int, Guesses] = {
            number: unpack(
                PackedBytes(images, ranks, verified(labels, stored, LABELS_COLUMN), None, 0)
            ).labels
            for number, images, ranks, labels, stored in self._session.execute(query)
        }
        return tuple(found.get(number) for number in models)

    def _scores(self, dataset: int, models: list[int]) -> tuple[Scores | None, ...]:
        """Return the probabilities of the first guesses."""
        query = select(
            ModelPredictionsRow.participant_id,
            ModelPredictionsRow.ranks,
            ModelPredictionsRow.scores,
            ModelPredictionsRow.score_bytes,
            ModelPredictionsRow.scores_checksum,
        ).where(ModelPredictionsRow.dataset_id == dataset, ModelPredictionsRow.scores.is_not(None))
        found: dict[int, Scores] = {
            number: np.frombuffer(verified(scores or b"", stored, SCORES_COLUMN), f"<f{width}")[
                ::ranks
            ].astype(np.float32)
            for number, ranks, scores, width, stored in self._session.execute(query)
        }
        return tuple(found.get(number) for number in models)


class _ImagePositions:
    """Converts database ids of a dataset's images to ordinals."""

    def __init__(self, ids: npt.NDArray[np.int64]) -> None:
        self._order = np.argsort(ids, kind="stable")
        self._sorted = ids[self._order]

    def __len__(self) -> int:
        return len(self._sorted)

    def of(self, ids: Counts) -> Counts:
        if not len(self._sorted):
            return np.empty(0, np.int64)
        return np.asarray(self._order[np.searchsorted(self._sorted, ids)])

    def judged(self, packed: Counts) -> JudgedLabels:
        """Return the judged labels that belong to this dataset."""
        images = packed // _IMAGE_FACTOR
        if not len(self._sorted):
            images, packed = images[:0], packed[:0]
        near = np.minimum(np.searchsorted(self._sorted, images), max(len(self._sorted) - 1, 0))
        own = self._sorted[near] == images
        numbers = packed[own]
        return JudgedLabels(
            np.asarray(self._order[near[own]]),
            numbers % _IMAGE_FACTOR // _CLASS_FACTOR,
            numbers % _CLASS_FACTOR,
        )

    def flags(self, ids: Any) -> Flags:
        flags = np.zeros(len(self), np.bool_)
        flags[self.of(np.array(ids, np.int64))] = True
        return flags


def _rows(session: Session, query: Any) -> list[tuple[Any, ...]]:
    """Fetch rows directly from the driver, because there are hundreds of thousands."""
    result = session.connection().execute(query)
    with closing(result):
        rows: list[tuple[Any, ...]] = list(result.cursor.fetchall())
    return rows


def _numbers(session: Session, condition: Any, *expressions: Any) -> list[Counts]:
    """Return integers of all rows that meet the condition, in the same order.

    They are fetched as one text per expression, because creating Python objects is slow.
    """
    texts = [func.aggregate_strings(cast(number, String), ",") for number in expressions]
    found = session.execute(select(*texts).where(condition)).one()
    return [np.fromstring(text or "", np.int64, sep=",") for text in found]


def _fetch_in_parts(session: Session, query: Any) -> Iterator[list[tuple[Any, ...]]]:
    """Yield rows in parts, to limit memory."""
    result = session.connection().execute(query)
    with closing(result):
        while rows := list(result.cursor.fetchmany(_ROWS_PER_FETCH)):
            yield rows


def _hash(lines: Iterable[str]) -> str:
    digest = sha256()
    for line in lines:
        digest.update(line.encode("utf-8", "replace") + b"\n")
    return digest.hexdigest()


def _value_or(value: int | None, missing: int) -> int:
    return missing if value is None else value
