"""Who has read the rules of which study on this machine."""

import json
from contextlib import suppress
from pathlib import Path

import platformdirs

from labeler.core.errors import EnvironmentFault
from labeler.images.atomic_write import write_atomically


def read_rules_path() -> Path:
    return Path(platformdirs.user_state_dir("labeler", appauthor=False)) / "rules-read.json"


class ReadRulesRecord:
    """A list of study and person; where it can't be kept, the rules are shown again."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or read_rules_path()

    def has_read(self, *, study: str, code: str) -> bool:
        return [study, code] in self._pairs()

    def remember(self, *, study: str, code: str) -> None:
        if not self.has_read(study=study, code=code):
            with suppress(EnvironmentFault):
                pairs = [*self._pairs(), [study, code]]
                write_atomically(self._file, json.dumps(pairs, ensure_ascii=False).encode())

    def _pairs(self) -> list[object]:
        try:
            read = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return read if isinstance(read, list) else []
