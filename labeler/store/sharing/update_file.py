"""Update files: what is new for people who already have a bundle and a pack.

Everyone gets the same file. Its first line is JSON that a lead signed: phases, settings and the
guide, and the new work of each person, encrypted with the key of their bundle. Images that are in
no pack of someone follow as a small pack.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from labeler.core.errors import EnvironmentFault, InputError, os_error_reason
from labeler.images.pack_file import PackFacts, verify_pack
from labeler.store.schema import (
    Base,
    FrozenPageRow,
    GuideFreezeRow,
    GuidePictureRow,
    GuideVersionRow,
    PhaseRow,
    StudyRow,
    VersionPictureRow,
    table_of,
)
from labeler.store.sharing.row_values import canonical, to_json
from labeler.store.sharing.sealing import LeadPublicKeys, is_signed_by, sign

_FORMAT = "labeler update 1"
_CHUNK = 1 << 20
MAX_UPDATE_BYTES = 256 << 20
# In the order in which rows refer to each other.
_TABLES: tuple[type[Base], ...] = (
    PhaseRow,
    GuidePictureRow,
    GuideVersionRow,
    VersionPictureRow,
    GuideFreezeRow,
    FrozenPageRow,
)
_BINARY = {(GuidePictureRow.__tablename__, "content")}
# Who wrote a page, and why, isn't for everyone.
_LEFT_OUT = {"participant_id": None, "comment": "", "base": None}


class BadUpdate(Exception):
    """The file isn't an update that a lead of this bundle signed."""


def update_text(
    session: Session,
    *,
    settings: Mapping[str, Any],
    study_id: str,
    made_at: str,
    work: Mapping[str, str],
    pack: PackFacts | None,
    private_key: bytes,
) -> str:
    """Return the first line of an update file; `work` is encrypted, by bundle."""
    tables = {}
    for row in _TABLES:
        found = session.execute(text(f'SELECT * FROM "{row.__tablename__}"')).mappings()
        rows = [to_json(dict(each)) for each in found]
        if row is GuideVersionRow:
            rows = [{**each, **_LEFT_OUT} for each in rows]
        tables[row.__tablename__] = rows
    payload = canonical(
        {
            "study_id": study_id,
            "made_at": made_at,
            "settings": settings,
            "tables": tables,
            "work": dict(work),
            "pack": None if pack is None else {"id": pack.pack_id, "digest": pack.digest},
        }
    )
    signature = sign(private_key, payload.encode()).hex()
    return json.dumps({"format": _FORMAT, "payload": payload, "signature": signature})


def write_update(file: Path, line: str, *, pack: Path | None) -> None:
    """Write the update aside and move it to its place."""
    aside = file.with_name(f".{file.name}.tmp")
    try:
        with aside.open("wb") as out:
            out.write(line.encode() + b"\n")
            if pack is not None:
                with pack.open("rb") as source:
                    shutil.copyfileobj(source, out, _CHUNK)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be written: {os_error_reason(error)}") from error
    finally:
        aside.unlink(missing_ok=True)


def read_update_line(file: Path) -> bytes:
    """Return the first line of an update, or raise BadUpdate."""
    if not file.is_file():
        # A pipe would be waited for.
        raise BadUpdate
    try:
        with file.open("rb") as source:
            line = source.readline(MAX_UPDATE_BYTES + 1)
    except OSError as error:
        raise BadUpdate from error
    if len(line) > MAX_UPDATE_BYTES:
        raise BadUpdate
    return line


def extract_update_pack(file: Path, to: Path, *, stated: Mapping[str, Any]) -> None:
    """Copy the pack out of an update and compare it with what the lead signed, or raise BadUpdate.

    Nothing is left at the place if it is damaged.
    """
    aside = to.with_name(f".{to.name}.tmp")
    try:
        with file.open("rb") as source, aside.open("wb") as out:
            source.readline(MAX_UPDATE_BYTES + 1)
            shutil.copyfileobj(source, out, _CHUNK)
            out.flush()
            os.fsync(out.fileno())
        found = verify_pack(aside)
        if (found.pack_id, found.digest) != (stated["id"], stated["digest"]):
            raise BadUpdate
        aside.replace(to)
    except OSError as error:
        raise EnvironmentFault(f"'{to}' can't be written: {os_error_reason(error)}") from error
    except InputError as error:
        raise BadUpdate from error
    finally:
        aside.unlink(missing_ok=True)


def open_update(data: bytes, leads: Sequence[LeadPublicKeys]) -> dict[str, Any]:
    """Return the contents of an update that one of the leads signed, or raise BadUpdate."""
    try:
        document = json.loads(data)
        payload, signature = document["payload"], bytes.fromhex(document["signature"])
        if document["format"] != _FORMAT:
            raise BadUpdate
        if not any(is_signed_by(lead.signing, signature, payload.encode()) for lead in leads):
            raise BadUpdate
        opened: dict[str, Any] = json.loads(payload)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadUpdate from error
    return opened


def apply_update(session: Session, contents: Mapping[str, Any]) -> None:
    """Bring phases, settings and guide of a bundle to what the update says."""
    for row in _TABLES:
        name = row.__tablename__
        columns = {column.name for column in table_of(row).columns}
        for given in contents["tables"][name]:
            values = {
                column: bytes.fromhex(value) if (name, column) in _BINARY else value
                for column, value in given.items()
                if column in columns
            }
            names = ", ".join(f'"{column}"' for column in values)
            places = ", ".join(f":{column}" for column in values)
            session.execute(
                text(f'INSERT OR REPLACE INTO "{name}" ({names}) VALUES ({places})'), values
            )
    kept = json.loads(session.scalars(select(StudyRow.settings)).one())
    session.execute(update(StudyRow).values(settings=json.dumps({**kept, **contents["settings"]})))
