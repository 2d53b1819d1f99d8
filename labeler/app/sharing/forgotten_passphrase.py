"""A person forgot the passphrase of a bundle: the lead unlocks the key, and no work is lost."""

import json
from pathlib import Path
from typing import Any

from labeler.app.sharing.lead_keys import UnlockedKeys, require_passphrase
from labeler.core.errors import EnvironmentFault, InputError, RefusedError, os_error_reason
from labeler.core.input_files import require_regular_file
from labeler.core.sharing.opening_code import new_opening_code, normalized_code
from labeler.images.atomic_write import write_atomically
from labeler.store.sharing.bundle_file import read_header
from labeler.store.sharing.bundle_folder import bundle_folder
from labeler.store.sharing.sealing import (
    WrongSecret,
    lock_with_secret,
    open_sealed_key,
    unlock_with_secret,
)
from labeler.store.study_store import StudyStore

KEY_SUFFIX = ".labelerkey"
_REQUEST, _REPLY = "labeler key request 1", "labeler key reply 1"
_MAX_BYTES = 100_000


def save_key_request(bundle: Path, file: Path) -> None:
    """Write the bundle's key as only a lead can read it, to send to the lead."""
    header = read_header(bundle)
    facts = bundle_folder(header.bundle_id).facts()
    document = {
        "format": _REQUEST,
        "bundle_id": header.bundle_id,
        "sealed_key": facts["sealed_key"],
    }
    write_atomically(file, json.dumps(document).encode())


def answer_key_request(store: StudyStore, request: Path, reply: Path, *, keys: UnlockedKeys) -> str:
    """Write the reply to send back; return the new opening code, to give by another way."""
    document = _read(request, _REQUEST)
    with store.read() as study:
        if study.merges.owner(str(document["bundle_id"])) is None:
            raise InputError("this is of another study.", file=request)
    try:
        key = open_sealed_key(document["sealed_key"], keys.private)
    except WrongSecret as error:
        raise InputError("it is sealed to another lead, or damaged.", file=request) from error
    code = new_opening_code()
    answer = {
        "format": _REPLY,
        "bundle_id": document["bundle_id"],
        "locked_key": lock_with_secret(normalized_code(code), key),
    }
    write_atomically(reply, json.dumps(answer).encode())
    with store.write() as study:
        study.audit.record("bundle unlocked", bundle=document["bundle_id"])
    return code


def set_new_passphrase(bundle: Path, reply: Path, *, opening_code: str, passphrase: str) -> None:
    """Lock the bundle that is on this computer with a new passphrase."""
    require_passphrase(passphrase)
    header = read_header(bundle)
    document = _read(reply, _REPLY)
    if document["bundle_id"] != header.bundle_id:
        raise InputError("this is for another bundle.", file=reply)
    try:
        key = unlock_with_secret(normalized_code(opening_code), document["locked_key"])
    except WrongSecret as error:
        raise RefusedError("This code doesn't fit the lead's reply.") from error
    folder = bundle_folder(header.bundle_id)
    folder.write_facts({**folder.facts(), "locked_key": lock_with_secret(passphrase, key)})


def _read(file: Path, expected: str) -> dict[str, Any]:
    require_regular_file(file)
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise ValueError
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["format"] != expected:
            raise ValueError
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {os_error_reason(error)}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "this isn't the expected key file, or it is damaged.", file=file
        ) from error
    return dict(document)
