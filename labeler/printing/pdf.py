"""The one way to a PDF: a Typst template from the resources, filled with plain data."""

import json
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from labeler.core.errors import EnvironmentFault
from labeler.locations import PRINT_TEMPLATES


def render_pdf(
    template: str,
    data: Mapping[str, object],
    assets: Mapping[str, bytes] | None = None,
    *,
    made_at: datetime,
) -> bytes:
    """The template's document; it reads `data.json`, and pictures as `assets/` and their name.

    Data is never read as markup, so nothing in it needs escaping. The same input gives the same
    bytes: `made_at` is the only date in the file, by the second.
    """
    compiler = _compiler()
    second = made_at.astimezone(UTC).replace(microsecond=0)
    # A template can read what is in this folder and nothing else.
    with TemporaryDirectory(prefix="labeler-printing-") as name:
        folder = Path(name)
        _fill(folder, data, assets or {})
        main = folder / f"{template}.typ"
        made: bytes = compiler.compile(str(main), root=str(folder), timestamp=second)
    return made


def _fill(folder: Path, data: Mapping[str, object], assets: Mapping[str, bytes]) -> None:
    try:
        for template in PRINT_TEMPLATES.glob("*.typ"):
            shutil.copy(template, folder)
        (folder / "data.json").write_bytes(_json(data))
        (folder / "assets").mkdir()
        for name, content in assets.items():
            (folder / "assets" / name).write_bytes(content)
    except OSError as error:
        raise EnvironmentFault(
            f"There is no room for printing in {folder.parent} ({error.strerror}): free some space."
        ) from error


def _json(data: Mapping[str, object]) -> bytes:
    # Half a surrogate pair is no text; as a question mark it harms no one.
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _compiler() -> ModuleType:
    """Typst, which is large and loaded only when there is something to print."""
    try:
        import typst
    except ImportError as error:
        raise EnvironmentFault(
            "A PDF needs the package typst, which can't be loaded here: install it with "
            "`pip install typst`, or choose another format."
        ) from error
    return typst
