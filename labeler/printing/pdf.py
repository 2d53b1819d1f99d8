"""Render PDF documents with Typst templates and plain data."""

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
    """Return the compiled template, which reads `data.json` and pictures in `assets/`.

    Data is never read as markup, so it needs no escaping. The same input gives the same bytes:
    `made_at` is the only date in the file, to the second.
    """
    compiler = _compiler()
    second = made_at.astimezone(UTC).replace(microsecond=0)
    # A template can only read files in this folder.
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
            f"There is no space for printing in {folder.parent} ({error.strerror}). Free some."
        ) from error


def _json(data: Mapping[str, object]) -> bytes:
    # A lone surrogate isn't valid text; it becomes a question mark.
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _compiler() -> ModuleType:
    """Return typst, which is large and only loaded when something is printed."""
    try:
        import typst
    except ImportError as error:
        raise EnvironmentFault(
            "A PDF needs the package typst, which can't be loaded. Install it with "
            "`pip install typst`, or choose another format."
        ) from error
    return typst
