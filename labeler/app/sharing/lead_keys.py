"""The lead's keys: making them, saving them for recovery, and unlocking them."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, RefusedError, os_error_reason
from labeler.core.input_files import require_regular_file
from labeler.store.sharing.lead_keys import StoredLeadKeys
from labeler.store.sharing.sealing import (
    LeadPrivateKeys,
    LeadPublicKeys,
    WrongSecret,
    lock_lead_keys,
    new_lead_keys,
    unlock_lead_keys,
)
from labeler.store.study_store import StudyStore

MIN_PASSPHRASE = 8
SHORT_PASSPHRASE = f"A passphrase has at least {MIN_PASSPHRASE} characters. Several words are best."
PASSPHRASES_DIFFER = "The two passphrases differ. Enter the same one twice."
WRONG_KEY_PASSPHRASE = "This passphrase doesn't unlock the keys of any lead of this study."
NO_KEYS = "The study has no lead keys yet."
_FORMAT = "labeler recovery file 1"
_MAX_RECOVERY_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class UnlockedKeys:
    """The private keys of one lead, and the public ones of all."""

    name: str
    private: LeadPrivateKeys = field(repr=False)
    leads: tuple[LeadPublicKeys, ...]


def require_passphrase(passphrase: str) -> None:
    if len(passphrase) < MIN_PASSPHRASE:
        raise RefusedError(SHORT_PASSPHRASE)


def create_keys(store: StudyStore, *, name: str, passphrase: str, recovery: Path) -> str:
    """Make keys for a lead and save their recovery file; return their fingerprint.

    The first keys of a study and those of a second lead are made in the same way.
    """
    require_passphrase(passphrase)
    if not name.strip():
        raise RefusedError("Give the keys a name, for example the lead's code.")
    keys = new_lead_keys()
    locked = lock_lead_keys(keys, passphrase)
    with store.write() as study:
        study.lead_keys.add(name, keys, locked=locked)
        # Within the transaction: no keys without a recovery file.
        _save_recovery(recovery, name, keys)
        study.lead_keys.mark_recovery_saved(keys.public.fingerprint)
        study.audit.record("lead keys made", name=name, fingerprint=keys.public.fingerprint)
    return keys.public.fingerprint


def _save_recovery(file: Path, name: str, keys: LeadPrivateKeys) -> None:
    document = {
        "format": _FORMAT,
        "name": name,
        "fingerprint": keys.public.fingerprint,
        "sealing": keys.sealing.hex(),
        "signing": keys.signing.hex(),
    }
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            json.dump(document, out, indent=2)
            out.flush()
            os.fsync(out.fileno())
    except FileExistsError as error:
        raise RefusedError(f"'{file}' exists. Give the recovery file another name.") from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be written: {os_error_reason(error)}") from error


def restore_keys(store: StudyStore, *, recovery: Path, passphrase: str) -> str:
    """Set a new passphrase with the recovery file; return the name of the keys."""
    require_passphrase(passphrase)
    keys = _read_recovery(recovery)
    with store.write() as study:
        known = {one.public.fingerprint: one for one in study.lead_keys.all()}
        found = known.get(keys.public.fingerprint)
        if found is None:
            raise RefusedError(f"'{recovery}' has the keys of another study.")
        study.lead_keys.replace_lock(keys.public.fingerprint, lock_lead_keys(keys, passphrase))
        study.audit.record("lead keys recovered", name=found.name)
    return found.name


def _read_recovery(file: Path) -> LeadPrivateKeys:
    require_regular_file(file)
    try:
        if file.stat().st_size > _MAX_RECOVERY_BYTES:
            raise ValueError
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["format"] != _FORMAT:
            raise ValueError
        keys = LeadPrivateKeys(
            bytes.fromhex(document["sealing"]), bytes.fromhex(document["signing"])
        )
        if keys.public.fingerprint != document["fingerprint"]:
            raise ValueError
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {os_error_reason(error)}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("this isn't a recovery file, or it is damaged.", file=file) from error
    return keys


def change_passphrase(store: StudyStore, *, old: str, new: str) -> str:
    """Lock a lead's keys with another passphrase; return their name."""
    require_passphrase(new)
    unlocked = unlock_keys(store, old)
    with store.write() as study:
        fingerprint = unlocked.private.public.fingerprint
        study.lead_keys.replace_lock(fingerprint, lock_lead_keys(unlocked.private, new))
    return unlocked.name


def list_keys(store: StudyStore) -> list[StoredLeadKeys]:
    with store.read() as study:
        return study.lead_keys.all()


def unlock_keys(store: StudyStore, passphrase: str) -> UnlockedKeys:
    """Return the keys that the passphrase unlocks; refused without keys or with a wrong one."""
    stored = list_keys(store)
    if not stored:
        raise RefusedError(
            NO_KEYS, by_command="`labeler keys create STUDY --recovery FILE` makes them."
        )
    for one in stored:
        try:
            private = unlock_lead_keys(one.locked, passphrase)
        except WrongSecret:
            continue
        return UnlockedKeys(one.name, private, tuple(each.public for each in stored))
    raise RefusedError(
        WRONG_KEY_PASSPHRASE,
        by_command="If it is lost, `labeler keys restore STUDY --recovery FILE` sets a new one.",
    )
