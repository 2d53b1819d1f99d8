"""Import and export the revisions of built datasets, their images, and class reviews."""

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from sqlalchemy import insert, select

from labeler.core.curation.entities import RevisionState, Strategy
from labeler.core.curation.strategies import BINS
from labeler.core.hash_order import MAX_SEED
from labeler.core.study.entities import DatasetRole, ParticipantKind
from labeler.core.study.exchange_format import BUILT_DATASETS, BUILT_IMAGES, CLASS_REVIEWS
from labeler.core.study.exchange_rows import (
    FIRST_REVISION,
    Fields,
    InvalidValueError,
    parse_choice,
    parse_class,
    parse_count,
    parse_flag,
    parse_name,
    parse_stamp,
    quoted,
)
from labeler.store.exchange.curation_files.keyed_file import Cells, KeyedFile, KeyedRows
from labeler.store.schema import (
    BuiltImageRow,
    BuiltRevisionRow,
    ClassReviewRow,
    ClassRow,
    DatasetRow,
    ImageRow,
    ParticipantRow,
)
from labeler.store.schema.row_ids import class_ids, image_ids


class BuiltDatasetRows(KeyedRows):
    """The revisions of all built datasets, oldest first."""

    def stored(self) -> Iterator[Cells]:
        for row in self.session.scalars(select(BuiltRevisionRow).order_by(BuiltRevisionRow.id)):
            yield (
                row.dataset,
                str(row.revision),
                _text(row.parent),
                row.strategy,
                row.parameters,
                str(row.seed),
                row.made_at,
                row.state,
            )

    @cached_property
    def _known(self) -> set[tuple[str, int]]:
        row = BuiltRevisionRow
        found = self.session.execute(select(row.dataset, row.revision))
        return {(dataset, revision) for dataset, revision in found}

    def parse(self, fields: Fields) -> tuple[Cells, Any]:
        dataset = parse_name(fields["dataset"], column="dataset")
        revision = parse_count(fields["revision"], column="revision", least=1)
        parent = fields["parent"]
        before = parse_count(parent, column="parent", least=1) if parent else None
        if before is not None and (dataset, before) not in self._known:
            problem = f"{quoted(dataset)} has no revision {before} before this row."
            raise InvalidValueError("parent", problem)
        self._known.add((dataset, revision))
        values = {
            "dataset": dataset,
            "revision": revision,
            "parent": before,
            "strategy": parse_choice(fields["strategy"], Strategy, column="strategy"),
            "parameters": _parse_parameters(fields["parameters"]),
            "seed": _parse_seed(fields["seed"]),
            "made_at": parse_stamp(
                parse_name(fields["made_at"], column="made_at"), column="made_at"
            ),
            "state": parse_choice(fields["state"], RevisionState, column="state"),
        }
        cells = {name: _text(value) for name, value in values.items()}
        return tuple(cells[column] for column in BUILT_DATASETS.columns), values

    def add(self, rows: list[Any]) -> None:
        self.session.execute(insert(BuiltRevisionRow), rows)


