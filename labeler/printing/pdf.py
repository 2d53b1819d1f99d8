"""The one way to a PDF: a Typst template from the resources, filled with plain data."""

import json
from collections.abc import Mapping
from datetime import datetime
from types import ModuleType

from labeler.core.errors import EnvironmentFault
from labeler.locations import PRINT_TEMPLATES

_DATA = "data.json"
_ASSETS = "assets/"


def pdf(
    template: str,
    data: Mapping[str, object],
    assets: Mapping[str, bytes] | None = None,
    *,
    made_at: datetime,
) -> bytes:
    """The template's document; it reads `data.json`, and pictures as `assets/` and their name.

    Data is never read as markup, so nothing in it needs escaping. The same input gives the same
    bytes: `made_at`, which must know its time zone, is the only date in the file.
    """
    files = {
        "main.typ": (PRINT_TEMPLATES / f"{template}.typ").read_bytes(),
        _DATA: _json(data),
        **{f"{_ASSETS}{name}": content for name, content in (assets or {}).items()},
    }
    # The root is the farthest that a template can read: the other templates.
    made: bytes = _compiler().compile(files, root=str(PRINT_TEMPLATES), timestamp=made_at)
    return made


def _json(data: Mapping[str, object]) -> bytes:
    # Half a surrogate pair is no text; as a question mark it harms nobody.
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
