"""Drafts as text, in a versioned format."""

import json
from typing import Any

from labeler.app.visit_json import visit_from_json, visit_to_json
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import AnswerDraft, TrialFlag

_VERSION = 1


def draft_to_text(draft: AnswerDraft) -> str:
    document = {
        "version": _VERSION,
        "draft": _written_answer(draft),
        "shortlist": list(draft.shortlist),
        "query": draft.query,
    }
    # ASCII only: a lone surrogate of a half-typed character can't be stored as UTF-8.
    return json.dumps(document, ensure_ascii=True, separators=(",", ":"))


def draft_from_text(text: str) -> AnswerDraft | None:
    """Return the draft, or None if the text is damaged or has another version."""
    try:
        document = json.loads(text)
        return _read_draft(document) if document["version"] == _VERSION else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _written_answer(draft: AnswerDraft) -> dict[str, Any]:
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


def _read_draft(document: dict[str, Any]) -> AnswerDraft:
    fields = document["draft"]
    return AnswerDraft(
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
        shortlist=tuple(_text(wnid) for wnid in document["shortlist"]),
        query=_text(document["query"]),
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
