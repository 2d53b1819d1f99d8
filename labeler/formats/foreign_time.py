"""Moments as other programs write them."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# From here on a number counts milliseconds: as seconds it would lie three thousand years ahead.
_MILLISECONDS_THRESHOLD = 1e11
# A browser's own way: "GMT-0800 (Pacific Standard Time)".
_ZONE_NAME = re.compile(r"\s*\([^)]*\)$")
_OFFSET_PREFIX = re.compile(r"\b(?:GMT|UTC)(?=[+-]\d)")
_UTC_SUFFIX = re.compile(r"\s*\bUTC$")
# Seconds or milliseconds that were written as a text.
_NUMBER = re.compile(r"\d{9,13}(\.\d+)?")


def parse_timestamp(value: object) -> datetime | None:
    """A moment in UTC, or None where the value tells none; without a zone it is taken for UTC."""
    try:
        found = _parsed(value)
    except (ValueError, OverflowError, OSError):
        return None
    if found is None:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _parsed(value: object) -> datetime | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    return _from_text(value) if isinstance(value, str) else None


def _from_number(value: float) -> datetime:
    seconds = value / 1000 if value >= _MILLISECONDS_THRESHOLD else value
    return datetime.fromtimestamp(seconds, UTC)


def _from_text(given: str) -> datetime:
    if _NUMBER.fullmatch(given.strip()):
        return _from_number(float(given))
    text = _OFFSET_PREFIX.sub("", _ZONE_NAME.sub("", given.strip()))
    text = _UTC_SUFFIX.sub("+00:00", text)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return parsedate_to_datetime(text)
