"""What a lead can set in a study."""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import IDLE_AFTER_MS
from labeler.core.study.entities import DatasetRole
from labeler.store.study_store import StudyStore, Transaction


class PassphraseHash(TypedDict):
    """A passphrase's hash with everything that is needed to compute it again."""

    salt: str
    hash: str
    cost: int
    block_size: int
    parallel: int


# As scrypt's authors advise for signing in: 16 MB and some dozens of milliseconds.
_COST, _BLOCK_SIZE, _PARALLEL = 2**14, 8, 1


def hash_passphrase(passphrase: str) -> PassphraseHash:
    salt = secrets.token_hex(16)
    return _derive_hash(passphrase, salt, cost=_COST, block_size=_BLOCK_SIZE, parallel=_PARALLEL)


def passphrase_matches(passphrase: str, kept: PassphraseHash) -> bool:
    again = _derive_hash(
        passphrase,
        kept["salt"],
        cost=kept["cost"],
        block_size=kept["block_size"],
        parallel=kept["parallel"],
    )
    return hmac.compare_digest(again["hash"], kept["hash"])


def _derive_hash(
    text: str, salt: str, *, cost: int, block_size: int, parallel: int
) -> PassphraseHash:
    # One keyboard writes é as one character and another as two.
    typed = unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")
    digest = hashlib.scrypt(typed, salt=bytes.fromhex(salt), n=cost, r=block_size, p=parallel)
    return PassphraseHash(
        salt=salt, hash=digest.hex(), cost=cost, block_size=block_size, parallel=parallel
    )


_ASKS_CONFIDENCE, _IDLE_SECONDS, _PASSPHRASE = "asks_confidence", "idle_seconds", "lead_passphrase"
COMPARED = "compared_datasets"
_WASHOUT_DAYS = "washout_days"
MAX_IDLE_SECONDS = 3600
MAX_WASHOUT_DAYS = 3650
_PLAIN = (_ASKS_CONFIDENCE, _IDLE_SECONDS, _WASHOUT_DAYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettings:
    """The idle threshold decides how active time is computed; raw intervals don't depend on it."""

    asks_confidence: bool = False
    idle_seconds: int = IDLE_AFTER_MS // 1000
    has_lead_passphrase: bool = False
    washout_days: int = 0

    @property
    def idle_after_ms(self) -> int:
        return self.idle_seconds * 1000


def study_settings(store: StudyStore) -> StudySettings:
    with store.read() as study:
        return read_study_settings(study)


def read_study_settings(study: Transaction) -> StudySettings:
    """The settings as one transaction sees them."""
    return settings_from_values(study.settings.all())


def settings_from_values(kept: Mapping[str, Any]) -> StudySettings:
    """The settings of which these are kept; the others have their defaults."""
    chosen = {name: kept[name] for name in _PLAIN if name in kept}
    return StudySettings(**chosen, has_lead_passphrase=_PASSPHRASE in kept)


def change_settings(
    store: StudyStore,
    *,
    asks_confidence: bool | None = None,
    idle_seconds: int | None = None,
    washout_days: int | None = None,
) -> StudySettings:
    """Change what is given and leave the rest."""
    if washout_days is not None and not 0 <= washout_days <= MAX_WASHOUT_DAYS:
        raise RefusedError(
            f"A washout lasts from 0 to {MAX_WASHOUT_DAYS:,} days, not {washout_days:,}."
        )
    if idle_seconds is not None and not 1 <= idle_seconds <= MAX_IDLE_SECONDS:
        raise RefusedError(
            f"The idle threshold must lie between 1 and {MAX_IDLE_SECONDS:,} seconds, "
            f"not at {idle_seconds:,}."
        )
    given: dict[str, Any] = {
        _ASKS_CONFIDENCE: asks_confidence,
        _IDLE_SECONDS: idle_seconds,
        _WASHOUT_DAYS: washout_days,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    with store.write() as study:
        if changed:
            study.settings.put(**changed)
            study.audit.record("settings changed", **changed)
        return read_study_settings(study)


def compare_datasets(store: StudyStore, *, original: str, new: str) -> None:
    """Say which two evaluation datasets the report's gaps and fits are about."""
    with store.write() as study:
        known = [dataset.name for dataset in study.datasets.all(DatasetRole.EVALUATION)]
        missing = next((name for name in (original, new) if name not in known), None)
        if missing is not None:
            there = ", ".join(known) or "none"
            raise RefusedError(
                f"'{missing}' is no evaluation dataset of the study; there are: {there}."
            )
        if original == new:
            raise RefusedError(f"'{original}' can't be compared with itself: name two datasets.")
        study.settings.put(**{COMPARED: [original, new]})
        study.audit.record("settings changed", compared_datasets=[original, new])


def compared_datasets(store: StudyStore) -> tuple[str, str] | None:
    """The two that were named; None where the first two datasets are compared."""
    with store.read() as study:
        return read_compared_datasets(study)


def read_compared_datasets(study: Transaction) -> tuple[str, str] | None:
    chosen = study.settings.all().get(COMPARED)
    return None if chosen is None else (chosen[0], chosen[1])


def set_lead_passphrase(store: StudyStore, passphrase: str) -> None:
    """Ask for this passphrase from now on when someone signs in as lead."""
    if not passphrase.strip():
        raise RefusedError("The passphrase is empty. Give one, or leave the study without.")
    kept = hash_passphrase(passphrase)
    with store.write() as study:
        study.settings.put(**{_PASSPHRASE: kept})
        study.audit.record("lead passphrase set")


def remove_lead_passphrase(store: StudyStore) -> None:
    """Let leads sign in without a passphrase again."""
    with store.write() as study:
        if _PASSPHRASE in study.settings.all():
            study.settings.put(**{_PASSPHRASE: None})
            study.audit.record("lead passphrase removed")


def check_lead_passphrase(store: StudyStore, text: str) -> bool:
    """Whether the text is the lead's passphrase; true too when the study has none."""
    with store.read() as study:
        kept = study.settings.all().get(_PASSPHRASE)
    return kept is None or passphrase_matches(text, kept)
