"""Import and export the files of crowd tasks, each of which belongs to one table.

Rows are compared in the form in which they are exported: a list in another order is the same.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from labeler.core.crowd.entities import (
    AnnotationStatus,
    ContainsState,
    GridRole,
    LabelReason,
    ObjectTie,
)
from labeler.core.study.entities import DatasetRole
from labeler.core.study.exchange_format import (
    CANDIDATE_LABELS,
    CLASSIFY_ANSWERS,
    CONTAINS_ANSWERS,
    GRIDS,
    IMAGE_SUMMARIES,
    OBJECTS,
    REVISION,
    SELECTION_FREQUENCIES,
    ExchangeFile,
)
from labeler.core.study.exchange_rows import (
    FIRST_REVISION,
    Fields,
    InvalidValueError,
    format_seconds,
    parse_choice,
    parse_class,
    parse_count,
    parse_list,
    parse_name,
    parse_seconds,
    parse_stamp,
    quoted,
)
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.exchange.lookups import ImportLookups, load_lookups
from labeler.store.exchange.record_import import import_summary
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import (
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
    table_of,
)
from labeler.store.schema.row_ids import image_ids
from labeler.store.study_store import StudyStore, Transaction

Cells = tuple[str, ...]
Values = dict[str, Any]

_ROWS_PER_INSERT = 10_000


class CrowdNames:
    """Translates between the names in files and the ids in tables."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._other_images: dict[str, dict[str, int]] = {}

    @cached_property
    def given(self) -> ImportLookups:
        return load_lookups(self._session)

    def image_id(self, fields: Fields) -> int:
        """Return the image of any dataset: grids also show candidates and references."""
        dataset, images = fields["dataset"], self.given.images
        if dataset not in images.slots and dataset in self._other_datasets:
            if dataset not in self._other_images:
                self._other_images[dataset] = image_ids(self._session, dataset)
            if number := self._other_images[dataset].get(fields["image"]):
                return number
            problem = f"{quoted(fields['image'])} is not an image of {quoted(dataset)}."
            raise InvalidValueError("image", problem)
        return images.ids[images.slot(dataset, fields["image"])]

    @cached_property
    def _other_datasets(self) -> frozenset[str]:
        query = select(DatasetRow.name).where(DatasetRow.role != DatasetRole.EVALUATION)
        return frozenset(self._session.scalars(query.where(DatasetRow.complete)))

    def class_id(self, text: str, column: str) -> int:
        return self.given.classes[parse_class(text, self.given.classes, column=column)]

    @cached_property
    def classes(self) -> Mapping[int, str]:
        return dict(self._session.execute(select(ClassRow.id, ClassRow.wnid)).all())

    @cached_property
    def participants(self) -> Mapping[int, str]:
        return dict(self._session.execute(select(ParticipantRow.id, ParticipantRow.code)).all())

    @cached_property
    def images(self) -> Mapping[int, tuple[str, str]]:
        query = select(ImageRow.id, DatasetRow.name, ImageRow.name).join(
            DatasetRow, DatasetRow.id == ImageRow.dataset_id
        )
        return {number: (dataset, name) for number, dataset, name in self._session.execute(query)}

    @cached_property
    def grid_classes(self) -> dict[str, int]:
        """The class of each grid, in the study or in the file so far."""
        return dict(self._session.execute(select(GridRow.id, GridRow.class_id)).all())

    @cached_property
    def stored_grids(self) -> set[str]:
        return set(self._session.scalars(select(GridRow.id)))

    @cached_property
    def grid_positions(self) -> dict[str, set[int]]:
        positions: dict[str, set[int]] = {grid: set() for grid in self.grid_classes}
        for grid, position in self._session.execute(
            select(GridImageRow.grid_id, GridImageRow.position)
        ):
            positions[grid].add(position)
        return positions


class _StoredRow(NamedTuple):
    """A row of the study as it is exported, and the number of its revision."""

    cells: Cells
    revision: int


