"""Saving a person's results to send to the lead, and sealing them at the lock."""

from dataclasses import dataclass
from pathlib import Path

from labeler.core.clock import stamp
from labeler.core.errors import RefusedError
from labeler.images.atomic_write import write_atomically
from labeler.store.sharing.bundle_folder import BundleFolder, own_writer
from labeler.store.sharing.bundle_store import BundleStore
from labeler.store.sharing.own_work import current_segments
from labeler.store.sharing.results_file import RESULTS_SUFFIX, results_text


@dataclass(frozen=True, slots=True)
class SavedResults:
    """The file to send, how many entries it has, and the fingerprint that the lead asks for."""

    file: Path
    entries: int
    fingerprint: str
    bytes: int


def suggested_name(store: BundleStore) -> str:
    """Return a name for the results file with the person's code and the day."""
    facts = BundleFolder(store.folder.path).facts()
    return f"{facts['code']}-{stamp(store.clock.utc())[:10]}{RESULTS_SUFFIX}"


def save_results(store: BundleStore, file: Path) -> SavedResults:
    """Write everything the person did so far, signed and sealed; an existing file is replaced."""
    if file.suffix != RESULTS_SUFFIX:
        raise RefusedError(f"'{file.name}' doesn't end with {RESULTS_SUFFIX}.")
    facts = BundleFolder(store.folder.path).facts()
    writer = own_writer(store)
    with store.read() as study:
        segments = current_segments(study.session, store.leads)
    text = results_text(
        segments,
        study_id=facts["study_id"],
        bundle_id=writer.bundle_id,
        public_key=writer.public_key,
    )
    write_atomically(file, text.encode())
    return SavedResults(file, writer.last_number, writer.id, len(text))
