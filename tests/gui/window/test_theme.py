"""The themes: complete, legible, and following the system when asked to."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import parse_key
from labeler.app.study.preferences import ThemeChoice
from labeler.core.study.phases import PhaseState
from labeler.ui.kit.input.form_fields import NumberField
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.window.icons import ICON_FOLDER, paint_icon, window_icon
from labeler.ui.window.theme import Appearance, Theme, TypeSize, load_theme, theme_style_sheet

NAMES = ("light", "dark")
GROUNDS = {
    "text": ("window", "surface", "raised", "accent_soft", "hover"),
    "muted": ("window", "surface", "accent_soft", "hover"),
    "on_accent": ("accent",),
    "on_match": ("match",),
    "on_surround": ("surround",),
    "fault": ("surface",),
    **{state.value: ("surface",) for state in PhaseState},
}


def luminance(colour: str) -> float:
    parts = [QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF()]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", NAMES)
def test_text_is_legible_on_every_ground_that_it_is_on(name: str) -> None:
    colours = load_theme(name).colours
    for text, grounds in GROUNDS.items():
        for ground in grounds:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_have_a_neutral_mid_grey_around_them(name: str) -> None:
    surround = QColor(load_theme(name).surround)
    assert surround.red() == surround.green() == surround.blue()
    assert 90 <= surround.red() <= 140


@pytest.mark.parametrize("name", NAMES)
def test_the_style_sheet_has_every_colour_filled_in(name: str) -> None:
    sheet = theme_style_sheet(load_theme(name), body_points=10)
    assert "@" not in sheet.partition("*/")[2]


def test_every_drawing_of_the_style_sheet_is_there() -> None:
    sheet = theme_style_sheet(load_theme("light"), body_points=10)
    drawings = re.findall(r'url\("([^"]+)"\)', sheet)
    assert drawings
    assert all(Path(each).is_file() for each in drawings)


@pytest.mark.parametrize("name", NAMES)
def test_a_number_at_its_end_keeps_a_faint_arrow(name: str, qtbot: QtBot) -> None:
    field = NumberField(least=0, most=9, value=0)
    qtbot.addWidget(field)
    field.setStyleSheet(theme_style_sheet(load_theme(name), body_points=10))
    field.resize(120, 32)

    def arrow_down() -> set[int]:
        picture = field.grab().toImage()
        below = range(picture.height() // 2 + 2, picture.height() - 3)
        across = range(picture.width() - 20, picture.width() - 4)
        return {picture.pixel(x, y) for x in across for y in below}

    at_its_end = arrow_down()
    field.setValue(5)
    assert len(at_its_end) > 1, "something is drawn"
    assert at_its_end != arrow_down(), "and it differs from an arrow that works"


def test_a_theme_file_holds_the_named_colours_and_no_other() -> None:
    for name in NAMES:
        assert set(load_theme(name).colours) == {field.name for field in fields(Theme)}


def test_the_choices_follow_each_other_in_a_ring() -> None:
    choice = ThemeChoice.SYSTEM
    seen = [choice := choice.following for _ in ThemeChoice]
    assert seen == [ThemeChoice.LIGHT, ThemeChoice.DARK, ThemeChoice.SYSTEM]


def test_the_systems_scheme_is_followed_unless_a_person_chose(qapp: QApplication) -> None:
    appearance = Appearance(qapp, ThemeChoice.SYSTEM)
    for scheme, dark in ((Qt.ColorScheme.Dark, True), (Qt.ColorScheme.Light, False)):
        qapp.styleHints().setColorScheme(scheme)
        assert appearance.is_dark is (qapp.styleHints().colorScheme() is Qt.ColorScheme.Dark)
        appearance.choose(ThemeChoice.DARK if not dark else ThemeChoice.LIGHT)
        assert appearance.is_dark is not dark
        appearance.choose(ThemeChoice.SYSTEM)
    qapp.styleHints().unsetColorScheme()


def test_there_are_four_sizes_of_type_each_larger_than_the_one_before(qapp: QApplication) -> None:
    appearance = Appearance(qapp, ThemeChoice.LIGHT)
    sizes = [appearance.font(size).pointSizeF() for size in TypeSize]
    assert sizes == sorted(set(sizes))
    assert len(sizes) == 4


@pytest.mark.parametrize("colour", ["#ff0000", "#0000ff"])
@pytest.mark.parametrize("file", sorted(ICON_FOLDER.glob("*.svg")), ids=lambda file: file.stem)
def test_every_icon_is_drawn_in_the_colour_asked_for(
    qapp: QApplication, file: Path, colour: str
) -> None:
    image = QImage(48, 48, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_icon(painter, QRectF(0, 0, 48, 48), file.stem, colour=colour, background="#00ff00")
    painter.end()
    pixels = {image.pixelColor(x, y).name() for x in range(48) for y in range(48)}
    assert colour in pixels
    assert "#ffffff" not in pixels


@pytest.mark.parametrize("size", [16, 32, 64])
@pytest.mark.parametrize("name", NAMES)
def test_the_windows_icon_can_be_reported_on_a_light_and_on_a_dark_title_bar(
    qapp: QApplication, name: str, size: int
) -> None:
    theme = load_theme(name)
    made = window_icon("labeler", colour=theme.on_accent, ground=theme.accent)
    image = made.pixmap(size, size).toImage()
    pixels = [image.pixelColor(x, y) for x in range(size) for y in range(size)]
    solid = [pixel.name() for pixel in pixels if pixel.alpha() == 255]
    assert len(solid) > 0.8 * size * size, "it has a ground of its own"
    assert theme.accent in solid
    assert min(contrast(theme.accent, pixel) for pixel in solid) == pytest.approx(1, abs=0.01)
    assert max(contrast(theme.accent, pixel) for pixel in solid) > 4.5


def test_all_type_grows_with_the_text_scale(qapp: QApplication) -> None:
    appearance = Appearance(qapp, ThemeChoice.LIGHT)
    usual = [appearance.font(size).pointSizeF() for size in TypeSize]
    sizes: list[float] = []
    appearance.changed.connect(lambda: sizes.append(appearance.text_scale))
    appearance.set_text_scale(1.3)
    appearance.set_text_scale(1.3)
    assert sizes == [1.3]
    assert [appearance.font(size).pointSizeF() for size in TypeSize] == [
        pytest.approx(points * 1.3) for points in usual
    ]
    caps = KeyCaps(appearance, [parse_key("Ctrl+F")])
    large = caps.sizeHint()
    appearance.set_text_scale(1.0)
    assert caps.sizeHint().height() < large.height()


@pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
@pytest.mark.parametrize("name", NAMES)
def test_a_plain_button_shows_its_focus_by_a_thick_line(name: str, qtbot: QtBot) -> None:
    theme = load_theme(name)
    buttons = QWidget()
    buttons.setStyleSheet(theme_style_sheet(theme, body_points=10))
    row = QHBoxLayout(buttons)
    plain = QPushButton("Home")
    row.addWidget(plain)
    row.addWidget(QPushButton("Back"))
    qtbot.addWidget(buttons)
    buttons.show()
    qtbot.waitUntil(buttons.isActiveWindow)
    # By the key, after which styles draw marks of their own.
    row.itemAt(1).widget().setFocus()
    qtbot.keyClick(buttons, Qt.Key.Key_Backtab)
    assert plain.hasFocus()
    size = plain.sizeHint()
    drawn = plain.grab().toImage()
    line = [drawn.pixelColor(x, drawn.height() // 2).name() for x in (0, 1)]
    assert line == [QColor(theme.accent).name()] * 2
    beside_words = {drawn.pixelColor(x, 10).name() for x in range(6, drawn.width() - 6)}
    assert beside_words == {QColor(theme.colours["raised"]).name()}, "one mark is enough"
    row.itemAt(1).widget().setFocus()
    assert plain.sizeHint() == size, "nothing moves"
    assert contrast(theme.accent, theme.colours["raised"]) >= 3
