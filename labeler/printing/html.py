"""The one way to an HTML document: a Jinja template that escapes everything, in one file."""

import base64
from collections.abc import Mapping
from functools import partial

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from labeler.locations import PRINT_TEMPLATES

_KINDS = {"jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml"}


def render_html(
    template: str, data: Mapping[str, object], assets: Mapping[str, bytes] | None = None
) -> str:
    """The template's document; it embeds a picture with `embedded(name)` and loads nothing."""
    environment = Environment(
        loader=FileSystemLoader(PRINT_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["embedded"] = partial(_embedded, assets or {})
    return environment.get_template(f"{template}.html").render(data)


def _embedded(assets: Mapping[str, bytes], name: str) -> str:
    """A picture as an address that holds the picture itself."""
    kind = _KINDS[name.rpartition(".")[2]]
    return f"data:{kind};base64,{base64.b64encode(assets[name]).decode('ascii')}"
