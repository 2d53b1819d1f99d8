"""Read the bytes of an image file."""

import hashlib
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

from labeler.core.datasets.image_file import ImageFile
from labeler.images.pack_file import PACK_SUFFIX, read_packed
from labeler.images.unreadable import UnreadableImage, UnreadableReason

# No picture within the pixel limit needs more; a larger file is something else.
MAX_BYTES = 1 << 30


def read_image_bytes(path: Path) -> bytes:
    """Return the contents of an image file, or raise UnreadableImage."""
    try:
        _require_plausible_file(path)
        data = path.read_bytes()
    except FileNotFoundError:
        raise UnreadableImage(UnreadableReason.MISSING) from None
    except PermissionError:
        raise UnreadableImage(UnreadableReason.NO_PERMISSION) from None
    except NotADirectoryError:
        data = _packed_bytes(path)
    except OSError as error:
        raise UnreadableImage(UnreadableReason.READ_FAILED) from error
    if not data:
        raise UnreadableImage(UnreadableReason.EMPTY)
    return data


def _packed_bytes(path: Path) -> bytes:
    """Return an image whose folder is a pack: its name is the token in the pack."""
    data = None
    if is_packed(path):
        with suppress(sqlite3.Error):
            data = read_packed(path.parent, path.name)
    if data is None:
        raise UnreadableImage(UnreadableReason.MISSING)
    return data


def is_packed(path: Path) -> bool:
    """Return whether the path names an entry of a pack, which never changes."""
    return path.parent.suffix == PACK_SUFFIX and path.parent.is_file()


def content_hash(data: bytes) -> bytes:
    """Return the hash that identifies an image by its contents."""
    return hashlib.sha256(data).digest()


def read_known_file(file: ImageFile) -> bytes:
    """Return the contents of a file that the study knows; refuse it if they have changed."""
    data = read_image_bytes(file.path)
    if file.content_hash is not None and content_hash(data) != file.content_hash:
        raise UnreadableImage(UnreadableReason.CHANGED)
    return data


def _require_plausible_file(path: Path) -> None:
    # Opening a pipe would block until someone writes to it, so the file type is checked first.
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableImage(UnreadableReason.NOT_A_FILE)
    if status.st_size > MAX_BYTES:
        raise UnreadableImage(UnreadableReason.TOO_LARGE)
