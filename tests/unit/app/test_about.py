"""About: versions as installed, licences as shipped."""

from pathlib import Path

import labeler
from labeler.app.about import MISSING_LICENCE, about_view


def test_it_tells_the_programs_version_and_those_of_its_parts() -> None:
    view = about_view()
    assert view.version == labeler.__version__
    assert {"Python", "PySide6 Essentials", "numpy"} <= {name for name, _ in view.versions}
    assert all(number[0].isdigit() for _, number in view.versions)


def test_every_licence_that_ships_is_there_in_full() -> None:
    texts = {licence.covers: licence.text for licence in about_view().licences}
    assert "WordNet" in texts["WordNet 3.0, the source of the taxonomy"]
    assert "GNU GENERAL PUBLIC LICENSE" in texts["The demo's cut-out photographs, GPL 2"]
    assert "Permission is hereby granted" in texts["labeler"]


def test_a_missing_licence_file_is_told_instead_of_failing(tmp_path: Path) -> None:
    texts = [licence.text for licence in about_view(resources=tmp_path).licences]
    assert MISSING_LICENCE in texts
