"""Update files: phases, settings and the guide for people who already have a bundle.

They are signed by a lead and contain nothing about images, so they aren't encrypted, and everyone
gets the same file.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

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
    private_key: bytes,
) -> str:
    """Return the contents of an update file."""
    tables = {}
    for row in _TABLES:
        found = session.execute(text(f'SELECT * FROM "{row.__tablename__}"')).mappings()
        rows = [to_json(dict(each)) for each in found]
        if row is GuideVersionRow:
            rows = [{**each, **_LEFT_OUT} for each in rows]
        tables[row.__tablename__] = rows
    payload = canonical(
        {"study_id": study_id, "made_at": made_at, "settings": settings, "tables": tables}
    )
    signature = sign(private_key, payload.encode()).hex()
    return json.dumps({"format": _FORMAT, "payload": payload, "signature": signature})


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
