"""Updates: a new guide version or another phase for people who already have their bundles."""

from pathlib import Path

from labeler.app.guide.study_guide import import_guide_folder
from labeler.app.sharing.bundles import bundle_settings
from labeler.app.sharing.lead_keys import UnlockedKeys
from labeler.core.clock import stamp
from labeler.core.errors import RefusedError
from labeler.images.atomic_write import write_atomically
from labeler.store.sharing.bundle_file import UPDATE_SUFFIX
from labeler.store.sharing.bundle_folder import BundleFolder
from labeler.store.sharing.bundle_store import BundleStore
from labeler.store.sharing.update_file import (
    MAX_UPDATE_BYTES,
    BadUpdate,
    apply_update,
    open_update,
    update_text,
)
from labeler.store.study_store import StudyStore


def make_update(store: StudyStore, file: Path, *, keys: UnlockedKeys) -> None:
    """Write the phases, settings and guide of now, for everyone who has a bundle."""
    if file.suffix != UPDATE_SUFFIX:
        raise RefusedError(f"'{file}' doesn't end with {UPDATE_SUFFIX}. Give a name that does.")
    import_guide_folder(store)
    with store.read() as study:
        contents = update_text(
            study.session,
            settings=bundle_settings(study),
            study_id=store.identity.study_id,
            made_at=stamp(store.clock.utc()),
            private_key=keys.private.signing,
        )
    write_atomically(file, contents.encode())
    with store.write() as study:
        study.audit.record("update made")


def apply_updates(store: BundleStore, folder: Path) -> int:
    """Apply the newest update of this study in a folder, if it is newer; return how many."""
    opened = BundleFolder(store.folder.path)
    facts = opened.facts()
    found = []
    for file in sorted(folder.glob(f"*{UPDATE_SUFFIX}")):
        try:
            if file.is_file() and file.stat().st_size <= MAX_UPDATE_BYTES:
                found.append(open_update(file.read_bytes(), store.leads))
        except (BadUpdate, OSError):
            continue  # another study's, or incomplete
    newer = [
        one
        for one in found
        if one["study_id"] == facts["study_id"] and one["made_at"] > facts.get("updated_at", "")
    ]
    if not newer:
        return 0
    newest = max(newer, key=lambda one: str(one["made_at"]))
    with store.database.write() as session:
        apply_update(session, newest)
    opened.write_facts({**facts, "updated_at": newest["made_at"]})
    return 1
