"""An HTML document is made from a template and data, escapes everything and loads nothing."""

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from labeler.printing import html as printing
from labeler.printing.html import render_html


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(printing, "PRINT_TEMPLATES", tmp_path)
    return tmp_path


def test_data_is_escaped_wherever_it_stands(templates: Path) -> None:
    (templates / "letter.html").write_text('<p title="{{ words }}">{{ words }}</p>')
    written = render_html("letter", {"words": '"><script>x</script>'})
    assert "<script>" not in written
    assert written.count("&lt;script&gt;") == 2


def test_a_picture_is_inside_the_document(templates: Path) -> None:
    (templates / "letter.html").write_text('<img src="{{ embedded("a.png") }}">')
    assert render_html("letter", {}, {"a.png": b"abc"}) == '<img src="data:image/png;base64,YWJj">'


def test_data_that_the_template_misses_is_an_error(templates: Path) -> None:
    (templates / "letter.html").write_text("{{ words }}")
    with pytest.raises(UndefinedError):
        render_html("letter", {})
