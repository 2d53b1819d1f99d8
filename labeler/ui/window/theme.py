"""A theme: the colours of the program and the four sizes of its type."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path

from PySide6.QtGui import QColor, QPalette

from labeler.locations import RESOURCES

STYLE_FOLDER = RESOURCES / "style"
_PLACEHOLDER = re.compile(r"@([a-z_]+)")


class TypeSize(StrEnum):
    """The four sizes of type, as the style sheet calls them."""

    CAPTION = "caption"
    BODY = "body"
    HEADING = "heading"
    TITLE = "title"


TYPE_SCALE: Mapping[TypeSize, float] = {
    TypeSize.CAPTION: 0.9,
    TypeSize.BODY: 1.0,
    TypeSize.HEADING: 1.2,
    TypeSize.TITLE: 1.6,
}
assert set(TYPE_SCALE) == set(TypeSize), "every size has its scale"


@dataclass(frozen=True, slots=True)
class Theme:
    """The named colours of a theme file, as `#rrggbb`."""

    window: str
    surface: str
    raised: str
    line: str
    strong_line: str
    text: str
    muted: str
    accent: str
    on_accent: str
    accent_soft: str
    match: str
    on_match: str
    open: str
    closed: str
    locked: str
    fault: str
    surround: str
    on_surround: str
    focus_on_surround: str
    hover: str
    correct: str
    wrong: str
    unclear: str
    paper: str

    @property
    def colours(self) -> Mapping[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def load_theme(name: str, *, folder: Path = STYLE_FOLDER) -> Theme:
    """The theme of that name; it has every colour and no other."""
    return Theme(**tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")))


def theme_style_sheet(theme: Theme, *, body_points: float, folder: Path = STYLE_FOLDER) -> str:
    """The program's style sheet in the theme's colours and in sizes that follow the system's."""
    sizes = {size.value: f"{body_points * scale:.1f}pt" for size, scale in TYPE_SCALE.items()}
    # Their grey is legible in both themes.
    drawings = {
        f"{name}_arrow": (folder / f"{name.replace('_', '-')}-arrow.svg").as_posix()
        for name in ("up", "down", "faint_up", "faint_down")
    } | {"close": (folder / "close.svg").as_posix()}
    values = {**theme.colours, **sizes, **drawings}
    template = (folder / "style.qss").read_text(encoding="utf-8")
    return _PLACEHOLDER.sub(lambda found: values[found[1]], template)


def theme_palette(theme: Theme) -> QPalette:
    """The theme's colours in the roles that Qt's own painting uses."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.hover,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Accent: theme.accent,
    }
    made = QPalette()
    for where, colour in colours.items():
        made.setColor(where, QColor(colour))
    return made
