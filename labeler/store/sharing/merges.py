"""Merging results into the study: chains of entries, and the rows that follow from them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.sharing.chain import ChainEntry
from labeler.core.study.entities import Role, SessionTask
from labeler.core.study.phases import PHASE_BY_STAGE, Phase
from labeler.store.schema import (
    BundleRow,
    ChainEntryRow,
    ChainWriterRow,
    DraftRow,
    GuideVersionRow,
    MergedRow,
    ParticipantRow,
    PhaseRow,
    PredictionRow,
    RepeatedPredictionRow,
    table_of,
)
from labeler.store.sharing.derived_rows import DerivedChanges, PersonRows
from labeler.store.sharing.guide_edits import GuideEdit, guide_edits
from labeler.store.sharing.results_file import ReceivedResults
from labeler.store.sharing.row_values import MAX_TEXT, BadRow, canonical
from labeler.store.sharing.shared_tables import DECISION_TABLES, Link, SharedTable
from labeler.store.sharing.writer_rows import (
    IdTranslator,
    ParsedEntry,
    SharedRow,
    collected_rows,
    parsed_entry,
)

_MAX_DRAFTS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleOwner:
    """Whose bundle it is."""

    participant_id: int
    code: str
    role: Role


@dataclass(frozen=True, slots=True)
class LateDecision:
    """An entry with an answer that was committed after the lock; it counts once accepted."""

    writer_id: str
    number: int
    code: str
    at: str
    accepted: bool


@dataclass(slots=True, kw_only=True)
class MergeOutcome:
    """What a results file brought."""

    code: str
    role: Role
    writer_id: str
    is_confirmed: bool
    new_entries: int = 0
    new_decisions: int = 0
    known_entries: int = 0
    missing_entries: int = 0
    late: int = 0
    conflicts: int = 0
    guide_edits: int = 0
    guide_conflicts: tuple[str, ...] = ()
    guide_refusals: tuple[str, ...] = ()
    changes: DerivedChanges = field(default_factory=DerivedChanges)


class Merges:
    """Takes received results into the study; the same results can be taken again."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._locks: dict[Phase, str] | None = None
        # The entries of one person's writers, which are needed several times in a merge.
        self._parsed: dict[str, list[ParsedEntry]] = {}

    def owner(self, bundle_id: str) -> BundleOwner | None:
        """Return whose bundle it is, or None if it isn't of this study."""
        query = (
            select(BundleRow.participant_id, ParticipantRow.code, BundleRow.role)
            .join(ParticipantRow, ParticipantRow.id == BundleRow.participant_id)
            .where(BundleRow.id == bundle_id)
        )
        found = self._session.execute(query).one_or_none()
        if found is None:
            return None
        person, code, role = found
        return BundleOwner(participant_id=person, code=code, role=role)

    def is_confirmed(self, writer_id: str) -> bool:
        row = self._session.get(ChainWriterRow, writer_id)
        return row is not None and row.confirmed_at is not None

    def take(self, received: ReceivedResults, owner: BundleOwner) -> MergeOutcome:
        """Append what is new of the chain, and derive the person's rows again.

        The writer counts as confirmed by the caller. BadRow is raised for what isn't theirs.
        """
        writer = self._writer(received, owner)
        known = self._entries(writer.id)
        outcome = MergeOutcome(
            code=owner.code,
            role=owner.role,
            writer_id=writer.id,
            is_confirmed=True,
            known_entries=len(known),
            missing_entries=max(0, len(known) - len(received.entries)),
        )
        _require_same_start(known, received.entries)
        new = received.entries[len(known) :]
        self._parsed = {}
        outcome.new_entries = len(new)
        if new:
            self._append(writer, new, received.head_signature)
        parsed = self._parsed_entries(writer.id, owner.role)
        outcome.new_decisions = sum(
            table.name in DECISION_TABLES
            for entry in parsed[len(known) :]
            for table, _values in entry.rows
        )
        outcome.changes = self.derive(owner.participant_id)
        outcome.conflicts = outcome.changes.conflicts
        outcome.late = sum(not one.accepted for one in self.late(owner.participant_id))
        if not outcome.missing_entries:
            self._take_drafts(received, owner)
        return outcome

    def _writer(self, received: ReceivedResults, owner: BundleOwner) -> ChainWriterRow:
        row = self._session.get(ChainWriterRow, received.writer_id)
        if row is None:
            row = ChainWriterRow(
                id=received.writer_id,
                bundle_id=received.bundle_id,
                participant_id=owner.participant_id,
                public_key=received.public_key,
                confirmed_at=stamp(self._clock.utc()),
                last_number=0,
                last_hash="",
            )
            self._session.add(row)
            self._session.flush()
        if row.bundle_id != received.bundle_id:
            raise RefusedError("The same key signed the results of another bundle.")
        return row

    def _entries(self, writer_id: str) -> list[ChainEntry]:
        query = (
            select(ChainEntryRow.number, ChainEntryRow.hash, ChainEntryRow.content)
            .where(ChainEntryRow.writer_id == writer_id)
            .order_by(ChainEntryRow.number)
        )
        return [ChainEntry(*row) for row in self._session.execute(query)]

    def _append(self, writer: ChainWriterRow, new: Sequence[ChainEntry], signature: bytes) -> None:
        now = stamp(self._clock.utc())
        rows = [
            {
                "writer_id": writer.id,
                "number": entry.number,
                "hash": entry.hash,
                "content": entry.content,
                "added_at": now,
            }
            for entry in new
        ]
        self._session.execute(insert(table_of(ChainEntryRow)), rows)
        last = new[-1]
        writer.last_number, writer.last_hash = last.number, last.hash
        writer.signature = signature
        self._session.flush()

    # Deriving.

    def derive(self, participant_id: int) -> DerivedChanges:
        """Derive the person's rows from all their chains."""
        writers = self.writer_rows(participant_id)
        return PersonRows(self._session, participant_id).derive(writers)

    def writer_rows(self, participant_id: int) -> dict[str, dict[str, dict[str, SharedRow]]]:
        """Return what each writer's entries say, without what is late and not accepted."""
        found = {}
        for writer_id, bundle_id, role in self._writers(participant_id):
            entries = [
                entry if counts else _only_sessions(entry)
                for entry, counts in self._counted(writer_id, role)
            ]
            translator = IdTranslator(self._session, bundle_id, participant_id)
            found[writer_id] = collected_rows(entries, translator)
        return found

    def _writers(self, participant_id: int) -> list[tuple[str, str, Role]]:
        query = (
            select(ChainWriterRow.id, ChainWriterRow.bundle_id, BundleRow.role)
            .join(BundleRow, BundleRow.id == ChainWriterRow.bundle_id)
            .where(ChainWriterRow.participant_id == participant_id)
            .order_by(ChainWriterRow.id)
        )
        return [(writer, bundle, role) for writer, bundle, role in self._session.execute(query)]

    def _parsed_entries(self, writer_id: str, role: Role) -> list[ParsedEntry]:
        if writer_id not in self._parsed:
            self._parsed[writer_id] = [
                parsed_entry(entry, role) for entry in self._entries(writer_id)
            ]
        return self._parsed[writer_id]

    def _counted(self, writer_id: str, role: Role) -> list[tuple[ParsedEntry, bool]]:
        accepted = self._accepted(writer_id)
        return [
            (entry, entry.number in accepted or self._late_at(entry) is None)
            for entry in self._parsed_entries(writer_id, role)
        ]

    def _accepted(self, writer_id: str) -> set[int]:
        query = select(ChainEntryRow.number).where(
            ChainEntryRow.writer_id == writer_id, ChainEntryRow.accepted_at.is_not(None)
        )
        return set(self._session.scalars(query))

    # The guide.

    def new_guide_edits(self, writer_id: str, role: Role) -> list[GuideEdit]:
        """Return the writer's edits of the guide that weren't merged yet, in their order."""
        edits = guide_edits(self._parsed_entries(writer_id, role))
        merged = set(
            self._session.scalars(
                select(MergedRow.local_key).where(
                    MergedRow.writer_id == writer_id,
                    MergedRow.table_name == GuideVersionRow.__tablename__,
                )
            )
        )
        return [edit for edit in edits if edit.local_key not in merged]

    def mark_guide_edit(self, writer_id: str, edit: GuideEdit, number: int | None) -> None:
        """Remember which version the edit became; None if it was refused."""
        row = {
            "writer_id": writer_id,
            "table_name": GuideVersionRow.__tablename__,
            "local_key": edit.local_key,
            "row_key": canonical([edit.slug, "" if number is None else str(number)]),
        }
        self._session.execute(insert(table_of(MergedRow)), [row])

    # Late answers.

    def late(self, participant_id: int | None = None) -> list[LateDecision]:
        """Return the entries that came after the lock, of one person or of all."""
        query = (
            select(ChainWriterRow.id, ParticipantRow.code, BundleRow.role)
            .join(ParticipantRow, ParticipantRow.id == ChainWriterRow.participant_id)
            .join(BundleRow, BundleRow.id == ChainWriterRow.bundle_id)
        )
        if participant_id is not None:
            query = query.where(ChainWriterRow.participant_id == participant_id)
        found = []
        for writer, code, role in self._session.execute(query.order_by(ChainWriterRow.id)).all():
            accepted = self._accepted(writer)
            for entry in self._parsed_entries(writer, role):
                at = self._late_at(entry)
                if at is not None:
                    found.append(
                        LateDecision(writer, entry.number, code, at, entry.number in accepted)
                    )
        return found

    def accept_late(self, code: str) -> int:
        """Let the person's late answers count, and return their number."""
        query = select(ParticipantRow.id).where(ParticipantRow.code == code)
        person = self._session.scalar(query)
        if person is None:
            raise RefusedError(f"The study has no participant '{code}'.")
        late = [one for one in self.late(person) if not one.accepted]
        for one in late:
            self._session.execute(
                update(ChainEntryRow)
                .where(ChainEntryRow.writer_id == one.writer_id, ChainEntryRow.number == one.number)
                .values(accepted_at=stamp(self._clock.utc()))
            )
        self.derive(person)
        return len(late)

    def _late_at(self, entry: ParsedEntry) -> str | None:
        """Return when a decision of the entry was committed if that was after the lock."""
        locks = self._lock_times()
        for table, values in entry.rows:
            phase = self._phase(table, values) if table.name in DECISION_TABLES else None
            locked_at = locks.get(phase) if phase is not None else None
            at = str(values[table.at] or "") if table.at else ""
            if locked_at is not None and at > locked_at:
                return at
        return None

    def _lock_times(self) -> dict[Phase, str]:
        if self._locks is None:
            query = select(PhaseRow.phase, PhaseRow.locked_at)
            rows = self._session.execute(query.where(PhaseRow.locked_at.is_not(None))).all()
            self._locks = {phase: at for phase, at in rows if at is not None}
        return self._locks

    def _phase(self, table: SharedTable, values: Mapping[str, Any]) -> Phase | None:
        """Return the phase that allows the decision."""
        if table.row is PredictionRow:
            return Phase.EVALUATE if values["task"] is SessionTask.EVALUATE else None
        if table.row is RepeatedPredictionRow:
            return Phase.EVALUATE
        if "stage" in values:
            return PHASE_BY_STAGE[values["stage"]]
        return None

    def chain_faults(self) -> list[str]:
        """Return what `labeler check` reports about merged work; nothing stays changed."""
        from labeler.store.sharing.chain_check import chain_faults

        try:
            return list(chain_faults(self._session, self._clock))
        finally:
            self._session.rollback()

    # Drafts.

    def _take_drafts(self, received: ReceivedResults, owner: BundleOwner) -> None:
        """Keep the person's unfinished work where it is newer than what the study has."""
        if len(received.drafts) > _MAX_DRAFTS:
            raise BadRow("it has too many drafts")
        translator = IdTranslator(self._session, received.bundle_id, owner.participant_id)
        for draft in received.drafts:
            row = _checked_draft(draft, translator)
            if row is not None:
                self._keep_newest_draft(owner.participant_id, row)

    def _keep_newest_draft(self, person: int, row: dict[str, Any]) -> None:
        key = (person, row["task"], row["subject"])
        known = self._session.get(DraftRow, key)
        answered = self._session.scalar(
            select(func.max(PredictionRow.committed_at)).where(
                PredictionRow.trial_id == row["subject"]
            )
        )
        is_old = answered is not None and answered >= row["updated_at"]
        if known is None and not is_old:
            self._session.add(DraftRow(participant_id=person, **row))
        elif known is not None and (known.updated_at, known.contents) < (
            row["updated_at"],
            row["contents"],
        ):
            known.contents, known.updated_at = row["contents"], row["updated_at"]
        self._session.flush()


