"""What the text in some columns must contain, because the program takes it apart on reading."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import partial

from labeler.core.crowd.entities import ObjectTie
from labeler.core.study.entities import ProblemReason

# A table and its column.
Place = tuple[str, str]
_NUMBERS = re.compile(r"(\d+(\|\d+)*)?")


def text_problem(place: Place, text: str) -> str:
    """Return what is wrong with a text, or an empty text."""
    for places, is_readable, problem in _EXPECTED:
        if place in places and not is_readable(text):
            return problem
    reasons = _LISTED.get(place)
    return "" if reasons is None or reasons(text) else "has an unknown entry"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _is_draft(text: str) -> bool:
    return not text or _is_json(text)


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return not text
    return True


def _are_numbers(text: str) -> bool:
    return _NUMBERS.fullmatch(text) is not None


def _are_members(text: str, *, of: type[StrEnum]) -> bool:
    return set(filter(None, text.split("|"))) <= {str(member) for member in of}


_JSON = frozenset(
    {
        ("study", "settings"),
        ("draft", "contents"),
        ("audit", "detail"),
        ("model_predictions", "provenance"),
        ("crowd_round", "parameters"),
        ("built_revision", "parameters"),
        ("near_duplicate_search", "parameters"),
        ("merged_row", "local_key"),
        ("merged_row", "row_key"),
    }
)
_TIMES = frozenset(
    {
        ("session", "started_at"),
        ("session", "active_at"),
        ("session", "ended_at"),
        ("prediction", "committed_at"),
        ("exposure", "at"),
        ("discussion_note", "at"),
        ("guide_version", "at"),
        ("review_plan", "made_at"),
        ("contains_answer", "submitted_at"),
        ("classify_answer", "submitted_at"),
    }
)
_EXPECTED: tuple[tuple[frozenset[Place], Callable[[str], bool], str], ...] = (
    (_JSON, _is_json, "isn't valid JSON"),
    (frozenset({("crowd_assignment", "draft")}), _is_draft, "isn't valid JSON"),
    (_TIMES, _is_time, "isn't a time"),
    (frozenset({("contains_answer", "selected")}), _are_numbers, "isn't a list of numbers"),
)
_LISTED: Mapping[Place, Callable[[str], bool]] = {
    ("flag_answer", "reasons"): partial(_are_members, of=ProblemReason),
    ("image_summary", "ties"): partial(_are_members, of=ObjectTie),
}