@dataclass(frozen=True, slots=True)
class CrowdFile:
    """A file and its table: how a row is parsed, and how it is written."""

    file: ExchangeFile
    row: type[Base]
    parse: Callable[[Fields, CrowdNames], Values]
    cells: Callable[[Values, CrowdNames], Cells]

    def export(self, session: Session) -> Iterator[Cells]:
        """Yield the last revision of each row, in the order of the table's key."""
        last = self._last_revisions(session, CrowdNames(session))
        yield from (row.cells for row in last.values())

    def import_rows(
        self, _store: StudyStore, transaction: Transaction, source: CsvSource
    ) -> FileImport:
        """Add the rows that the study doesn't have; one that differs is an error.

        If the file updates the study, an answer that differs becomes its next revision.
        """
        session = transaction.session
        names = CrowdNames(session)
        stored = self._last_revisions(session, names)
        lines: dict[Cells, int] = {}
        added = updated = 0
        new = self._new_rows(source, names, stored, lines)
        while rows := list(islice(new, _ROWS_PER_INSERT)):
            if self.row is GridImageRow:
                _add_grids(session, rows, names)
            session.execute(insert(self.row), rows)
            added += len(rows)
            updated += sum(row.get(REVISION, FIRST_REVISION) > FIRST_REVISION for row in rows)
        return import_summary(source, read=len(lines), added=added, updated=updated)

    def _last_revisions(self, session: Session, names: CrowdNames) -> dict[Cells, _StoredRow]:
        """Return the last revision of each row by its key."""
        found: dict[Cells, _StoredRow] = {}
        for values in self._stored(session):
            cells = self.cells(values, names)
            found[self._key(cells)] = _StoredRow(cells, values.get(REVISION, FIRST_REVISION))
        return found

    def _new_rows(
        self,
        source: CsvSource,
        names: CrowdNames,
        stored: Mapping[Cells, _StoredRow],
        lines: dict[Cells, int],
    ) -> Iterator[Values]:
        for record in source.records():
            source.check(record, lambda fields: self.parse(fields, names))
            values = self.parse(record.fields, names)
            cells = self.cells(values, names)
            first = lines.setdefault(self._key(cells), record.line)
            if first != record.line:
                raise source.repeated(record.line, first)
            known = stored.get(self._key(cells))
            if known is None:
                yield values
                continue
            if cells == known.cells:
                continue
            if source.updates and REVISION in values:
                yield {**values, REVISION: known.revision + 1}
                continue
            for column, ours, theirs in zip(self.file.columns, known.cells, cells, strict=True):
                if ours != theirs:
                    raise source.differing(record, column, ours)

    def _stored(self, session: Session) -> Iterator[Values]:
        table = table_of(self.row)
        query = select(table).order_by(*table.primary_key.columns)
        if self.row is GridImageRow:
            query = query.add_columns(GridRow.class_id).join(GridRow)
        for row in session.execute(query).mappings():
            yield dict(row)

    def _key(self, cells: Cells) -> Cells:
        columns = self.file.columns
        return tuple(cells[columns.index(column)] for column in self.file.key)


def _add_grids(session: Session, rows: list[Values], names: CrowdNames) -> None:
    """Add the grids that the rows belong to, and take the class out of the rows."""
    classes = {row["grid_id"]: row.pop("class_id") for row in rows}
    new = [grid for grid in classes if grid not in names.stored_grids]
    names.stored_grids.update(new)
    if new:
        session.execute(insert(GridRow), [{"id": g, "class_id": classes[g]} for g in new])


def _parse_grid(fields: Fields, names: CrowdNames) -> Values:
    grid = parse_name(fields["grid"], column="grid")
    class_id = names.class_id(fields["label"], "label")
    if names.grid_classes.setdefault(grid, class_id) != class_id:
        known = names.classes[names.grid_classes[grid]]
        problem = f"the grid {quoted(grid)} also has the label {known}; a grid has one label."
        raise InvalidValueError("label", problem)
    return {
        "grid_id": grid,
        "class_id": class_id,
        "position": parse_count(fields["position"], column="position", least=1),
        "image_id": names.image_id(fields),
        "role": parse_choice(fields["role"], GridRole, column="role"),
    }


