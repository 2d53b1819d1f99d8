"""A theme: the colours and the four text sizes of the program."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from labeler.app.study.preferences import ThemeChoice
from labeler.locations import RESOURCES

STYLE_FOLDER = RESOURCES / "style"
_PLACEHOLDER = re.compile(r"@([a-z_]+)")


class TypeSize(StrEnum):
    """The four text sizes, by their names in the style sheet."""

    CAPTION = "caption"
    BODY = "body"
    HEADING = "heading"
    TITLE = "title"


TYPE_SCALE: Mapping[TypeSize, float] = {
    TypeSize.CAPTION: 0.85,
    TypeSize.BODY: 1.0,
    TypeSize.HEADING: 1.23,
    TypeSize.TITLE: 1.69,
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
    training: str
    paper: str

    @property
    def colours(self) -> Mapping[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def load_theme(name: str, *, folder: Path = STYLE_FOLDER) -> Theme:
    """Load the theme of that name, which must have exactly the named colours."""
    return Theme(**tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")))


def theme_style_sheet(theme: Theme, *, body_points: float, folder: Path = STYLE_FOLDER) -> str:
    """Return the style sheet in the theme's colours, with sizes relative to the system's font."""
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
    """Return the theme's colours as Qt's palette."""
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


MIN_BODY_POINTS = 10.0


class Appearance(QObject):
    """Applies the theme to the application, and follows the person's choice and the system."""

    changed = Signal()
    key_hints_changed = Signal()

    def __init__(
        self, application: QApplication, choice: ThemeChoice, *, text_scale: float = 1.0
    ) -> None:
        super().__init__()
        self._application = application
        self._themes: dict[str, Theme] = {}
        self._usual_points = max(application.font().pointSizeF(), MIN_BODY_POINTS)
        self._text_scale = text_scale
        self._key_hints_shown = True
        self._choice = choice
        # Cached, because painting asks for these hundreds of times.
        self._colours: dict[str, QColor] = {}
        self._fonts: dict[tuple[TypeSize, bool], QFont] = {}
        application.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._apply_theme()

    @property
    def choice(self) -> ThemeChoice:
        return self._choice

    @property
    def text_scale(self) -> float:
        return self._text_scale

    @property
    def is_dark(self) -> bool:
        if self._choice is ThemeChoice.SYSTEM:
            return self._application.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._choice is ThemeChoice.DARK

    @property
    def theme(self) -> Theme:
        name = "dark" if self.is_dark else "light"
        if name not in self._themes:
            self._themes[name] = load_theme(name)
        return self._themes[name]

    def choose(self, choice: ThemeChoice) -> None:
        """Apply the person's choice of theme, if it changed."""
        if choice is not self._choice:
            self._choice = choice
            self._apply_theme()

    def set_text_scale(self, scale: float) -> None:
        """Set the size of all text, as a multiple of the default."""
        if scale != self._text_scale:
            self._text_scale = scale
            self._apply_theme()

    @property
    def key_hints_shown(self) -> bool:
        return self._key_hints_shown

    def show_key_hints(self, shown: bool) -> None:
        """Show or hide the keys next to what they do; nothing else moves."""
        if shown is not self._key_hints_shown:
            self._key_hints_shown = shown
            self.key_hints_changed.emit()

    def colour(self, name: str) -> QColor:
        """Return a colour of the theme, for custom painting."""
        return QColor(self._colours[name])

    def font(self, size: TypeSize, *, strong: bool = False) -> QFont:
        """Return the system's font in one of the four sizes."""
        known = self._fonts.get((size, strong))
        if known is None:
            known = self._fonts[size, strong] = self._made_font(size, strong=strong)
        return QFont(known)

    def _made_font(self, size: TypeSize, *, strong: bool) -> QFont:
        font = QFont(self._application.font())
        font.setPointSizeF(self._body_points * TYPE_SCALE[size])
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        return font

    @property
    def _body_points(self) -> float:
        return self._usual_points * self._text_scale

    def _follow_system(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._apply_theme()

    def _apply_theme(self) -> None:
        self._colours = {name: QColor(value) for name, value in self.theme.colours.items()}
        self._fonts.clear()
        self._application.setPalette(theme_palette(self.theme))
        self._application.setStyleSheet(
            theme_style_sheet(self.theme, body_points=self._body_points)
        )
        self.changed.emit()
