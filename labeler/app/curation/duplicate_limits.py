"""The limits within which two images are reviewed as possible near-duplicates."""

from collections.abc import Mapping

from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.near_duplicates import DEFAULT_LIMITS
from labeler.core.errors import RefusedError
from labeler.store.study_store import Transaction

_SETTING = "near_duplicate_limits"
# Pixel distances are written in millions.
_UNITS = {DuplicateMetric.L2: 1e6}


def study_limits(study: Transaction) -> dict[DuplicateMetric, float]:
    """Return the study's own limits, or else the published ones; that of features is measured."""
    stored = study.settings.all().get(_SETTING, {})
    return {**DEFAULT_LIMITS, **{DuplicateMetric(name): float(v) for name, v in stored.items()}}


def set_study_limits(study: Transaction, limits: Mapping[DuplicateMetric, float]) -> None:
    """Set the limits that searches of this study use unless others are given."""
    study.settings.put(**{_SETTING: {str(metric): limit for metric, limit in limits.items()}})


def current_limits(study: Transaction) -> dict[DuplicateMetric, float]:
    """Return the limits of the last searches, or else those of the study."""
    searched = {m: record.limit for m, record in study.duplicate_searches.records().items()}
    return {**study_limits(study), **searched}


def limit_text(metric: DuplicateMetric, limit: float) -> str:
    """Return a limit as a person types it."""
    return f"{limit / _UNITS.get(metric, 1.0):.6g}"


def read_limits(texts: Mapping[DuplicateMetric, str]) -> dict[DuplicateMetric, float]:
    """Return the limits that a person typed; an empty text leaves the default."""
    found = {}
    for metric, text in texts.items():
        if not text.strip():
            continue
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value < float("inf"):
            raise RefusedError(f"“{text}” isn't a limit. Type a number such as 120 or 0.22.")
        found[metric] = value * _UNITS.get(metric, 1.0)
    return found