def _grid_cells(row: Values, names: CrowdNames) -> Cells:
    label, image = names.classes[row["class_id"]], names.images[row["image_id"]]
    return (row["grid_id"], label, str(row["position"]), *image, row["role"])


def _parse_contains(fields: Fields, names: CrowdNames) -> Values:
    grid = parse_name(fields["grid"], column="grid")
    if grid not in names.grid_classes:
        raise InvalidValueError("grid", f"{quoted(grid)} is not a grid of the study.")
    selected = {
        parse_count(text, column="selected", least=1)
        for text in parse_list(fields["selected"], column="selected")
    }
    if unknown := sorted(selected - names.grid_positions[grid]):
        problem = f"the grid {quoted(grid)} has no position {unknown[0]}."
        raise InvalidValueError("selected", problem)
    return {
        **_answer(fields, names),
        "grid_id": grid,
        "selected": "|".join(map(str, sorted(selected))),
        "state": parse_choice(fields["state"], ContainsState, column="state"),
    }


def _answer(fields: Fields, names: CrowdNames) -> Values:
    """Return what both kinds of answers have."""
    code = names.given.participant(fields["participant"], column="participant")
    stamp = parse_name(fields["submitted_at"], column="submitted_at")
    return {
        "participant_id": code.id,
        "revision": FIRST_REVISION,
        "active_ms": parse_seconds(fields["active_seconds"], column="active_seconds"),
        "submitted_at": parse_stamp(stamp, column="submitted_at"),
    }


def _contains_cells(row: Values, names: CrowdNames) -> Cells:
    return (
        names.participants[row["participant_id"]],
        row["grid_id"],
        row["selected"],
        format_seconds(row["active_ms"]),
        row["submitted_at"],
        row["state"],
    )


def _parse_frequency(fields: Fields, names: CrowdNames) -> Values:
    shown = parse_count(fields["shown"], column="shown", least=1)
    selected = parse_count(fields["selected"], column="selected")
    if selected > shown:
        raise InvalidValueError("selected", f"{selected} is more than the {shown} it was shown to.")
    return {**_image_and_class(fields, names), "selected": selected, "shown": shown}


def _frequency_cells(row: Values, names: CrowdNames) -> Cells:
    return (*_names_of_pair(row, names), str(row["selected"]), str(row["shown"]))


def _parse_candidate(fields: Fields, names: CrowdNames) -> Values:
    return {
        **_image_and_class(fields, names),
        "place": parse_count(fields["place"], column="place", least=1),
        "reason": parse_choice(fields["reason"], LabelReason, column="reason"),
    }


def _candidate_cells(row: Values, names: CrowdNames) -> Cells:
    return (*_names_of_pair(row, names), str(row["place"]), row["reason"])


def _parse_classify(fields: Fields, names: CrowdNames) -> Values:
    labels = parse_list(fields["labels"], column="labels")
    for label in labels:
        parse_class(label, names.given.classes, column="labels")
    if fields["main"]:
        parse_class(fields["main"], names.given.classes, column="main")
    return {
        **_answer(fields, names),
        "image_id": names.image_id(fields),
        "labels": "|".join(sorted(labels)),
        "main": fields["main"],
    }


def _classify_cells(row: Values, names: CrowdNames) -> Cells:
    return (
        names.participants[row["participant_id"]],
        *names.images[row["image_id"]],
        row["labels"],
        row["main"],
        format_seconds(row["active_ms"]),
        row["submitted_at"],
    )


