"""A page in the window asks for nothing but the guide's own pictures, whatever is on it."""

import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.study.preferences import ThemeChoice
from labeler.core.errors import InputError
from labeler.guide.page import parse_page
from labeler.guide.picture_files import folder_picture_loader
from labeler.guide.reader import PageHtml
from labeler.guide.rendering.html import RenderOptions, render_page
from labeler.guide.rendering.html_tables import TableLayout
from labeler.ui.guide.page_images import GuideImages
from labeler.ui.guide.page_view import GuidePageView
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import QtRunner
from tests.unit.guide.conftest import PAGE
from tests.unit.guide.hostile_markdown import MARKDOWN

OWN = re.compile(r"(ref:n\d{8}/\d+|picture:[\w/-]+\.\w+)")


class WatchedPage(GuidePageView):
    """Remembers what the text browser asks for."""

    asked: list[str]

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802
        self.asked.append(name.toString() if isinstance(name, QUrl) else name)
        return super().loadResource(kind, name)


def test_a_fuzzed_page_is_shown_and_asks_for_its_own_pictures_only(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    runner = QtRunner(threads=1)
    pictures = GuideImages(
        folder_picture_loader(tmp_path), lambda _wnid, _number: None, runner=runner
    )
    page = WatchedPage(Appearance(qapp, ThemeChoice.LIGHT), pictures)
    qtbot.addWidget(page)
    page.resize(640, 480)

    @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    @given(text=MARKDOWN)
    def show(text: str) -> None:
        try:
            parsed = parse_page(PAGE.replace("Rocks, ponds.", f"x\n{text}"), slug="a", file="a.md")
        except InputError:
            return
        wide, narrow = (render_page(parsed, RenderOptions(tables=tables)) for tables in TableLayout)
        page.asked = []
        page.show_page(PageHtml(wide, narrow), title="A", wanted=None)
        page.document().adjustSize()
        assert [address for address in page.asked if not OWN.fullmatch(address)] == []

    show()
    runner.close()
