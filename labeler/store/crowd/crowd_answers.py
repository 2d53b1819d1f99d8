"""Read annotators' answers, and replace what is derived from them."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session

from labeler.core.crowd.analysis.annotations import AnnotatedImage
from labeler.core.crowd.candidate_labels import CandidateLabel
from labeler.core.crowd.entities import (
    AnnotationStatus,
    ClassifyAnswer,
    ContainsAnswer,
    Grid,
    GridImage,
    ImageAnswer,
    ImageLabel,
    LabelReason,
    ObjectTie,
    SelectionFrequency,
)
from labeler.core.crowd.objects import ImageObject, ImageObjects
from labeler.core.study.entities import ImageKey
from labeler.store.schema import (
    AuditRow,
    Base,
    CandidateLabelRow,
    ClassifyAnswerRow,
    ClassRow,
    ContainsAnswerRow,
    DatasetRow,
    GridImageRow,
    GridRow,
    ImageObjectRow,
    ImageRow,
    ImageSummaryRow,
    ParticipantRow,
    SelectionFrequencyRow,
)

# The action of an aggregation in the audit log.
AGGREGATED = "crowd answers aggregated"


class CrowdAnswers:
    """The crowd tasks of a study. Of an answer with revisions, the last counts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def grids(self) -> dict[str, Grid]:
        images: dict[str, dict[int, GridImage]] = defaultdict(dict)
        query = select(
            GridImageRow.grid_id, GridImageRow.position, GridImageRow.image_id, GridImageRow.role
        ).order_by(GridImageRow.grid_id, GridImageRow.position)
        for grid, position, image_id, role in self._session.execute(query):
            images[grid][position] = GridImage(self._images[image_id], role)
        classes = self._session.execute(
            select(GridRow.id, ClassRow.wnid).join(ClassRow, ClassRow.id == GridRow.class_id)
        )
        return {grid: Grid(grid, label, images[grid]) for grid, label in classes}

    def barred_grids(self) -> frozenset[str]:
        return frozenset(self._session.scalars(select(GridRow.id).where(GridRow.barred)))

    def contains_answers(self) -> list[ContainsAnswer]:
        row = ContainsAnswerRow
        query = (
            select(ParticipantRow.code, row.grid_id, row.selected, row.submitted_at)
            .add_columns(row.state, row.active_ms)
            .join(ParticipantRow, ParticipantRow.id == row.participant_id)
            .order_by(row.participant_id, row.grid_id, row.revision)
        )
        last = {
            (code, grid): ContainsAnswer(
                participant=code,
                grid=grid,
                selected=frozenset(map(int, filter(None, selected.split("|")))),
                submitted_at=submitted_at,
                state=state,
                active_ms=active_ms,
            )
            for code, grid, selected, submitted_at, state, active_ms in self._session.execute(query)
        }
        return list(last.values())

    def classify_answers(self) -> list[ClassifyAnswer]:
        return self._classify_answers()

    def _classify_answers(self, *conditions: ColumnElement[bool]) -> list[ClassifyAnswer]:
        row = ClassifyAnswerRow
        query = (
            select(ParticipantRow.code, row.image_id, row.labels, row.main, row.submitted_at)
            .add_columns(row.active_ms)
            .join(ParticipantRow, ParticipantRow.id == row.participant_id)
            .where(*conditions)
            .order_by(row.participant_id, row.image_id, row.revision)
        )
        last = {
            (code, image_id): ClassifyAnswer(
                participant=code,
                image=self._images[image_id],
                labels=frozenset(filter(None, labels.split("|"))),
                main=main,
                submitted_at=submitted_at,
                active_ms=active_ms,
            )
            for code, image_id, labels, main, submitted_at, active_ms in self._session.execute(
                query
            )
        }
        return list(last.values())

    def shown_to(self, image: ImageKey) -> list[ImageAnswer]:
        """Return the contains-answers to grids that show an image, by label and annotator."""
        row, place = ContainsAnswerRow, GridImageRow
        query = (
            select(ClassRow.wnid, ParticipantRow.code, row.grid_id, row.selected, row.state)
            .add_columns(place.position, place.role, row.submitted_at)
            .join(place, place.grid_id == row.grid_id)
            .join(GridRow, GridRow.id == row.grid_id)
            .join(ClassRow, ClassRow.id == GridRow.class_id)
            .join(ParticipantRow, ParticipantRow.id == row.participant_id)
            .where(place.image_id == self._image_ids[image])
            .order_by(ClassRow.wnid, ParticipantRow.code, row.grid_id, row.revision)
        )
        last = {
            (found.code, found.grid_id): ImageAnswer(
                participant=found.code,
                grid=found.grid_id,
                label=found.wnid,
                is_selected=str(found.position) in found.selected.split("|"),
                state=found.state,
                role=found.role,
                submitted_at=found.submitted_at,
            )
            for found in self._session.execute(query)
        }
        return list(last.values())

    def classify_answers_to(self, image: ImageKey) -> list[ClassifyAnswer]:
        """Return the classify-answers of one image, in order of submission."""
        found = self._classify_answers(ClassifyAnswerRow.image_id == self._image_ids[image])
        return sorted(found, key=lambda answer: (answer.submitted_at, answer.participant))

    def label_reasons(self, image: ImageKey) -> dict[str, LabelReason]:
        """Return the candidate labels of an image in their order, with their reasons."""
        row = CandidateLabelRow
        query = select(row.class_id, row.reason).where(row.image_id == self._image_ids[image])
        ordered = self._session.execute(query.order_by(row.place))
        return {self._wnids[class_id]: reason for class_id, reason in ordered}

    def frequencies(self) -> dict[ImageLabel, SelectionFrequency]:
        """Return the stored frequencies: imported, or of the last aggregation."""
        row = SelectionFrequencyRow
        query = select(row.image_id, row.class_id, row.selected, row.shown)
        return {
            ImageLabel(self._images[image_id], self._wnids[class_id]): SelectionFrequency(
                selected, shown
            )
            for image_id, class_id, selected, shown in self._session.execute(query)
        }

    def statuses(self) -> dict[ImageKey, AnnotationStatus]:
        """Return the status of each image after the last aggregation."""
        query = select(ImageSummaryRow.image_id, ImageSummaryRow.status)
        return {self._images[number]: status for number, status in self._session.execute(query)}

    def candidate_labels(self) -> dict[ImageKey, tuple[str, ...]]:
        """Return the candidate labels of each image after the last aggregation, in order."""
        row = CandidateLabelRow
        query = select(row.image_id, row.class_id).order_by(row.image_id, row.place)
        labels: dict[ImageKey, list[str]] = defaultdict(list)
        for image_id, class_id in self._session.execute(query):
            labels[self._images[image_id]].append(self._wnids[class_id])
        return {image: tuple(found) for image, found in labels.items()}

    def annotated_images(self) -> dict[ImageKey, AnnotatedImage]:
        """Return what the last aggregation, or an import, says about each image."""
        frequencies: dict[ImageKey, dict[str, SelectionFrequency]] = defaultdict(dict)
        for pair, frequency in self.frequencies().items():
            frequencies[pair.image][pair.label] = frequency
        groups: dict[int, dict[int, list[ImageObjectRow]]] = defaultdict(lambda: defaultdict(list))
        for row in self._session.scalars(select(ImageObjectRow)):
            groups[row.image_id][row.object].append(row)
        summaries = list(self._session.scalars(select(ImageSummaryRow)))
        targets = self.targets(self._images[row.image_id] for row in summaries)
        found = {}
        for summary in summaries:
            key = self._images[summary.image_id]
            found[key] = self._annotated(
                key, targets[key], summary, frequencies[key], groups[summary.image_id]
            )
        return found

    def _annotated(
        self,
        key: ImageKey,
        target: str,
        summary: ImageSummaryRow,
        frequencies: Mapping[str, SelectionFrequency],
        groups: Mapping[int, list[ImageObjectRow]],
    ) -> AnnotatedImage:
        main, agreed = summary.main_class_id, summary.count_answers
        return AnnotatedImage(
            image=key.image,
            target=target,
            status=summary.status,
            frequencies=frequencies,
            objects=tuple(self._object(rows) for number, rows in sorted(groups.items()) if number),
            ticked={self._wnids[r.class_id]: r.ticked for rows in groups.values() for r in rows},
            confidence=None if agreed is None else Fraction(agreed, summary.answers),
            main_label=None if main is None else self._wnids[main],
            main_object=summary.main_object,
            target_object=summary.target_object,
            ties=frozenset(map(ObjectTie, filter(None, summary.ties.split("|")))),
        )

    def _object(self, rows: Sequence[ImageObjectRow]) -> ImageObject:
        labels = tuple(sorted(self._wnids[row.class_id] for row in rows))
        name = rows[0].object_class_id
        return ImageObject(labels, labels[0] if name is None else self._wnids[name])

    def last_quality(self) -> str | None:
        """Return the quality rule of the last aggregation, or None."""
        query = select(AuditRow.detail).where(AuditRow.action == AGGREGATED)
        details = self._session.scalars(query.order_by(AuditRow.id.desc()).limit(1)).first()
        return None if details is None else str(json.loads(details)["quality"])

    def targets(self, images: Iterable[ImageKey]) -> dict[ImageKey, str]:
        """Return the target of each image."""
        query = select(ImageRow.id, ClassRow.wnid).join(ClassRow, ClassRow.id == ImageRow.target_id)
        targets = dict(self._session.execute(query).all())
        return {image: targets[self._image_ids[image]] for image in images}

    def replace_frequencies(self, frequencies: Mapping[ImageLabel, SelectionFrequency]) -> None:
        self._replace(
            SelectionFrequencyRow,
            [
                {
                    "image_id": self._image_ids[pair.image],
                    "class_id": self._class_ids[pair.label],
                    "selected": frequency.selected,
                    "shown": frequency.shown,
                }
                for pair, frequency in frequencies.items()
            ],
        )

    def replace_candidate_labels(self, labels: Mapping[ImageKey, Sequence[CandidateLabel]]) -> None:
        self._replace(
            CandidateLabelRow,
            [
                {
                    "image_id": self._image_ids[image],
                    "class_id": self._class_ids[candidate.label],
                    "place": place,
                    "reason": candidate.reason,
                }
                for image, candidates in labels.items()
                for place, candidate in enumerate(candidates, 1)
            ],
        )

    def replace_objects(
        self,
        statuses: Mapping[ImageKey, AnnotationStatus],
        objects: Mapping[ImageKey, ImageObjects],
    ) -> None:
        """Store the status of each image, and the objects of those that have any."""
        rows = [row for image, found in objects.items() for row in self._object_rows(image, found)]
        self._replace(ImageObjectRow, rows)
        self._replace(
            ImageSummaryRow,
            [self._summary(i, status, objects.get(i)) for i, status in statuses.items()],
        )

    def _object_rows(self, image: ImageKey, found: ImageObjects) -> list[dict[str, object]]:
        groups: list[tuple[str | None, tuple[str, ...]]] = [(None, found.unplaced)]
        groups += [(each.label, each.labels) for each in found.objects]
        return [
            {
                "image_id": self._image_ids[image],
                "object": number,
                "class_id": self._class_ids[label],
                "ticked": found.ticked[label],
                "answers": found.answers,
                "object_class_id": None if name is None else self._class_ids[name],
            }
            for number, (name, labels) in enumerate(groups)
            for label in labels
        ]

    def _summary(
        self, image: ImageKey, status: AnnotationStatus, found: ImageObjects | None
    ) -> dict[str, object]:
        summary: dict[str, object] = {
            "image_id": self._image_ids[image],
            "status": status,
            "answers": 0,
            "num_objects": None,
            "count_answers": None,
            "main_class_id": None,
            "main_picks": None,
            "main_object": None,
            "target_object": None,
            "optimal_partitions": None,
            "ties": "",
        }
        if found is not None:
            summary |= {
                "answers": found.answers,
                "num_objects": found.num_objects,
                "count_answers": int(found.confidence * found.answers),
                "main_class_id": self._class_ids[found.main_label],
                "main_picks": found.main_picks,
                "main_object": found.main_object,
                "target_object": found.target_object,
                "optimal_partitions": found.optimal_partitions,
                "ties": "|".join(sorted(found.ties)),
            }
        return summary

    def _replace(self, row: type[Base], rows: list[dict[str, object]]) -> None:
        self._session.execute(delete(row))
        if rows:
            # Not through the session, which takes twice as long for so many rows.
            self._session.connection().execute(insert(row), rows)

    @cached_property
    def _images(self) -> dict[int, ImageKey]:
        query = select(ImageRow.id, DatasetRow.name, ImageRow.name).join(
            DatasetRow, DatasetRow.id == ImageRow.dataset_id
        )
        return {number: ImageKey(*names) for number, *names in self._session.execute(query)}

    @cached_property
    def _image_ids(self) -> dict[ImageKey, int]:
        return {image: number for number, image in self._images.items()}

    @cached_property
    def _wnids(self) -> dict[int, str]:
        return dict(self._session.execute(select(ClassRow.id, ClassRow.wnid)).all())

    @cached_property
    def _class_ids(self) -> dict[str, int]:
        return {wnid: number for number, wnid in self._wnids.items()}