def _parse_parameters(text: str) -> str:
    """Return the parameters in the form in which they are stored."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InvalidValueError("parameters", f"{quoted(text)} is not a JSON object.")
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


def _parse_seed(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_SEED:
        raise InvalidValueError("seed", f"{quoted(text)} is not a number from 0 to {MAX_SEED}.")
    return int(text)


class _RevisionPart(KeyedRows):
    """Rows that belong to a revision."""

    @cached_property
    def _revisions(self) -> dict[tuple[str, int], int]:
        row = BuiltRevisionRow
        found = self.session.execute(select(row.dataset, row.revision, row.id))
        return {(dataset, revision): number for dataset, revision, number in found}

    @cached_property
    def _classes(self) -> dict[str, int]:
        return class_ids(self.session)

    def revision_id(self, fields: Fields) -> int:
        revision = parse_count(fields["revision"], column="revision", least=1)
        found = self._revisions.get((fields["dataset"], revision))
        if found is None:
            problem = f"{quoted(fields['dataset'])} has no revision {revision} in the study."
            raise InvalidValueError("revision", problem)
        return found

    def class_id(self, fields: Fields) -> int:
        return self._classes[parse_class(fields["label"], self._classes, column="label")]


class BuiltImageRows(_RevisionPart):
    """The images of all revisions, by revision, class and name."""

    @cached_property
    def _pools(self) -> dict[str, dict[str, int]]:
        datasets = self.transaction.datasets.all(DatasetRole.POOL)
        return {each.name: image_ids(self.session, each.name) for each in datasets}

    def stored(self) -> Iterator[Cells]:
        row = BuiltImageRow
        query = (
            select(BuiltRevisionRow.dataset, BuiltRevisionRow.revision, DatasetRow.name)
            .add_columns(ImageRow.name, ClassRow.wnid, row.bin, row.from_bin, row.carried)
            .join(row, row.revision_id == BuiltRevisionRow.id)
            .join(ImageRow, ImageRow.id == row.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == row.class_id)
            .order_by(BuiltRevisionRow.id, ClassRow.id, DatasetRow.name, ImageRow.name)
            .execution_options(yield_per=10_000)
        )
        for found in self.session.execute(query):
            yield tuple(_text(value) for value in found)

    def parse(self, fields: Fields) -> tuple[Cells, Any]:
        pool = self._pools.get(fields["pool"])
        if pool is None:
            problem = f"{quoted(fields['pool'])} is not a candidate pool of the study."
            raise InvalidValueError("pool", problem)
        if fields["image"] not in pool:
            problem = f"{quoted(fields['image'])} is not a candidate of {quoted(fields['pool'])}."
            raise InvalidValueError("image", problem)
        values = {
            "revision_id": self.revision_id(fields),
            "image_id": pool[fields["image"]],
            "class_id": self.class_id(fields),
            "bin": _parse_bin(fields["bin"], "bin"),
            "from_bin": _parse_bin(fields["from_bin"], "from_bin"),
            "carried": parse_flag(fields["carried"], column="carried"),
        }
        return tuple(fields[column] for column in BUILT_IMAGES.columns), values

    def add(self, rows: list[Any]) -> None:
        self.session.execute(insert(BuiltImageRow), rows)


class ClassReviewRows(_RevisionPart):
    """The last review of each class by each reviewer."""

    @cached_property
    def _people(self) -> dict[str, int]:
        query = select(ParticipantRow.code, ParticipantRow.id)
        query = query.where(ParticipantRow.kind == ParticipantKind.HUMAN)
        return dict(self.session.execute(query).all())

    def stored(self) -> Iterator[Cells]:
        for revision in self.transaction.built_datasets.revisions():
            reviews = self.transaction.class_reviews
            for each in reviews.last(revision.dataset, revision.revision):
                values = (each.label, each.reviewed, each.needs_work, each.reviewer, each.at)
                yield (revision.dataset, str(revision.revision), *map(_text, values))

    def parse(self, fields: Fields) -> tuple[Cells, Any]:
        reviewer = self._people.get(fields["reviewer"])
        if reviewer is None:
            problem = f"{quoted(fields['reviewer'])} is not a person of the study."
            raise InvalidValueError("reviewer", problem)
        at = parse_stamp(parse_name(fields["at"], column="at"), column="at")
        values = {
            "revision_id": self.revision_id(fields),
            "class_id": self.class_id(fields),
            "participant_id": reviewer,
            "number": FIRST_REVISION,
            "reviewed": parse_flag(fields["reviewed"], column="reviewed"),
            "needs_work": parse_flag(fields["needs_work"], column="needs_work"),
            "at": at,
        }
        cells = {**fields, "at": _text(at)}
        return tuple(cells[column] for column in CLASS_REVIEWS.columns), values

    def add(self, rows: list[Any]) -> None:
        self.session.execute(insert(ClassReviewRow), rows)


def _parse_bin(text: str, column: str) -> int | None:
    if not text:
        return None
    number = parse_count(text, column=column)
    if number >= BINS:
        raise InvalidValueError(column, f"{quoted(text)} is not a bin from 0 to {BINS - 1}.")
    return number


def _text(value: object) -> str:
    """Return a value as it is exported."""
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value)


BUILT_FILES = (
    KeyedFile(BUILT_DATASETS, BuiltDatasetRows),
    KeyedFile(BUILT_IMAGES, BuiltImageRows),
    KeyedFile(CLASS_REVIEWS, ClassReviewRows),
)
