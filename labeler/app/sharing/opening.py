"""Opening a bundle on a person's computer: the first time with a code, then with a passphrase."""

import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.sharing.lead_keys import require_passphrase
from labeler.app.sharing.pack_pictures import copy_entry, copy_sheets
from labeler.app.sharing.updates import apply_updates
from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault, InputError, RefusedError, os_error_reason
from labeler.core.sharing.opening_code import normalized_code
from labeler.core.study.entities import Role
from labeler.images.pack_file import GUIDE_PAGES, PACK_SUFFIX, pack_facts, packed_names
from labeler.store.sharing.bundle_file import (
    BundleHeader,
    extract_database,
    extract_pack,
    read_header,
)
from labeler.store.sharing.bundle_folder import (
    BundleFolder,
    bundle_folder,
    current_pack,
    open_bundle_store,
    use_pack,
)
from labeler.store.sharing.bundle_store import BundleStore, add_writer
from labeler.store.sharing.sealing import (
    WrongSecret,
    lock_with_secret,
    new_signing_key,
    unlock_with_secret,
)
from labeler.store.study.local_pack import packed_hashes

WRONG_CODE = (
    "This code doesn't open the bundle. Compare it with the one that the lead gave you: letters "
    "and digits count, not case or hyphens."
)
WRONG_PASSPHRASE = (
    "This passphrase is wrong. If you forgot it, your work isn't lost: ask the lead to unlock it."
)
NO_PACK = (
    "The pack with this study's images isn't here. Choose the file that ends with "
    f"{PACK_SUFFIX}, which you got from the lead."
)
OTHER_PACK = "This is the pack of another study, or an older one. Choose the one for this bundle."


@dataclass(frozen=True, slots=True)
class BundleStart:
    """What the opening page shows: whose bundle it is, and what is needed to open it."""

    file: Path
    study_name: str
    code: str
    role: Role
    is_new: bool


def look_at_bundle(file: Path) -> BundleStart:
    """Return what is needed to open the bundle here."""
    header = read_header(file)
    folder = bundle_folder(header.bundle_id)
    return BundleStart(
        file, header.study_name, header.code, header.role, is_new=not folder.exists()
    )


def open_first_time(
    file: Path,
    *,
    opening_code: str,
    passphrase: str,
    clock: Clock,
    pack: Path | None = None,
    progress: ProgressReporter | None = None,
) -> BundleStore:
    """Set the passphrase, make this installation's signing key, and prepare the pictures.

    Nothing is left behind if it fails, so that it can be repeated.
    """
    require_passphrase(passphrase)
    header = read_header(file)
    try:
        key = unlock_with_secret(normalized_code(opening_code), header.locked_key)
    except WrongSecret as error:
        raise RefusedError(WRONG_CODE) from error
    folder = bundle_folder(header.bundle_id)
    if folder.exists():
        raise RefusedError("This bundle is open on this computer already. Enter your passphrase.")
    found = None if header.pack_bytes else _find_pack(file, header, pack)
    try:
        _unpack(file, header, folder)
        store = open_bundle_store(folder, key, header.leads, clock=clock)
        try:
            with store.database.write() as session:
                add_writer(session, bundle_id=header.bundle_id, private_key=new_signing_key())
            prepare_pictures(store, found or folder.own_pack, progress=progress)
        except BaseException:
            store.close()
            raise
        # Last, because it makes the folder an opened bundle.
        folder.write_facts(_facts(header, lock_with_secret(passphrase, key)))
        apply_updates(store, file.parent)
    except OSError as error:
        _clear(folder)
        raise EnvironmentFault(f"The bundle can't be opened: {os_error_reason(error)}") from error
    except BaseException:
        _clear(folder)
        raise
    return store


def open_again(
    file: Path, *, passphrase: str, clock: Clock, pack: Path | None = None
) -> BundleStore:
    """Open a bundle that was opened here before."""
    header = read_header(file)
    folder = bundle_folder(header.bundle_id)
    facts = folder.facts()
    try:
        key = unlock_with_secret(passphrase, facts["locked_key"])
    except WrongSecret as error:
        raise RefusedError(WRONG_PASSPHRASE) from error
    store = open_bundle_store(folder, key, folder.leads(), clock=clock)
    try:
        used = current_pack(store)
        if used is None or not used.is_file():
            prepare_pictures(store, _find_pack(file, header, pack))
        apply_updates(store, file.parent)
    except BaseException:
        store.close()
        raise
    return store


def _facts(header: BundleHeader, locked: dict[str, object]) -> dict[str, object]:
    facts = asdict(header)
    facts["leads"] = [
        {"sealing": one.sealing.hex(), "signing": one.signing.hex()} for one in header.leads
    ]
    facts["role"] = header.role.value
    facts["locked_key"] = locked
    return facts


def _unpack(file: Path, header: BundleHeader, folder: BundleFolder) -> None:
    _clear(folder)
    folder.path.mkdir(parents=True, mode=0o700)
    folder.path.chmod(0o700)
    extract_database(file, folder.study.database)
    if header.pack_bytes:
        extract_pack(file, folder.own_pack)


def _clear(folder: BundleFolder) -> None:
    with suppress(OSError):
        shutil.rmtree(folder.path)


def _find_pack(file: Path, header: BundleHeader, given: Path | None) -> Path:
    """Return the pack that was given, or the one next to the bundle."""
    candidates = (given,) if given is not None else sorted(file.parent.glob(f"*{PACK_SUFFIX}"))
    for candidate in candidates:
        assert candidate is not None
        try:
            if pack_facts(candidate).pack_id == header.pack_id:
                return candidate.resolve()
        except InputError:
            if given is not None:
                raise
    raise RefusedError(NO_PACK if given is None else OTHER_PACK)


def prepare_pictures(
    store: BundleStore, pack: Path, *, progress: ProgressReporter | None = None
) -> None:
    """Copy the reference sheets, the map and the guide out of the pack."""
    watcher = progress or NoProgress()
    manifests = copy_sheets(pack, store.folder.thumbnails, progress=watcher)
    # The bundle has the guide's pages, perhaps newer ones.
    pictures = [name for name in packed_names(pack, GUIDE_PAGES) if not name.endswith(".md")]
    for name in pictures:
        copy_entry(pack, name, store.folder.guide, prefix=GUIDE_PAGES)
    hashes: dict[str, bytes] = {}
    for manifest in manifests:
        hashes.update(packed_hashes(manifest))
    use_pack(store, pack, hashes)