def _only_sessions(entry: ParsedEntry) -> ParsedEntry:
    rows = tuple((table, values) for table, values in entry.rows if table.name == "session")
    return ParsedEntry(entry.number, entry.at, rows)


def _require_same_start(known: list[ChainEntry], received: tuple[ChainEntry, ...]) -> None:
    """Refuse a chain that says something else about a decision merged before."""
    for before, now in zip(known, received, strict=False):
        if before.hash != now.hash:
            raise RefusedError(
                f"Decision {before.number} differs from the one that was merged before. The "
                "person's computer may have been restored from a backup: make them a new bundle, "
                "and merge its results."
            )


def _checked_draft(draft: Mapping[str, Any], translator: IdTranslator) -> dict[str, Any] | None:
    """Return the draft of a trial with the study's ids, or None for any other draft."""
    try:
        task = SessionTask(draft["task"])
        subject, contents, at = (draft[name] for name in ("subject", "contents", "updated_at"))
        if not all(isinstance(text, str) and len(text) <= MAX_TEXT for text in (contents, at)):
            raise BadRow("a draft of it is too long")
        if not isinstance(json.loads(contents), dict):
            raise BadRow("a draft of it can't be read")
    except (KeyError, ValueError, TypeError) as error:
        raise BadRow("a draft of it can't be read") from error
    trial = translator.original(Link.TRIAL, str(subject))
    if trial is None or task is not SessionTask.EVALUATE:
        return None
    return {"task": task, "subject": trial, "contents": contents, "updated_at": at}
