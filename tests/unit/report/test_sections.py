"""Every table and figure is placed once, in the order of reading."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.report.sections import ALWAYS_IN_TEXT, LONGEST_IN_TEXT, SECTIONS, report_sections
from labeler.report.table import ReportColumn, ReportTable

KEYS = ("fits", "gaps", "gap-groups", "accuracy-top1", "accuracy-multi-label", "new-kind", "times")
tables = st.lists(
    st.tuples(st.sampled_from(KEYS), st.integers(1, 2 * LONGEST_IN_TEXT)),
    unique_by=lambda table: table[0],
)


def table_of(key: str, rows: int) -> ReportTable:
    return ReportTable(
        key=key, title=key, note="", columns=(ReportColumn("Who"),), rows=(("A",),) * rows
    )


@given(tables)
def test_every_table_is_placed_once_and_numbered_in_order(made: list[tuple[str, int]]) -> None:
    sections = report_sections([table_of(*table) for table in made], [], main_table=KEYS[4])
    placed = [t for section in sections for block in section.blocks for t in block.tables]
    assert sorted(t.table.key for t in placed) == sorted(key for key, _ in made)
    assert [t.number for t in placed] == list(range(1, len(made) + 1))
    assert [section.key for section in sections] == [plan.key for plan in SECTIONS]


@given(tables)
def test_only_long_tables_move_to_the_appendix(made: list[tuple[str, int]]) -> None:
    sections = report_sections([table_of(*table) for table in made], [], main_table=KEYS[4])
    moved = {
        t.table.key
        for section in sections
        for block in section.blocks
        for t in block.tables
        if t.appendix
    }
    assert moved == {
        key
        for key, rows in made
        if rows > LONGEST_IN_TEXT and key not in (*ALWAYS_IN_TEXT, KEYS[4])
    }


def test_a_table_without_a_section_is_among_all_tables() -> None:
    last = report_sections([table_of("new-kind", 1)], [], main_table="")[-1]
    assert [t.table.key for block in last.blocks for t in block.tables] == ["new-kind"]
