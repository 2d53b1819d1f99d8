"""Render PDF documents with Typst templates and plain data."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from labeler.core.errors import EnvironmentFault
from labeler.locations import PRINT_TEMPLATES
from labeler.printing import typst_process


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
    # A template can only read files in this folder.
    with TemporaryDirectory(prefix="labeler-printing-") as name:
        folder = Path(name)
        _fill(folder, data, assets or {})
        return _compiled(folder, template, int(made_at.timestamp()))


def _compiled(folder: Path, template: str, timestamp: int) -> bytes:
    made = folder / "made.pdf"
    # -P: the folder of the script isn't searched for modules.
    command = [sys.executable, "-P", typst_process.__file__, folder / f"{template}.typ", made]
    done = subprocess.run(
        [*map(str, command), str(timestamp)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode == typst_process.NO_COMPILER:
        raise EnvironmentFault(
            "A PDF needs the package typst, which can't be loaded. Install it with "
            "`pip install typst`, or choose another format."
        )
    if done.returncode < 0:
        raise EnvironmentFault(
            "The system ended the printing of the PDF, probably because memory ran out. Close "
            "other programs and try again, or choose another format."
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return made.read_bytes()


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
