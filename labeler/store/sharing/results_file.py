"""Results files: a person's work, signed with their key and sealed to the leads.

A file has one segment or several. What was locked is a segment that was sealed at the lock.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labeler.core.sharing.chain import ChainEntry, first_fault
from labeler.store.sharing.row_values import canonical
from labeler.store.sharing.sealing import (
    LeadPrivateKeys,
    LeadPublicKeys,
    WrongSecret,
    decrypt,
    encrypt,
    fingerprint,
    is_signed_by,
    new_content_key,
    open_sealed_key,
    seal_key,
    sign,
)

RESULTS_SUFFIX = ".labelerresults"
_FORMAT = "labeler results 1"
_CONTEXT = b"labeler results 1"
# A year of work is a few megabytes.
MAX_FILE_BYTES, MAX_OPENED_BYTES, MAX_ENTRIES = 256 << 20, 1 << 30, 2_000_000
MAX_SEGMENTS = 100


class BadResults(Exception):
    """The file isn't what this program writes; the message says why, as part of a sentence."""


class SealedToOthers(Exception):
    """The file is sealed to other leads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A stretch of a writer's chain, which follows the entry `after` with the hash `start`."""

    after: int
    start: str
    entries: Sequence[ChainEntry]
    drafts: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedResults:
    """The whole chain of a writer, with every signature and hash checked."""

    study_id: str
    bundle_id: str
    public_key: bytes = field(repr=False)
    entries: tuple[ChainEntry, ...]
    drafts: tuple[Mapping[str, Any], ...]
    head_signature: bytes = field(repr=False)

    @property
    def writer_id(self) -> str:
        return fingerprint(self.public_key)


def head_text(bundle_id: str, number: int, hashed: str) -> bytes:
    """Return what a writer signs: that the chain of the bundle has come this far."""
    return f"labeler chain\n{bundle_id}\n{number}\n{hashed}".encode()


def sealed_segment(
    work: Work, *, bundle_id: str, private_key: bytes, leads: Sequence[LeadPublicKeys]
) -> str:
    """Return the work, signed and sealed, as text for a results file."""
    last = work.entries[-1] if work.entries else ChainEntry(work.after, work.start, "")
    payload = canonical(
        {
            "bundle": bundle_id,
            "after": work.after,
            "start": work.start,
            "entries": [[one.number, one.hash, one.content] for one in work.entries],
            "drafts": [dict(draft) for draft in work.drafts],
            "head": sign(private_key, head_text(bundle_id, last.number, last.hash)).hex(),
        }
    )
    signed = {"payload": payload, "signature": sign(private_key, payload.encode()).hex()}
    key = new_content_key()
    data = encrypt(key, zlib.compress(canonical(signed).encode()), context=_CONTEXT)
    return canonical({"keys": seal_key(key, leads), "data": base64.b64encode(data).decode()})


def results_text(
    segments: Sequence[str], *, study_id: str, bundle_id: str, public_key: bytes
) -> str:
    """Return the contents of a results file."""
    return json.dumps(
        {
            "format": _FORMAT,
            "study_id": study_id,
            "bundle_id": bundle_id,
            "public_key": public_key.hex(),
            "segments": list(segments),
        }
    )


def open_results(data: bytes, private: LeadPrivateKeys) -> ReceivedResults:
    """Unseal and check a results file; raise BadResults or SealedToOthers."""
    if len(data) > MAX_FILE_BYTES:
        raise BadResults("it is larger than any results of a study")
    try:
        outer = json.loads(data)
        if outer["format"] != _FORMAT or not 0 < len(outer["segments"]) <= MAX_SEGMENTS:
            raise BadResults("it isn't a results file of labeler")
        public_key = bytes.fromhex(outer["public_key"])
        study_id, bundle_id = str(outer["study_id"]), str(outer["bundle_id"])
        parts = [_opened_segment(text, private, public_key) for text in outer["segments"]]
        return _joined(parts, study_id, bundle_id, public_key)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadResults("it isn't a results file of labeler, or it is damaged") from error


def _opened_segment(text: str, private: LeadPrivateKeys, public_key: bytes) -> dict[str, Any]:
    segment = json.loads(text)
    if private.public.fingerprint not in segment["keys"]:
        raise SealedToOthers
    try:
        key = open_sealed_key(segment["keys"], private)
        packed = decrypt(key, base64.b64decode(segment["data"], validate=True), context=_CONTEXT)
    except WrongSecret as error:
        raise BadResults("it was changed on its way") from error
    unpacker = zlib.decompressobj()
    try:
        opened = unpacker.decompress(packed, MAX_OPENED_BYTES)
    except zlib.error as error:
        raise BadResults("it is damaged") from error
    if unpacker.unconsumed_tail:
        raise BadResults("it is larger than any results of a study")
    signed = json.loads(opened)
    payload, signature = signed["payload"], bytes.fromhex(signed["signature"])
    if not is_signed_by(public_key, signature, payload.encode()):
        raise BadResults("its signature is wrong")
    parsed: dict[str, Any] = json.loads(payload)
    return parsed


def _joined(
    parts: Sequence[dict[str, Any]], study_id: str, bundle_id: str, public_key: bytes
) -> ReceivedResults:
    """Return the chain that the parts make up; each has to follow the one before."""
    entries: list[ChainEntry] = []
    for part in parts:
        if part["bundle"] != bundle_id:
            raise BadResults("a part of it is of another bundle")
        entries += [_entry(*one) for one in part["entries"]]
    if len(entries) > MAX_ENTRIES:
        raise BadResults("it is larger than any results of a study")
    fault = first_fault(entries)
    if fault is not None:
        raise BadResults(f"decision {fault} doesn't follow the one before it")
    drafts = parts[-1]["drafts"]
    if not isinstance(drafts, list) or not all(isinstance(draft, dict) for draft in drafts):
        raise BadResults("its drafts can't be read")
    head = bytes.fromhex(parts[-1]["head"])
    last = entries[-1] if entries else ChainEntry(0, parts[-1]["start"], "")
    if not is_signed_by(public_key, head, head_text(bundle_id, last.number, last.hash)):
        raise BadResults("the signature of its last decision is wrong")
    return ReceivedResults(
        study_id=study_id,
        bundle_id=bundle_id,
        public_key=public_key,
        entries=tuple(entries),
        drafts=tuple(drafts),
        head_signature=head,
    )


def _entry(number: object, hashed: object, content: object) -> ChainEntry:
    if not (isinstance(number, int) and isinstance(hashed, str) and isinstance(content, str)):
        raise TypeError
    return ChainEntry(number, hashed, content)
