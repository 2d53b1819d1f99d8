"""Bundle files: a signed header, an encrypted database, and perhaps a pack.

The header is JSON and names the person, the study and the pack. It holds the key of the database
twice: locked with the opening code, and sealed to the leads.
"""

import hashlib
import json
import os
import shutil
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from labeler.core.errors import EnvironmentFault, InputError, os_error_reason
from labeler.core.input_files import require_regular_file
from labeler.core.study.entities import Role, is_valid_code
from labeler.store.sharing.sealing import (
    SIGNATURE_BYTES,
    LeadPublicKeys,
    is_signed_by,
    sign,
)

BUNDLE_SUFFIX, UPDATE_SUFFIX = ".labeler", ".labelerupdate"
_MAGIC = b"labeler bundle 1\n"
_LENGTH = struct.Struct(">Q")
_MAX_HEADER = 1 << 20
_CHUNK = 1 << 20
NOT_A_BUNDLE = "this isn't a bundle of labeler, or it is damaged. Ask the lead for it again."


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleHeader:
    """What can be read of a bundle without a code; nothing in it is about images."""

    kind: str
    bundle_id: str
    study_id: str
    study_name: str
    code: str
    role: Role
    pack_id: str
    leads: tuple[LeadPublicKeys, ...]
    signer: str
    locked_key: Mapping[str, object]
    sealed_key: Mapping[str, str]
    sequence: int
    database_bytes: int
    database_hash: str
    pack_bytes: int

    def signing_key(self) -> bytes | None:
        return next((one.signing for one in self.leads if one.fingerprint == self.signer), None)


def write_bundle(
    file: Path,
    header: Mapping[str, Any],
    database: Path,
    *,
    private_key: bytes,
    pack: Path | None = None,
) -> None:
    """Write the bundle aside and move it to its place."""
    aside = file.with_name(f".{file.name}.tmp")
    try:
        facts = {
            **header,
            "database_bytes": database.stat().st_size,
            "database_hash": _file_hash(database),
            "pack_bytes": 0 if pack is None else pack.stat().st_size,
        }
        text = json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()
        with aside.open("wb") as out:
            out.write(_MAGIC + _LENGTH.pack(len(text)) + text + sign(private_key, _MAGIC + text))
            for part in filter(None, (database, pack)):
                with part.open("rb") as source:
                    shutil.copyfileobj(source, out, _CHUNK)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be written: {os_error_reason(error)}") from error
    finally:
        aside.unlink(missing_ok=True)


def is_bundle_file(path: Path) -> bool:
    """Return whether a path is a bundle and not the folder of a study."""
    return path.suffix == BUNDLE_SUFFIX and path.is_file()


def read_header(file: Path) -> BundleHeader:
    """Return the header of a bundle or an update, with its signature checked."""
    require_regular_file(file)
    try:
        with file.open("rb") as source:
            return _read_header(source, file)
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {os_error_reason(error)}") from error


def _read_header(source: BinaryIO, file: Path) -> BundleHeader:
    if source.read(len(_MAGIC)) != _MAGIC:
        raise InputError(NOT_A_BUNDLE, file=file)
    try:
        (length,) = _LENGTH.unpack(source.read(_LENGTH.size))
        if length > _MAX_HEADER:
            raise ValueError
        text = source.read(length)
        signature = source.read(SIGNATURE_BYTES)
        header = _parsed(json.loads(text))
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise InputError(NOT_A_BUNDLE, file=file) from error
    key = header.signing_key()
    if key is None or not is_signed_by(key, signature, _MAGIC + text):
        raise InputError("it was changed after the lead made it. Ask for it again.", file=file)
    return header


def _parsed(facts: dict[str, Any]) -> BundleHeader:
    leads = tuple(
        LeadPublicKeys(bytes.fromhex(one["sealing"]), bytes.fromhex(one["signing"]))
        for one in facts["leads"]
    )
    header = BundleHeader(
        **{**facts, "leads": leads, "role": Role(facts["role"])},
    )
    sizes = (header.database_bytes, header.pack_bytes, header.sequence)
    if not all(_is_count(size) for size in sizes):
        raise ValueError
    if not is_valid_code(header.code) or not _is_plain_id(header.bundle_id):
        raise ValueError
    return header


def _is_count(value: object) -> bool:
    return isinstance(value, int) and value >= 0


def _is_plain_id(text: str) -> bool:
    """Return whether an id can name a folder: it comes from a file."""
    return len(text) == 36 and all(letter in "0123456789abcdef-" for letter in text)


def extract_database(file: Path, to: Path) -> None:
    """Copy the encrypted database out of a bundle, and compare it with its hash."""
    header = read_header(file)
    with file.open("rb") as source:
        _skip_header(source)
        _copy(source, to, header.database_bytes)
    if _file_hash(to) != header.database_hash:
        to.unlink()
        raise InputError(NOT_A_BUNDLE, file=file)


def extract_pack(file: Path, to: Path) -> None:
    """Copy the pack out of a bundle that has one."""
    header = read_header(file)
    with file.open("rb") as source:
        _skip_header(source)
        source.seek(header.database_bytes, os.SEEK_CUR)
        _copy(source, to, header.pack_bytes)


def _skip_header(source: BinaryIO) -> None:
    source.seek(len(_MAGIC))
    (length,) = _LENGTH.unpack(source.read(_LENGTH.size))
    source.seek(length + SIGNATURE_BYTES, os.SEEK_CUR)


def _copy(source: BinaryIO, to: Path, length: int) -> None:
    with to.open("wb") as out:
        left = length
        while left:
            chunk = source.read(min(left, _CHUNK))
            if not chunk:
                raise InputError(NOT_A_BUNDLE, file=to)
            out.write(chunk)
            left -= len(chunk)
        out.flush()
        os.fsync(out.fileno())


def _file_hash(file: Path) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
