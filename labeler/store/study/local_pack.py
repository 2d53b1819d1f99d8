"""The pack from which a machine takes the pictures of a shared study, in its own study folder."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, os_error_reason
from labeler.images.pack_file import SHEETS, read_packed
from labeler.store.study.local_json import write_local_json

_FORM = 'this file must contain {"pack_id": "…", "file": "…"}, or {} without a pack.'


@dataclass(frozen=True, slots=True)
class UsedPack:
    """A pack of the study, and where this machine has it."""

    pack_id: str
    file: Path

    def reference_hashes(self, wnid: str) -> Mapping[str, bytes]:
        """Return the hashes of a class's reference images by their tokens."""
        with suppress(sqlite3.Error):
            manifest = read_packed(self.file, f"{SHEETS}{wnid}.json")
            return {} if manifest is None else packed_hashes(manifest)
        return {}


class LocalPack:
    """What a machine that joined a study says of its pack; a machine that didn't says nothing."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def is_expected(self) -> bool:
        """Whether people take the pictures from a pack here, because the study was joined."""
        return self._file.exists()

    def used(self) -> UsedPack | None:
        """Return the pack in use, or None if there is none."""
        try:
            document = json.loads(self._file.read_text(encoding="utf-8"))
            return UsedPack(document["pack_id"], Path(document["file"])) if document else None
        except FileNotFoundError:
            return None
        except OSError as error:
            reason = os_error_reason(error)
            raise EnvironmentFault(f"{self._file} can't be read: {reason}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(_FORM, file=self._file) from error

    def put(self, pack: UsedPack | None) -> None:
        """Set the pack, or note that this machine has none."""
        document = {} if pack is None else {"pack_id": pack.pack_id, "file": str(pack.file)}
        write_local_json(self._file, document)


def packed_hashes(manifest: bytes) -> dict[str, bytes]:
    """Return the hashes of the images of a packed sheet by their tokens."""
    return {
        image["key"].rpartition("/")[2]: bytes.fromhex(image["hash"])
        for image in json.loads(manifest)["images"]
        if image["hash"]
    }
