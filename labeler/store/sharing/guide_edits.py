"""Edits of the guide in a writer's chain."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from labeler.store.schema import GuidePictureRow, GuideVersionRow, VersionPictureRow
from labeler.store.sharing.row_values import canonical
from labeler.store.sharing.writer_rows import ParsedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideEdit:
    """A version of a page that a person saved in a bundle.

    `base` is the number of the version that was edited, and `base_text` its text if it was saved
    in the same bundle. `pictures` are the contents of new pictures, by path.
    """

    local_key: str
    slug: str
    text: str
    base: int | None
    base_text: str | None
    comment: str
    at: str
    retired: bool
    pictures: Mapping[str, bytes]


def guide_edits(entries: Iterable[ParsedEntry]) -> list[GuideEdit]:
    """Return the edits in the order in which they were saved."""
    contents: dict[str, bytes] = {}
    texts: dict[tuple[str, int], str] = {}
    edits = []
    for entry in entries:
        rows = [(table.name, values) for table, values in entry.rows]
        contents.update(
            (values["hash"], values["content"])
            for name, values in rows
            if name == GuidePictureRow.__tablename__
        )
        for name, values in rows:
            if name != GuideVersionRow.__tablename__:
                continue
            edits.append(_edit(entry.number, values, texts, _pictures(rows, values, contents)))
            texts[values["page"], values["number"]] = values["text"]
    return edits


def _pictures(
    rows: Iterable[tuple[str, Mapping[str, Any]]],
    version: Mapping[str, Any],
    contents: Mapping[str, bytes],
) -> dict[str, bytes]:
    return {
        values["path"]: contents[values["hash"]]
        for name, values in rows
        if name == VersionPictureRow.__tablename__
        and (values["page"], values["number"]) == (version["page"], version["number"])
        and values["hash"] in contents
    }


def _edit(
    entry: int,
    values: Mapping[str, Any],
    texts: Mapping[tuple[str, int], str],
    pictures: Mapping[str, bytes],
) -> GuideEdit:
    base = values["base"]
    return GuideEdit(
        local_key=canonical([entry, values["page"], values["number"]]),
        slug=values["page"],
        text=values["text"],
        base=base,
        base_text=None if base is None else texts.get((values["page"], base)),
        comment=values["comment"],
        at=values["at"],
        retired=values["retired"],
        pictures=pictures,
    )