def _parse_object(fields: Fields, names: CrowdNames) -> Values:
    number = parse_count(fields["object"], column="object")
    of_object = fields["object_label"]
    if bool(of_object) != bool(number):
        rule = "an unplaced label (object 0) has none" if not number else "an object needs one"
        raise InvalidValueError("object_label", f"{quoted(of_object)} doesn't fit: {rule}.")
    return {
        **_image_and_class(fields, names),
        "object": number,
        "ticked": parse_count(fields["ticked"], column="ticked"),
        "answers": parse_count(fields["answers"], column="answers"),
        "object_class_id": names.class_id(of_object, "object_label") if number else None,
    }


def _object_cells(row: Values, names: CrowdNames) -> Cells:
    *image, label = _names_of_pair(row, names)
    numbers = (str(row["ticked"]), str(row["answers"]))
    return (*image, str(row["object"]), label, *numbers, _class_text(row["object_class_id"], names))


def _parse_summary(fields: Fields, names: CrowdNames) -> Values:
    ties = parse_list(fields["ties"], column="ties")
    main = fields["main_label"]
    numbers = ("num_objects", "main_picks", "main_object", "target_object", "optimal_partitions")
    return {
        "image_id": names.image_id(fields),
        "status": parse_choice(fields["status"], AnnotationStatus, column="status"),
        "answers": parse_count(fields["answers"], column="answers"),
        "count_answers": _parse_confidence(fields["confidence"], fields["answers"]),
        "main_class_id": names.class_id(main, "main_label") if main else None,
        "ties": "|".join(sorted(parse_choice(tie, ObjectTie, column="ties") for tie in ties)),
        **{name: _optional_count(fields[name], name) for name in numbers},
    }


def _parse_confidence(text: str, answers: str) -> int | None:
    """Parse an exact share of the answers such as 7/9."""
    if not text:
        return None
    count, _, total = text.partition("/")
    if total != answers or not count.isdecimal() or int(count) > int(total):
        problem = f"{quoted(text)} is not a share of the {answers} answers, such as 1/{answers}."
        raise InvalidValueError("confidence", problem)
    return int(count)


def _optional_count(text: str, column: str) -> int | None:
    return parse_count(text, column=column, least=1) if text else None


def _summary_cells(row: Values, names: CrowdNames) -> Cells:
    count = row["count_answers"]
    return (
        *names.images[row["image_id"]],
        row["status"],
        str(row["answers"]),
        _text(row["num_objects"]),
        "" if count is None else f"{count}/{row['answers']}",
        _class_text(row["main_class_id"], names),
        _text(row["main_picks"]),
        _text(row["main_object"]),
        _text(row["target_object"]),
        _text(row["optimal_partitions"]),
        row["ties"],
    )


def _image_and_class(fields: Fields, names: CrowdNames) -> Values:
    class_id = names.class_id(fields["label"], "label")
    return {"image_id": names.image_id(fields), "class_id": class_id}


def _names_of_pair(row: Values, names: CrowdNames) -> Cells:
    return (*names.images[row["image_id"]], names.classes[row["class_id"]])


def _class_text(class_id: int | None, names: CrowdNames) -> str:
    return "" if class_id is None else names.classes[class_id]


def _text(number: int | None) -> str:
    return "" if number is None else str(number)


# In the order of the format's files.
CROWD_TABLES = (
    CrowdFile(GRIDS, GridImageRow, _parse_grid, _grid_cells),
    CrowdFile(CONTAINS_ANSWERS, ContainsAnswerRow, _parse_contains, _contains_cells),
    CrowdFile(SELECTION_FREQUENCIES, SelectionFrequencyRow, _parse_frequency, _frequency_cells),
    CrowdFile(CANDIDATE_LABELS, CandidateLabelRow, _parse_candidate, _candidate_cells),
    CrowdFile(CLASSIFY_ANSWERS, ClassifyAnswerRow, _parse_classify, _classify_cells),
    CrowdFile(OBJECTS, ImageObjectRow, _parse_object, _object_cells),
    CrowdFile(IMAGE_SUMMARIES, ImageSummaryRow, _parse_summary, _summary_cells),
)
