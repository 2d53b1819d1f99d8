"""The look in force: it follows the system or a person's choice, and tells who paints."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication

from labeler.app.study.app_settings import ThemeChoice
from labeler.ui.window.theme import (
    TYPE_SCALE,
    Theme,
    TypeSize,
    load_theme,
    theme_palette,
    theme_style_sheet,
)

MIN_BODY_POINTS = 10.0


class Appearance(QObject):
    """Dresses the application, and again whenever the choice or the system's scheme changes."""

    changed = Signal()

    def __init__(
        self, application: QApplication, choice: ThemeChoice, *, text_scale: float = 1.0
    ) -> None:
        super().__init__()
        self._application = application
        self._themes: dict[str, Theme] = {}
        self._usual_points = max(application.font().pointSizeF(), MIN_BODY_POINTS)
        self._text_scale = text_scale
        self._choice = choice
        # What is painted asks for these hundreds of times.
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
        """Take the person's choice; nothing happens when it is the one in force."""
        if choice is not self._choice:
            self._choice = choice
            self._apply_theme()

    def set_text_scale(self, scale: float) -> None:
        """Take the size of all type, as a multiple of the usual."""
        if scale != self._text_scale:
            self._text_scale = scale
            self._apply_theme()

    def colour(self, name: str) -> QColor:
        """A colour of the theme, for those who paint by hand."""
        return QColor(self._colours[name])

    def font(self, size: TypeSize, *, strong: bool = False) -> QFont:
        """The system's family in one of the four sizes."""
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
