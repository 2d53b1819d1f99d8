"""A kept trial as text, in a form that later programs still read or know that they can't."""

import json
from dataclasses import dataclass
from typing import Any

from labeler.app.visit_json import visit_from_json, visit_to_json
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import TrialDraft, TrialFlag


@dataclass(frozen=True, slots=True)
class SavedTrial:
    """The trial's draft, and what stood around it on the screen.

    `given` is the answer that the draft changes, where there is one; it is read, never kept.
    """

    draft: TrialDraft
    shortlist: tuple[str, ...] = ()
    query: str = ""
    given: TrialDraft | None = None


_VERSION = 1


def trial_to_text(kept: SavedTrial) -> str:
    document = {
        "version": _VERSION,
        "draft": _written_draft(kept.draft),
        "shortlist": list(kept.shortlist),
        "query": kept.query,
    }
    # ASCII alone, since half a typed character is text to us but to no database.
    return json.dumps(document, ensure_ascii=True, separators=(",", ":"))


def trial_from_text(text: str) -> SavedTrial | None:
    """The trial that was written; None when the text is damaged or another program's."""
    try:
        document = json.loads(text)
        if document["version"] != _VERSION:
            return None
        return SavedTrial(
            draft=_draft(document["draft"]),
            shortlist=tuple(_text(wnid) for wnid in document["shortlist"]),
            query=_text(document["query"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _written_draft(draft: TrialDraft) -> dict[str, Any]:
    return {
        "revision": draft.revision,
        "label": draft.label,
        "escape_hatch": draft.escape_hatch,
        "alternative": draft.alternative,
        "confidence": draft.confidence,
        "note": draft.note,
        "flags": sorted(draft.flags),
        "shown_at": draft.shown_at,
        "earlier": _written_time(draft.earlier),
        "since": _written_time(draft.since),
    }


def _written_time(spent: TimeSpent) -> dict[str, Any]:
    return {"wall_ms": spent.wall_ms, "visits": [visit_to_json(visit) for visit in spent.visits]}


def _draft(fields: dict[str, Any]) -> TrialDraft:
    return TrialDraft(
        revision=_number(fields["revision"]),
        label=_text_or_none(fields["label"]),
        escape_hatch=bool(fields["escape_hatch"]),
        alternative=_text_or_none(fields["alternative"]),
        confidence=None if fields["confidence"] is None else _number(fields["confidence"]),
        note=_text(fields["note"]),
        flags=frozenset(TrialFlag(flag) for flag in fields["flags"]),
        shown_at=_text_or_none(fields["shown_at"]),
        earlier=_time(fields["earlier"]),
        since=_time(fields["since"]),
    )


def _time(fields: dict[str, Any]) -> TimeSpent:
    visits = tuple(visit_from_json(visit) for visit in fields["visits"])
    return TimeSpent(visits, _number(fields["wall_ms"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text was written here")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("a number was written here")
    return value
