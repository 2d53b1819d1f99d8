"""Updates: another phase, a new guide version or new work for people who have their bundles."""

import secrets
import tempfile
from pathlib import Path
from typing import Any

from labeler.app.guide.study_guide import import_guide_folder
from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.sharing.bundles import bundle_settings
from labeler.app.sharing.lead_keys import UnlockedKeys
from labeler.app.sharing.packs import packed_image
from labeler.core.clock import stamp
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Stage
from labeler.core.study.phases import PHASE_BY_STAGE, PhaseState
from labeler.core.text import count_noun
from labeler.images.pack_file import PACK_SUFFIX, PackFacts, PackWriter
from labeler.store.sharing.bundle_file import UPDATE_SUFFIX
from labeler.store.sharing.bundle_folder import BundleFolder
from labeler.store.sharing.bundle_store import BundleStore, forget_changes
from labeler.store.sharing.new_work import (
    AddedImages,
    BadWork,
    add_new_work,
    open_new_work,
    sealed_new_work,
)
from labeler.store.sharing.own_work import seal_what_is_locked
from labeler.store.sharing.update_file import (
    BadUpdate,
    apply_update,
    extract_update_pack,
    open_update,
    read_update_line,
    update_text,
    write_update,
)
from labeler.store.study_store import StudyStore, Transaction


def make_update(
    store: StudyStore,
    file: Path,
    *,
    keys: UnlockedKeys,
    progress: ProgressReporter | None = None,
) -> int:
    """Write what is new for everyone who has a bundle; return how many images come with it."""
    if file.suffix != UPDATE_SUFFIX:
        raise RefusedError(f"'{file}' doesn't end with {UPDATE_SUFFIX}. Give a name that does.")
    import_guide_folder(store)
    file.parent.mkdir(parents=True, exist_ok=True)
    added = AddedImages()
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".labeler-update-") as folder:
        pack = Path(folder, f"images{PACK_SUFFIX}")
        with store.write() as study:
            _assign_second_looks(study)
            work = sealed_new_work(study.session, study.packs, keys.private, added)
            facts = _pack_added(study, added, pack, progress or NoProgress())
            line = update_text(
                study.session,
                settings=bundle_settings(study),
                study_id=store.identity.study_id,
                made_at=stamp(store.clock.utc()),
                work=work,
                pack=facts,
                private_key=keys.private.signing,
            )
            study.audit.record("update made", images=len(added.tokens))
        write_update(file, line, pack=None if facts is None else pack)
    return len(added.tokens)


def update_sentence(file: Path, images: int) -> str:
    """Return what the lead is told about an update."""
    added = f" with {count_noun(images, 'image')} that aren't in the packs" if images else ""
    return f"{file} is the update for everyone who has a bundle{added}."


def _assign_second_looks(study: Transaction) -> None:
    """Assign flags and accepted decoys that were merged, as a reviewer's session does."""
    states = study.phases.states()
    for stage in Stage:
        seed = study.review.plans.seed_of(stage)
        if seed is not None and states[PHASE_BY_STAGE[stage]] is PhaseState.OPEN:
            study.review.decoys.send_to_second_reviewer(stage, seed=seed)
            study.review.flag_checks.prepare(stage, seed=seed)


def _pack_added(
    study: Transaction, added: AddedImages, pack: Path, progress: ProgressReporter
) -> PackFacts | None:
    """Write the images that someone's pack doesn't have, or nothing if there are none."""
    if not added.tokens:
        return None
    progress.start("Packing images", len(added.tokens))
    writer = PackWriter(pack, secrets.token_hex(16))
    try:
        files = study.packs.files(added.tokens)
        for image, token in sorted(added.tokens.items(), key=lambda item: item[1]):
            writer.add(token, packed_image(files.get(image)))
            progress.advance()
        return writer.finish()
    finally:
        writer.close()


def apply_updates(store: BundleStore, folder: Path) -> int:
    """Apply the newest update of this study in a folder, if it is newer; return how many."""
    opened = BundleFolder(store.folder.path)
    facts = opened.facts()
    newer = [
        (file, contents)
        for file, contents in _updates(store, folder)
        if contents["study_id"] == facts["study_id"]
        and contents["made_at"] > facts.get("updated_at", "")
    ]
    for file, contents in sorted(newer, key=lambda one: str(one[1]["made_at"]), reverse=True):
        try:
            _apply(store, opened, file, contents)
        except (BadUpdate, BadWork):
            continue  # incomplete
        opened.write_facts({**facts, "updated_at": contents["made_at"]})
        return 1
    return 0


def _updates(store: BundleStore, folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    found = []
    for file in sorted(folder.glob(f"*{UPDATE_SUFFIX}")):
        try:
            found.append((file, open_update(read_update_line(file), store.leads)))
        except BadUpdate:
            continue  # another study's, or incomplete
    return found


def _apply(store: BundleStore, opened: BundleFolder, file: Path, contents: dict[str, Any]) -> None:
    sealed = contents.get("work", {}).get(opened.facts()["bundle_id"])
    work = None if sealed is None else open_new_work(store.key, sealed)
    pack = None
    if work is not None and any(is_added for _id, _name, is_added in work["images"]):
        pack = opened.added_pack(contents["pack"]["id"])
        if not pack.is_file():
            extract_update_pack(file, pack, stated=contents["pack"])
    with store.database.write() as session:
        apply_update(session, contents)
        if work is not None:
            add_new_work(session, work, pack=pack)
        forget_changes(session)
        seal_what_is_locked(session, store.leads)
    store.forget_deleted()
