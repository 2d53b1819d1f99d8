"""Taking pictures out of a pack: the reference sheets, the map, and the guide's pictures."""

from pathlib import Path, PurePosixPath

from labeler.app.progress import NoProgress, ProgressReporter
from labeler.core.errors import InputError
from labeler.core.folder_access import make_folder
from labeler.images.pack_file import SHEETS, packed_names, read_packed


def copy_sheets(
    pack: Path, folder: Path, *, progress: ProgressReporter | None = None
) -> list[bytes]:
    """Copy the sheets and the map's pages into the folder, and return the sheets' manifests."""
    watcher = progress or NoProgress()
    names = packed_names(pack, SHEETS)
    watcher.start("Preparing reference images", len(names))
    manifests = []
    for name in names:
        content = copy_entry(pack, name, folder, prefix=SHEETS)
        if name.endswith(".json") and "/" not in name.removeprefix(SHEETS):
            manifests.append(content)
        watcher.advance()
    return manifests


def copy_entry(pack: Path, name: str, folder: Path, *, prefix: str) -> bytes:
    """Copy an entry to the place in the folder that its name says, and return its content."""
    content = read_packed(pack, name)
    if content is None:
        raise InputError(f"the entry {name} is damaged. Copy the pack again.", file=pack)
    target = folder.joinpath(*_safe_parts(name.removeprefix(prefix), pack))
    make_folder(target.parent)
    target.write_bytes(content)
    return content


def _safe_parts(name: str, pack: Path) -> tuple[str, ...]:
    """Return the parts of a path within a folder; a pack may come from anywhere."""
    parts = PurePosixPath(name).parts
    if not parts or any(part in ("..", "/", "") or "\\" in part or ":" in part for part in parts):
        raise InputError(f"the entry {name} has no place here.", file=pack)
    return parts
