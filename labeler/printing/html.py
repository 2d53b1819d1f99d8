"""Render HTML documents in one file, with Jinja templates that escape everything."""

import base64
from collections.abc import Mapping
from functools import partial

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from labeler.locations import PRINT_TEMPLATES

_KINDS = {"jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml"}


def render_html(
    template: str, data: Mapping[str, object], assets: Mapping[str, bytes] | None = None
) -> str:
    """Return the rendered template; `embedded(name)` embeds a picture, nothing is loaded."""
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
    """Return a picture as a data URL."""
    kind = _KINDS[name.rpartition(".")[2]]
    return f"data:{kind};base64,{base64.b64encode(assets[name]).decode('ascii')}"
