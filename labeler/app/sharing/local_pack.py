"""The pack of a computer that joined a shared study: choosing it, and when it is needed."""

from pathlib import Path

from labeler.app.progress import ProgressReporter
from labeler.app.sharing.pack_pictures import copy_sheets
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import Role
from labeler.images.pack_file import PACK_SUFFIX, pack_facts
from labeler.store.study.local_pack import UsedPack
from labeler.store.study_store import StudyStore

NOT_SHARED = (
    "This study isn't one that was joined on a server: its images are in the folders of its "
    "datasets."
)


def choose_pack(store: StudyStore, file: Path) -> UsedPack:
    """Have this computer take the pictures of the shared study from the pack."""
    if store.local_pack is None:
        raise RefusedError(NOT_SHARED)
    if not file.is_file():
        raise RefusedError(f"There is no file '{file}'. Check the spelling.")
    facts = pack_facts(file)
    with store.read() as study:
        digest = study.packs.digest(facts.pack_id)
    if digest is None or digest != facts.digest:
        raise RefusedError(
            f"'{file}' is the pack of another study, or it is damaged. Ask the lead for the pack "
            "of this study."
        )
    pack = UsedPack(facts.pack_id, file.resolve())
    store.local_pack.put(pack)
    return pack


def copy_pack_sheets(store: StudyStore, *, progress: ProgressReporter | None = None) -> int:
    """Copy the sheets of the pack in use, if there is one, and return how many there are."""
    pack = store.used_pack()
    if pack is None:
        return 0
    return len(copy_sheets(_present(pack).file, store.folder.thumbnails, progress=progress))


def require_pack(store: StudyStore, role: Role) -> None:
    """Refuse people on a computer that joined a study without its pack; the lead may go on.

    The path of an image in a folder tells its class, a name in a pack doesn't.
    """
    if role is Role.LEAD or store.local_pack is None or not store.local_pack.is_expected:
        return
    pack = store.used_pack()
    if pack is None:
        raise RefusedError(
            f"{role.value.capitalize()}s need the study's pack on this computer: a file that ends "
            f"with {PACK_SUFFIX}. Ask the lead for it, then join the study again with the pack.",
            by_command="`labeler use-pack STUDY FILE` sets it for this study folder.",
        )
    _present(pack)


def _present(pack: UsedPack) -> UsedPack:
    if not pack.file.is_file():
        raise EnvironmentFault(
            f"The pack with the study's images isn't at '{pack.file}' any more. Put it back, or "
            "join the study again with the pack.",
            by_command="`labeler use-pack STUDY FILE` says where it is now.",
        )
    return pack
