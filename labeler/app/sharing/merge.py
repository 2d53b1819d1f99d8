"""Merging results files into the lead's study, with a preview that changes nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.sharing.guide_edits import GuideEditMerge
from labeler.app.sharing.lead_keys import UnlockedKeys
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import EnvironmentFault, InputError, RefusedError, os_error_reason
from labeler.core.input_files import require_regular_file
from labeler.core.text import count_noun
from labeler.store.sharing.merges import LateDecision, MergeOutcome
from labeler.store.sharing.results_file import (
    MAX_FILE_BYTES,
    BadResults,
    ReceivedResults,
    SealedToOthers,
    open_results,
)
from labeler.store.sharing.row_values import BadRow
from labeler.store.study.sessions import person_id
from labeler.store.study_store import StudyStore, Transaction

NOT_SEALED_TO_YOU = "these results are sealed to another lead. Use that lead's passphrase."
OTHER_STUDY = "these are results of another study, or of a bundle that this study doesn't know."
CONFIRM = (
    "{code} uses a key that you haven't confirmed: {fingerprint}. Ask {code} to read the "
    "fingerprint that “Save results…” shows. If it is the same, confirm it."
)


@dataclass(frozen=True, slots=True)
class MergedFile:
    """A results file and what it brings to the study."""

    file: Path
    outcome: MergeOutcome


class _Undo(Exception):
    """Leaves a transaction without keeping anything."""


def merge_results(
    store: StudyStore,
    files: Sequence[Path],
    *,
    keys: UnlockedKeys,
    confirmed: Collection[str] = (),
    preview: bool = False,
    progress: ProgressReporter | None = None,
) -> list[MergedFile]:
    """Merge the files, all or none of them; `confirmed` are fingerprints the lead compared.

    A preview does the same and then undoes it. In it, unconfirmed keys are shown, not refused.
    """
    watcher = progress or NoProgress()
    watcher.start("Reading results", len(files))
    received = []
    for file in files:
        received.append((file, _opened(file, keys)))
        watcher.advance()
    merged: list[MergedFile] = []
    try:
        with store.write() as study:
            watcher.start("Merging results", len(received))
            for file, results in received:
                merged.append(
                    _take(
                        study,
                        file,
                        results,
                        confirmed,
                        taxonomy=store.taxonomy,
                        preview=preview,
                    )
                )
                watcher.advance()
            if preview:
                raise _Undo
            for one in merged:
                _record(study, one)
    except _Undo:
        pass
    return merged


def _opened(file: Path, keys: UnlockedKeys) -> ReceivedResults:
    require_regular_file(file)
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise InputError("it is larger than any results of a study.", file=file)
        return open_results(file.read_bytes(), keys.private)
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {os_error_reason(error)}") from error
    except SealedToOthers as error:
        raise InputError(NOT_SEALED_TO_YOU, file=file) from error
    except BadResults as error:
        raise InputError(f"{error}. Nothing was merged; ask for it again.", file=file) from error


def _take(
    study: Transaction,
    file: Path,
    received: ReceivedResults,
    confirmed: Collection[str],
    *,
    taxonomy: Taxonomy,
    preview: bool,
) -> MergedFile:
    owner = study.merges.owner(received.bundle_id)
    if owner is None:
        raise InputError(OTHER_STUDY, file=file)
    known = study.merges.is_confirmed(received.writer_id) or received.writer_id in confirmed
    if not known and not preview:
        sentence = CONFIRM.format(code=owner.code, fingerprint=received.writer_id)
        raise RefusedError(
            sentence, by_command=f"Repeat the command with `--confirm {received.writer_id}`."
        )
    try:
        outcome = study.merges.take(received, owner)
    except BadRow as error:
        raise InputError(f"it can't be merged: {error}. Nothing was merged.", file=file) from error
    except RefusedError as error:
        raise InputError(str(error), file=file) from error
    study.review.flag_checks.settle_answers(owner.participant_id)
    _merge_guide(study, outcome, taxonomy)
    outcome.is_confirmed = known
    return MergedFile(file, outcome)


def _merge_guide(study: Transaction, outcome: MergeOutcome, taxonomy: Taxonomy) -> None:
    edits = study.merges.new_guide_edits(outcome.writer_id, outcome.role)
    if edits:
        found = GuideEditMerge(
            study, taxonomy=taxonomy, author=outcome.code, writer_id=outcome.writer_id
        ).take(edits)
        outcome.guide_edits = found.edits
        outcome.guide_conflicts = tuple(dict.fromkeys(found.conflicts))
        outcome.guide_refusals = tuple(dict.fromkeys(found.refusals))


def _record(study: Transaction, merged: MergedFile) -> None:
    outcome = merged.outcome
    study.audit.record(
        "results merged",
        code=outcome.code,
        writer=outcome.writer_id,
        entries=outcome.new_entries,
        decisions=outcome.new_decisions,
        late=outcome.late,
        missing=outcome.missing_entries,
    )


def late_answers(store: StudyStore) -> list[LateDecision]:
    """Return the answers that came after the lock."""
    with store.read() as study:
        return study.merges.late()


def accept_late_answers(store: StudyStore, code: str) -> int:
    """Let a person's late answers count; return how many."""
    with store.write() as study:
        count = study.merges.accept_late(code)
        study.review.flag_checks.settle_answers(person_id(study.session, code))
        study.audit.record("late answers accepted", code=code, count=count)
    return count


def outcome_lines(merged: MergedFile) -> list[str]:
    """Return what a file brings, in sentences for the lead."""
    outcome = merged.outcome
    new = count_noun(outcome.new_decisions, "new decision")
    lines = [f"{merged.file.name}: {new} of {outcome.code} ({outcome.role.value})."]
    if not outcome.is_confirmed:
        lines.append(CONFIRM.format(code=outcome.code, fingerprint=outcome.writer_id))
    if outcome.missing_entries:
        missing = count_noun(outcome.missing_entries, "entry", "entries")
        lines.append(
            f"This file is shorter than one merged before: {missing} that the study has aren't in "
            "it. It may be an older file, or work was removed from the bundle."
        )
    if outcome.conflicts:
        twice = count_noun(outcome.conflicts, "question")
        lines.append(
            f"{twice} of {outcome.code} were answered on two computers. Both answers are kept; "
            "the later one counts."
        )
    if outcome.late:
        late = count_noun(outcome.late, "entry", "entries")
        lines.append(f"{late} of {outcome.code} came after the lock and don't count yet.")
    if outcome.guide_edits:
        edits = count_noun(outcome.guide_edits, "edit")
        lines.append(f"{edits} of the guide by {outcome.code}.")
    if outcome.guide_conflicts:
        lines.append(
            f"Other people changed the same lines of {', '.join(outcome.guide_conflicts)}. The "
            "text that was saved later is shown; the page's versions include both."
        )
    if outcome.guide_refusals:
        lines.append(
            f"Not added to the guide: {', '.join(outcome.guide_refusals)}. The page isn't valid, "
            "or covers a class of another page."
        )
    return lines
