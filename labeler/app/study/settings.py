"""The settings of a study, which its lead can change."""

import hashlib
import hmac
import secrets
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

from labeler.app.study.setting_definitions import SETTING_BY_NAME, StudySettings
from labeler.core.errors import EnvironmentFault, RefusedError, os_error_reason
from labeler.core.study.entities import CONFIDENCE_LEVELS, DatasetRole
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study.backups import BACKUP_FOLDER
from labeler.store.study_store import StudyStore, Transaction


class PassphraseHash(TypedDict):
    """A passphrase's hash with the parameters to compute it again."""

    salt: str
    hash: str
    cost: int
    block_size: int
    parallel: int


# The scrypt authors' advice for interactive logins: 16 MB and some dozens of milliseconds.
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
    # Some keyboards enter é as one character, others as two.
    typed = unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")
    digest = hashlib.scrypt(typed, salt=bytes.fromhex(salt), n=cost, r=block_size, p=parallel)
    return PassphraseHash(
        salt=salt, hash=digest.hex(), cost=cost, block_size=block_size, parallel=parallel
    )


_PASSPHRASE = "lead_passphrase"
COMPARED = "compared_datasets"
_CONFIDENCE_PROBABILITIES = "confidence_probabilities"
_PLAIN = (*SETTING_BY_NAME, BACKUP_FOLDER)
PASSPHRASE_EMPTY = "The passphrase is empty. Enter one, or remove the passphrase."


def study_settings(store: StudyStore) -> StudySettings:
    with store.read() as study:
        return read_study_settings(study)


def read_study_settings(study: Transaction) -> StudySettings:
    """Read the settings within a transaction."""
    return settings_from_values(study.settings.all())


def settings_from_values(kept: Mapping[str, Any]) -> StudySettings:
    """Build the settings from stored values, with defaults for the rest."""
    chosen = {name: kept[name] for name in _PLAIN if name in kept}
    return StudySettings(**chosen, has_lead_passphrase=_PASSPHRASE in kept)


def change_settings(store: StudyStore, **values: int | None) -> StudySettings:
    """Change the given settings, named as in `SETTINGS`, and leave the others."""
    changed: dict[str, Any] = {name: value for name, value in values.items() if value is not None}
    for name, value in changed.items():
        SETTING_BY_NAME[name].check(value)
    with store.write() as study:
        if changed:
            study.settings.put(**changed)
            study.audit.record("settings changed", **changed)
        return read_study_settings(study)


def compare_datasets(store: StudyStore, *, original: str, new: str) -> None:
    """Set the two evaluation datasets that the report's gaps and fits compare."""
    with store.write() as study:
        known = [dataset.name for dataset in study.datasets.all(DatasetRole.EVALUATION)]
        missing = next((name for name in (original, new) if name not in known), None)
        if missing is not None:
            there = ", ".join(known) or "none"
            raise RefusedError(
                f"The study has no evaluation dataset '{missing}'. Choose from: {there}."
            )
        if original == new:
            raise RefusedError(f"'{original}' can't be compared with itself. Choose two datasets.")
        study.settings.put(**{COMPARED: [original, new]})
        study.audit.record("settings changed", compared_datasets=[original, new])


def compared_datasets(store: StudyStore) -> tuple[str, str] | None:
    """Return the two chosen datasets, or None if the first two are compared."""
    with store.read() as study:
        return read_compared_datasets(study)


def read_compared_datasets(study: Transaction) -> tuple[str, str] | None:
    chosen = study.settings.all().get(COMPARED)
    return None if chosen is None else (chosen[0], chosen[1])


def assign_confidence_probabilities(store: StudyStore, percents: Sequence[int]) -> None:
    """Say what each step of confidence means, in percent; only before the evaluation opens."""
    if len(percents) != CONFIDENCE_LEVELS:
        raise RefusedError(f"There are {CONFIDENCE_LEVELS} steps. Give a probability for each.")
    in_order = all(lower < higher for lower, higher in pairwise(percents))
    if not in_order or not all(0 <= percent <= 100 for percent in percents):
        raise RefusedError("The probabilities must be percentages from 0 to 100 that increase.")
    with store.write() as study:
        closed = study.phases.states()[Phase.EVALUATE] is PhaseState.CLOSED
        if not closed or study.report_answers.imported():
            raise RefusedError(
                "The study has been open for answers, so the steps of confidence can't get "
                "probabilities any more: they count only if they were assigned in advance."
            )
        study.settings.put(**{_CONFIDENCE_PROBABILITIES: list(percents)})
        study.audit.record("settings changed", confidence_probabilities=list(percents))


def read_confidence_probabilities(study: Transaction) -> tuple[int, ...]:
    """Return the percentages by step, or nothing if the lead assigned none."""
    return tuple(study.settings.all().get(_CONFIDENCE_PROBABILITIES, ()))


def assigned_probabilities(store: StudyStore) -> tuple[int, ...]:
    with store.read() as study:
        return read_confidence_probabilities(study)


def set_backup_folder(store: StudyStore, folder: Path | None) -> None:
    """Copy every backup to a second folder as well, or no longer if None."""
    chosen = None if folder is None else folder.expanduser().resolve()
    if chosen is not None:
        if chosen.is_relative_to(store.folder.path.resolve()):
            raise RefusedError(
                f"'{chosen}' is inside the study's folder. Choose a folder on another drive, so "
                "that backups survive if the study's drive is lost."
            )
        try:
            chosen.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=chosen).close()
        except OSError as error:
            raise EnvironmentFault(
                f"Backups can't be written to '{chosen}': {os_error_reason(error)}"
            ) from error
    with store.write() as study:
        study.settings.put(**{BACKUP_FOLDER: None if chosen is None else str(chosen)})
        study.audit.record("settings changed", backup_folder=str(chosen or ""))


def set_lead_passphrase(store: StudyStore, passphrase: str) -> None:
    """Require this passphrase to sign in as lead."""
    if not passphrase.strip():
        raise RefusedError(PASSPHRASE_EMPTY)
    kept = hash_passphrase(passphrase)
    with store.write() as study:
        study.settings.put(**{_PASSPHRASE: kept})
        study.audit.record("lead passphrase set")


def remove_lead_passphrase(store: StudyStore) -> None:
    """Let leads sign in without a passphrase."""
    with store.write() as study:
        if _PASSPHRASE in study.settings.all():
            study.settings.put(**{_PASSPHRASE: None})
            study.audit.record("lead passphrase removed")


def check_lead_passphrase(store: StudyStore, text: str) -> bool:
    """Whether the text is the lead's passphrase, or the study has none."""
    with store.read() as study:
        kept = study.settings.all().get(_PASSPHRASE)
    return kept is None or passphrase_matches(text, kept)
