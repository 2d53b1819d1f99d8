"""The printed report: tables are in one of two type sizes, whatever their names and columns."""

import io
from datetime import UTC, datetime

from pypdf import PageObject, PdfReader

from labeler.printing.pdf import render_pdf

MADE_AT = datetime(2026, 1, 31, tzinfo=UTC)
LONG = "vit_giant_patch14_clip_224.laion2b_ft_in12k_in1k"
USUAL, SMALL = 8.5, 7.0


def table(number: int, *, columns: int, rows: int = 3) -> dict[str, object]:
    head = ["Participant", *("imagenetv2-matched-frequency-format-val",) * columns]
    return {
        "number": number,
        "appendix": False,
        "title": "A table",
        "note": "A note.",
        "numbers": [False, *(True,) * columns],
        "head": head,
        "rows": [[LONG, *("93.4 [91.7, 94.9]",) * columns]] * rows,
    }


def pages_of(*tables: dict[str, object]) -> list[PageObject]:
    block = {"figures": [], "tables": list(tables)}
    sections = [
        {"key": "accuracy", "mark": "1", "title": "Accuracy", "blocks": [block]},
        {"key": "tables", "mark": "2", "title": "All tables", "blocks": []},
    ]
    data = {
        "title": "Humans and models",
        "subtitle": "study",
        "headline": {"sentences": ["A sentence."], "numbers": [], "remarks": []},
        "facts": [],
        "locked": True,
        "omissions": [],
        "changes": "",
        "sections": sections,
        "galleries": [],
        "methods": [],
    }
    # The first two pages are the cover and the contents.
    return list(PdfReader(io.BytesIO(render_pdf("report", data, made_at=MADE_AT))).pages)[2:]


def sizes(page: PageObject) -> set[float]:
    found: set[float] = set()

    def visit(
        text: str, user: list[float], matrix: list[float], _font: object, size: float
    ) -> None:
        if text.strip():
            found.add(round(abs(size * matrix[3] * user[3]), 1))

    page.extract_text(visitor_text=visit)
    return found


def test_a_wide_table_is_on_a_page_on_its_side_and_others_are_not() -> None:
    upright, wide, after = pages_of(table(1, columns=2), table(2, columns=9), table(3, columns=2))
    assert [p.mediabox.width > p.mediabox.height for p in (upright, wide, after)] == [0, 1, 0]
    assert all(min(sizes(page)) >= SMALL for page in (upright, wide, after))


def test_long_names_in_a_short_table_are_broken_so_that_its_type_stays() -> None:
    (page,) = pages_of(table(1, columns=4))
    assert page.mediabox.width < page.mediabox.height
    assert min(sizes(page)) == USUAL
    assert LONG not in page.extract_text()
    assert LONG in "".join(page.extract_text().split()).replace("\u200b", "")
