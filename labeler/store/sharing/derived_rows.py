"""The study's rows of one person, derived from all chains that were merged for them.

The result depends on the set of merged entries only, not on the order of merging.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, delete, insert, select, tuple_, update
from sqlalchemy.orm import Session

from labeler.core.sharing.conflict_order import TimedAnswer, in_counting_order
from labeler.core.study.entities import SessionTask
from labeler.store.schema import (
    ChainWriterRow,
    FlagCheckRow,
    MergedRow,
    ReviewRepeatRow,
    ReviewVisitRow,
    SessionRow,
    TrialRow,
    table_of,
)
from labeler.store.sharing.row_values import BadRow, canonical
from labeler.store.sharing.shared_tables import SHARED_TABLES, MergeRule, SharedTable
from labeler.store.sharing.writer_rows import SharedRow

# The rows that were in the study before any merge count as those of a writer without an id.
_STUDY = ""
_KEYS_AT_ONCE = 200
Rows = dict[tuple[Any, ...], dict[str, Any]]
WriterRows = Mapping[str, Mapping[str, Mapping[str, SharedRow]]]
# Columns of a trial that its labeler changes.
_TRIAL_CHANGES = ("shown_at", "locked_at", "flagged_wall_ms", "asking")


@dataclass(slots=True)
class DerivedChanges:
    """What deriving changed, and how many questions two writers answered."""

    added: int = 0
    removed: int = 0
    updated: int = 0
    conflicts: int = 0


class PersonRows:
    """Derives the rows of one person."""

    def __init__(self, session: Session, participant_id: int) -> None:
        self._session = session
        self._person = participant_id
        self._changes = DerivedChanges()
        self._by_rule: dict[MergeRule, Callable[[SharedTable, WriterRows], None]] = {
            MergeRule.STATE: self._put_states,
            MergeRule.NUMBERED: self._put_numbered,
            MergeRule.APPENDED: self._put_appended,
            MergeRule.ADDED: self._put_added,
        }
        assert set(self._by_rule) == set(MergeRule) - {MergeRule.PAGE}

    def derive(self, writers: WriterRows) -> DerivedChanges:
        """Bring the person's rows to what the writers' rows say."""
        for table in SHARED_TABLES:
            if table.rule is not MergeRule.PAGE:
                self._by_rule[table.rule](table, writers)
        self._session.flush()
        return self._changes

    # One row per key.

    def _put_states(self, table: SharedTable, writers: WriterRows) -> None:
        existing = self._existing(table)
        combined: Rows = {}
        for writer in _by_last_change(table, writers):
            for row in writers[writer].get(table.name, {}).values():
                key = tuple(row.values[column] for column in table.key)
                before = combined.get(key)
                combined[key] = row.values if before is None else _combined(before, row.values)
        new = [values for key, values in combined.items() if key not in existing]
        if table.row is TrialRow:
            self._require_own_trials(new)
        self._insert(table, new)
        watched = _TRIAL_CHANGES if table.row is TrialRow else table.watched
        changed = {
            key: {column: values[column] for column in watched}
            for key, values in combined.items()
            if key in existing and any(existing[key][c] != values[c] for c in watched)
        }
        self._changes.updated += len(changed)
        if table.row is TrialRow:
            self._free_askings(existing, changed)
        self._update(table, changed)

    def _update(self, table: SharedTable, changed: Rows) -> None:
        """Change watched columns of many rows with one statement."""
        if not changed:
            return
        target = table_of(table.row)
        is_row = [target.c[name] == bindparam(f"key_{name}") for name in table.key]
        rows = [
            {f"key_{name}": part for name, part in zip(table.key, key, strict=True)}
            | {f"new_{name}": value for name, value in values.items()}
            for key, values in changed.items()
        ]
        columns = next(iter(changed.values()))
        written = update(target).where(*is_row)
        self._session.connection().execute(
            written.values({name: bindparam(f"new_{name}") for name in columns}), rows
        )

    def _require_own_trials(self, new: Iterable[Mapping[str, Any]]) -> None:
        """A person makes trials of trainings only: those of the evaluation are the lead's."""
        if any(values["task"] is not SessionTask.TRAIN for values in new):
            raise BadRow("it has a trial that the lead didn't make")

    def _free_askings(self, existing: Rows, changed: Rows) -> None:
        """Move the numbers of repeats out of the way: two trials may have exchanged them."""
        for key, values in changed.items():
            if existing[key]["asking"] != values["asking"]:
                self._session.execute(
                    update(TrialRow)
                    .where(TrialRow.id == key[0])
                    .values(asking=-1 - abs(int(existing[key]["asking"])))
                )

    # Rows numbered within a group.

    def _put_numbered(self, table: SharedTable, writers: WriterRows) -> None:
        groups: dict[object, dict[str, list[TimedAnswer[SharedRow]]]] = {}
        for writer, tables in writers.items():
            rows = sorted(
                tables.get(table.name, {}).values(), key=lambda row: row.values[table.counter]
            )
            for row in rows:
                of_group = groups.setdefault(_group(table, row.values), {})
                of_group.setdefault(writer, []).append(TimedAnswer(row.at, row))
        if table.at:
            self._changes.conflicts += sum(len(by_writer) > 1 for by_writer in groups.values())
        merged = self._merged(table)
        existing = self._existing(table)
        merged_keys = set(merged.values())
        ours = {key for key in existing if canonical([str(k) for k in key]) in merged_keys}
        self._add_own_rows(table, groups, existing, ours)
        wanted, mapping = _numbered(table, groups)
        outdated = [
            key
            for key, values in existing.items()
            if (key in ours or key in wanted or _group(table, values) in groups)
            and wanted.get(key) != values
        ]
        self._delete(table, outdated)
        kept = existing.keys() - set(outdated)
        self._insert(table, [values for key, values in wanted.items() if key not in kept])
        self._map(table, mapping, merged)

    def _add_own_rows(
        self,
        table: SharedTable,
        groups: dict[object, dict[str, list[TimedAnswer[SharedRow]]]],
        existing: Rows,
        ours: set[tuple[Any, ...]],
    ) -> None:
        """Let the rows that didn't come from a merge take part like those of a writer."""
        for key, values in sorted(existing.items(), key=lambda item: item[1][table.counter]):
            by_writer = groups.get(_group(table, values))
            if key not in ours and by_writer is not None:
                at = str(values[table.at] or "") if table.at else ""
                row = SharedRow("", at, 0, dict(values))
                by_writer.setdefault(_STUDY, []).append(TimedAnswer(at, row))

    # Rows that the study numbers.

    def _put_appended(self, table: SharedTable, writers: WriterRows) -> None:
        (id_column,) = table.key
        existing, merged = self._existing(table), self._merged(table)
        new: list[tuple[tuple[str, str], dict[str, Any]]] = []
        wanted: set[tuple[str, str]] = set()
        for writer in sorted(writers):
            for row in writers[writer].get(table.name, {}).values():
                place = (writer, row.local_key)
                wanted.add(place)
                values = {name: v for name, v in row.values.items() if name != id_column}
                known = merged.get(place)
                key = None if known is None else (int(json.loads(known)[0]),)
                if key is None or key not in existing:
                    new.append((place, values))
                elif {**existing[key], **values} != existing[key]:
                    self._changes.updated += 1
                    self._session.execute(
                        update(table_of(table.row)).where(_has_key(table, key)).values(**values)
                    )
        gone = {place: key for place, key in merged.items() if place not in wanted}
        self._delete(table, [(int(json.loads(key)[0]),) for key in gone.values()])
        mapping = {place: key for place, key in merged.items() if place in wanted}
        mapping.update(self._insert_numbered(table, new, id_column))
        self._map(table, mapping, merged)

    def _insert_numbered(
        self,
        table: SharedTable,
        rows: list[tuple[tuple[str, str], dict[str, Any]]],
        id_column: str,
    ) -> dict[tuple[str, str], str]:
        if not rows:
            return {}
        target = table_of(table.row)
        added = insert(target).returning(target.c[id_column], sort_by_parameter_order=True)
        ids = self._session.scalars(added, [values for _place, values in rows]).all()
        self._changes.added += len(rows)
        return {
            place: canonical([str(number)])
            for (place, _values), number in zip(rows, ids, strict=True)
        }

    # Rows that are only added.

    def _put_added(self, table: SharedTable, writers: WriterRows) -> None:
        wanted: Rows = {}
        for writer in sorted(writers):
            for row in writers[writer].get(table.name, {}).values():
                key = tuple(row.values[column] for column in table.key)
                if key not in wanted or row.at < str(wanted[key].get(table.at, "")):
                    wanted[key] = row.values
        new = [
            values
            for key, values in wanted.items()
            if self._session.get(table.row, key[0] if len(key) == 1 else key) is None
        ]
        self._insert(table, new)

    # The database.

    def _existing(self, table: SharedTable) -> Rows:
        """Return all rows of the person."""
        target = table_of(table.row)
        query = select(target).where(self._is_own(table))
        return {
            tuple(row[column] for column in table.key): dict(row)
            for row in self._session.execute(query).mappings()
        }

    def _is_own(self, table: SharedTable) -> ColumnElement[bool]:
        columns = table_of(table.row).c
        if "participant_id" in columns:
            return columns["participant_id"] == self._person
        owners: dict[str, Select[Any]] = {
            "trial_id": select(TrialRow.id).where(TrialRow.participant_id == self._person),
            "session_id": select(SessionRow.id).where(SessionRow.participant_id == self._person),
            "repeat_id": select(ReviewRepeatRow.id).where(
                ReviewRepeatRow.participant_id == self._person
            ),
            "check_id": select(FlagCheckRow.id).where(FlagCheckRow.participant_id == self._person),
            "image_id": select(ReviewVisitRow.image_id).where(
                ReviewVisitRow.participant_id == self._person
            ),
        }
        # The key of the table decides; other columns may refer to more.
        column = next(name for name in (*table.key, *columns.keys()) if name in owners)
        return columns[column].in_(owners[column])

    def _merged(self, table: SharedTable) -> dict[tuple[str, str], str]:
        """Return the keys in the study of the rows merged so far, by writer and local key."""
        query = (
            select(MergedRow.writer_id, MergedRow.local_key, MergedRow.row_key)
            .join(ChainWriterRow, ChainWriterRow.id == MergedRow.writer_id)
            .where(
                ChainWriterRow.participant_id == self._person,
                MergedRow.table_name == table.name,
            )
        )
        return {(writer, local): key for writer, local, key in self._session.execute(query)}

    def _map(
        self,
        table: SharedTable,
        wanted: Mapping[tuple[str, str], str],
        merged: Mapping[tuple[str, str], str],
    ) -> None:
        outdated = [place for place, key in merged.items() if wanted.get(place) != key]
        for start in range(0, len(outdated), _KEYS_AT_ONCE):
            chunk = outdated[start : start + _KEYS_AT_ONCE]
            self._session.execute(
                delete(MergedRow).where(
                    MergedRow.table_name == table.name,
                    tuple_(MergedRow.writer_id, MergedRow.local_key).in_(chunk),
                )
            )
        new = [
            {
                "writer_id": writer,
                "table_name": table.name,
                "local_key": local,
                "row_key": key,
            }
            for (writer, local), key in wanted.items()
            if merged.get((writer, local)) != key
        ]
        if new:
            self._session.execute(insert(table_of(MergedRow)), new)

    def _insert(self, table: SharedTable, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._session.execute(insert(table_of(table.row)), rows)
            self._changes.added += len(rows)

    def _delete(self, table: SharedTable, keys: list[tuple[Any, ...]]) -> None:
        target = table_of(table.row)
        columns = [target.c[column] for column in table.key]
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            chunk = keys[start : start + _KEYS_AT_ONCE]
            self._session.execute(delete(target).where(tuple_(*columns).in_(chunk)))
        self._changes.removed += len(keys)


def _has_key(table: SharedTable, key: tuple[Any, ...]) -> ColumnElement[bool]:
    target = table_of(table.row)
    return tuple_(*(target.c[column] for column in table.key)).in_([key])


def _group(table: SharedTable, values: Mapping[str, Any]) -> object:
    """Return what rows are numbered within: a training's trial, else what the table says."""
    if values.get("task") is SessionTask.TRAIN:
        return "train", values["trial_id"]
    return tuple(values[column] for column in table.group)


def _numbered(
    table: SharedTable, groups: Mapping[object, Mapping[str, list[TimedAnswer[SharedRow]]]]
) -> tuple[Rows, dict[tuple[str, str], str]]:
    """Return the rows with their numbers, and which row each writer's row is."""
    wanted: Rows = {}
    mapping: dict[tuple[str, str], str] = {}
    for by_writer in groups.values():
        owner = {id(a.row): writer for writer, answers in by_writer.items() for a in answers}
        for number, row in enumerate(in_counting_order(by_writer), start=1):
            values = {**row.values, table.counter: number}
            key = tuple(values[column] for column in table.key)
            wanted[key] = values
            if owner[id(row)] != _STUDY:
                mapping[owner[id(row)], row.local_key] = canonical([str(part) for part in key])
    return wanted, mapping


def _by_last_change(table: SharedTable, writers: WriterRows) -> list[str]:
    def last(writer: str) -> tuple[str, str]:
        rows = writers[writer].get(table.name, {}).values()
        return max((row.at for row in rows), default=""), writer

    return sorted(writers, key=last)


def _combined(before: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """Return a trial as two writers changed it: first shown, first locked, last order."""
    values = dict(later)
    for column in ("shown_at", "locked_at"):
        if column in values:
            given = [one[column] for one in (before, later) if one[column] is not None]
            values[column] = min(given, default=None)
    return values
