"""What a lead does in Set up: keys, pack, bundles, updates and merging, as sentences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from labeler.app.progress import ProgressReporter
from labeler.app.sharing.bundles import make_bundle
from labeler.app.sharing.forgotten_passphrase import answer_key_request
from labeler.app.sharing.lead_keys import PASSPHRASES_DIFFER, create_keys, list_keys, unlock_keys
from labeler.app.sharing.merge import (
    MergedFile,
    accept_late_answers,
    late_answers,
    merge_results,
    outcome_lines,
)
from labeler.app.sharing.packs import make_pack
from labeler.app.sharing.updates import make_update, update_sentence
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore

Sentences = tuple[str, ...]
BUNDLE_MADE = (
    "{file} is the bundle of {code} as {role}. Opening code: {opening_code}. Write it down now: "
    "it isn't shown again. Give it to {code} by another way than the file."
)
BUNDLE_UNLOCKED = (
    "Send {file} back. Code: {code}. Write it down now: it isn't shown again. Give it to the "
    "person by another way than the file."
)


class LeadSharing:
    """Blocking calls of one study; each returns what was done."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def has_keys(self) -> bool:
        return bool(list_keys(self._store))

    def create_keys(
        self, name: str, passphrase: str, recovery: Path, *, repeated: str
    ) -> Sentences:
        if passphrase != repeated:
            raise RefusedError(PASSPHRASES_DIFFER)
        fingerprint = create_keys(self._store, name=name, passphrase=passphrase, recovery=recovery)
        return (
            f"The keys of {name} are made: {fingerprint}.",
            f"Move the recovery file {recovery} to a safe place off this computer.",
        )

    def make_pack(self, file: Path, progress: ProgressReporter) -> Sentences:
        made = make_pack(self._store, file, progress=progress)
        return (f"{file} has {made.images:,} images in {made.bytes / 1e6:,.1f} MB.",)

    def make_bundle(
        self,
        code: str,
        role: Role | None,
        file: Path,
        passphrase: str,
        *,
        tasks: int,
        with_pack: bool = False,
    ) -> Sentences:
        keys = unlock_keys(self._store, passphrase)
        made = make_bundle(
            self._store, file, code=code, keys=keys, role=role, tasks=tasks, with_pack=with_pack
        )
        sentence = BUNDLE_MADE.format(
            file=file, code=code, role=made.role.value, opening_code=made.opening_code
        )
        return (sentence,)

    def make_update(self, file: Path, passphrase: str, progress: ProgressReporter) -> Sentences:
        keys = unlock_keys(self._store, passphrase)
        images = make_update(self._store, file, keys=keys, progress=progress)
        return (update_sentence(file, images),)

    def waiting_answers(self) -> Mapping[str, int]:
        """Return how many late answers wait to be accepted, by the code of their person."""
        return Counter(one.code for one in late_answers(self._store) if not one.accepted)

    def accept_late(self, codes: Sequence[str]) -> Sentences:
        """Let the late answers of these people count."""
        counts = {code: accept_late_answers(self._store, code) for code in codes}
        return tuple(
            f"{count_noun(count, 'late answer')} of {code} accepted."
            for code, count in counts.items()
        )

    def unlock_bundle(self, request: Path, reply: Path, passphrase: str) -> Sentences:
        """Answer the request of a person who forgot the passphrase."""
        keys = unlock_keys(self._store, passphrase)
        code = answer_key_request(self._store, request, reply, keys=keys)
        return (BUNDLE_UNLOCKED.format(file=reply, code=code),)

    def preview(
        self, files: Sequence[Path], passphrase: str, progress: ProgressReporter
    ) -> list[MergedFile]:
        """Return what the files would bring; nothing is changed."""
        if not files:
            raise RefusedError("Choose the results files to merge.")
        keys = unlock_keys(self._store, passphrase)
        return merge_results(self._store, files, keys=keys, preview=True, progress=progress)

    def merge(
        self, seen: Sequence[MergedFile], passphrase: str, progress: ProgressReporter
    ) -> Sentences:
        """Merge files after a preview in which the lead compared the fingerprints."""
        keys = unlock_keys(self._store, passphrase)
        merged = merge_results(
            self._store,
            [one.file for one in seen],
            keys=keys,
            confirmed={one.outcome.writer_id for one in seen},
            progress=progress,
        )
        return tuple(line for one in merged for line in outcome_lines(one))
