"""What the window remembers from one time to the next: its place, theme and tile size."""

from PySide6.QtCore import QByteArray, QSettings

from labeler.ui.theme import ThemeChoice

_GEOMETRY, _THEME, _TILE_SIZE = "window/geometry", "window/theme", "references/tile_size"


class WindowMemory:
    """Reads and writes Qt's settings; what can't be read counts as not remembered."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def theme(self) -> ThemeChoice:
        try:
            return ThemeChoice(str(self._settings.value(_THEME)))
        except ValueError:
            return ThemeChoice.SYSTEM

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._settings.setValue(_THEME, choice.value)

    @property
    def tile_size(self) -> int | None:
        value = str(self._settings.value(_TILE_SIZE))
        return int(value) if value.isdecimal() else None

    @tile_size.setter
    def tile_size(self, size: int) -> None:
        self._settings.setValue(_TILE_SIZE, size)

    @property
    def geometry(self) -> QByteArray | None:
        value = self._settings.value(_GEOMETRY)
        return value if isinstance(value, QByteArray) else None

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._settings.setValue(_GEOMETRY, geometry)
