"""The checker names every fault of a guide with its file and line, and goes on after each."""

from pathlib import Path

import pytest
from PIL import Image

from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.core.errors import InputError
from labeler.guide.check import CheckedGuide, GuideFlaw, check_guide, undistinguished_pairs
from labeler.guide.coverage import guide_coverage, read_evidence_pairs, read_lookalike_pairs
from tests.guides import SHIPPED_GUIDE, SMALL_GUIDE

MARMOT, BEAVER, OTTER = "n02361337", "n02363005", "n02444819"
GOLDFISH = "n01443537"
EVIDENCE_HEADER = "wnid_a,wnid_b,model_confusions,label_errors,together_in_one_image"


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_default()


@pytest.fixture
def folder(tmp_path: Path, page: str) -> Path:
    """A guide of one sound page."""
    folder = tmp_path / "guide"
    folder.mkdir()
    (folder / "rodents.md").write_text(page, encoding="utf-8")
    return folder


def write(folder: Path, text: str, name: str = "rodents.md") -> int:
    """Write a page and give the number of the line with the words “look here”, if any."""
    (folder / name).write_text(text, encoding="utf-8")
    return next((n for n, line in enumerate(text.split("\n"), 1) if "look here" in line), 0)


def flaws(checked: CheckedGuide) -> list[GuideFlaw]:
    return [finding.flaw for finding in checked.findings]


def only_sentence(checked: CheckedGuide) -> str:
    assert len(checked.findings) == 1, checked.findings
    return checked.findings[0].sentence


def test_a_sound_guide_has_no_findings(folder: Path, taxonomy: Taxonomy) -> None:
    assert check_guide(folder, taxonomy=taxonomy).findings == ()


def test_the_guide_that_ships_with_the_program_is_sound(taxonomy: Taxonomy) -> None:
    found = check_guide(SHIPPED_GUIDE, taxonomy=taxonomy).findings
    assert [finding.sentence for finding in found] == []


def test_a_page_that_covers_an_unknown_class_is_named_with_its_line(
    folder: Path, taxonomy: Taxonomy, page: str
) -> None:
    write(folder, page.replace(f'  "{BEAVER}",', f'  "{BEAVER}",\n  "n00000001",'))
    sentence = only_sentence(check_guide(folder, taxonomy=taxonomy))
    assert sentence == f"{folder / 'rodents.md'}, line 6: n00000001 is not a class of the taxonomy."


def test_a_node_above_the_classes_is_no_class(folder: Path, taxonomy: Taxonomy, page: str) -> None:
    write(folder, page.replace("Rocks, ponds.", "[dogs](class:n02084071)"))
    assert flaws(check_guide(folder, taxonomy=taxonomy)) == [GuideFlaw.UNKNOWN_CLASS]


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("[x](nowhere.md)", GuideFlaw.DEAD_LINK),
        ("[x](class:n00000001)", GuideFlaw.UNKNOWN_CLASS),
        ("[x](../outside.md)", GuideFlaw.DEAD_LINK),
        ("[x](file:///etc/passwd)", GuideFlaw.DEAD_LINK),
        ("[x](javascript:alert(1))", GuideFlaw.DEAD_LINK),
        ("[x](rodents.md#tail)", GuideFlaw.DEAD_LINK),
        ("[x]()", GuideFlaw.DEAD_LINK),
        ("![x](missing.png)", GuideFlaw.NO_PICTURE),
        ("![x](../outside.png)", GuideFlaw.NO_PICTURE),
        ("![x](%2e%2e/outside.png)", GuideFlaw.NO_PICTURE),
        ("![x](/etc/passwd)", GuideFlaw.NO_PICTURE),
        ("![x](https://example.org/a.png)", GuideFlaw.NO_PICTURE),
        ("![x](data:image/png;base64,AAAA)", GuideFlaw.NO_PICTURE),
        ("![x](ref:n00000001/1)", GuideFlaw.UNKNOWN_CLASS),
        (f"![x](ref:{BEAVER}/0)", GuideFlaw.NO_PICTURE),
    ],
)
def test_what_leads_nowhere_is_named_with_its_line(
    folder: Path, taxonomy: Taxonomy, page: str, text: str, flaw: GuideFlaw
) -> None:
    line = write(folder, page.replace("Rocks, ponds.", f"Rocks,\nlook here {text}"))
    checked = check_guide(folder, taxonomy=taxonomy)
    assert flaws(checked) == [flaw]
    assert f"rodents.md, line {line}: " in only_sentence(checked)


def test_a_dead_link_in_a_table_has_its_row_s_line(
    folder: Path, taxonomy: Taxonomy, page: str
) -> None:
    row = f"| [marmot](class:{MARMOT}) | [x](class:n00000001) | look here |"
    line = write(folder, page.replace("\n| [beaver]", f"\n{row}\n| [beaver]"))
    assert f"line {line}: n00000001" in only_sentence(check_guide(folder, taxonomy=taxonomy))


def test_what_leads_somewhere_is_no_finding(folder: Path, taxonomy: Taxonomy, page: str) -> None:
    Image.new("RGB", (4, 4)).save(folder / "tails.png")
    text = f"[x](rodents.md) [y](https://example.org) ![z](tails.png) ![w](ref:{BEAVER}/3)"
    write(folder, page.replace("Rocks, ponds.", text))
    assert check_guide(folder, taxonomy=taxonomy, references=lambda _wnid: 3).findings == ()


def test_a_reference_image_that_the_study_lacks_is_named(
    folder: Path, taxonomy: Taxonomy, page: str
) -> None:
    write(folder, page.replace("Rocks, ponds.", f"![z](ref:{BEAVER}/4)"))
    checked = check_guide(folder, taxonomy=taxonomy, references=lambda _wnid: 3)
    assert "no reference image 4 of n02363005; the study has 3" in only_sentence(checked)
    assert check_guide(folder, taxonomy=taxonomy).findings == ()


def test_a_picture_that_is_no_picture_is_named(folder: Path, taxonomy: Taxonomy, page: str) -> None:
    (folder / "tails.png").write_bytes(b"no picture")
    write(folder, page.replace("Rocks, ponds.", "![z](tails.png)"))
    assert flaws(check_guide(folder, taxonomy=taxonomy)) == [GuideFlaw.NO_PICTURE]


@pytest.mark.parametrize(("inside", "found"), [("<path/>", 0), ("<script/>", 1)])
def test_a_schematic_is_checked_like_other_pictures(
    folder: Path, taxonomy: Taxonomy, page: str, inside: str, found: int
) -> None:
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside}</svg>'
    (folder / "tails.svg").write_text(drawing)
    write(folder, page.replace("Rocks, ponds.", "![z](tails.svg)"))
    assert flaws(check_guide(folder, taxonomy=taxonomy)) == [GuideFlaw.NO_PICTURE] * found


def test_a_picture_behind_a_link_out_of_the_folder_is_none(
    folder: Path, taxonomy: Taxonomy, page: str
) -> None:
    Image.new("RGB", (4, 4)).save(folder.parent / "outside.png")
    (folder / "tails.png").symlink_to(folder.parent / "outside.png")
    write(folder, page.replace("Rocks, ponds.", "![z](tails.png)"))
    assert flaws(check_guide(folder, taxonomy=taxonomy)) == [GuideFlaw.NO_PICTURE]


def test_classes_covered_twice_are_all_named(folder: Path, taxonomy: Taxonomy, page: str) -> None:
    write(folder, page, "twice.md")
    checked = check_guide(folder, taxonomy=taxonomy)
    assert flaws(checked) == [GuideFlaw.COVERED_TWICE, GuideFlaw.COVERED_TWICE]
    assert "twice.md, line 4: n02361337 is covered here and in rodents.md" in (
        checked.findings[0].sentence
    )


def test_a_page_without_sources_is_named_though_it_admits_it(
    folder: Path, taxonomy: Taxonomy, page: str
) -> None:
    start, end = page.index("sources ="), page.index("]\n+++") + 1
    text = page[:start] + "sources = []" + page[end:]
    write(folder, text.replace('"verified"', '"unverified"'))
    checked = check_guide(folder, taxonomy=taxonomy)
    assert flaws(checked) == [GuideFlaw.NO_SOURCES]
    assert "rodents.md, line 9: " in only_sentence(checked)


def test_pages_after_one_that_is_refused_are_checked_too(
    folder: Path, taxonomy: Taxonomy, page: str
) -> None:
    write(folder, "no front matter", "aardvarks.md")
    (folder / "bytes.md").write_bytes(b"+++\n\xff\n+++\n")
    write(folder, page.replace("Rocks, ponds.", "[x](nowhere.md)"))
    checked = check_guide(folder, taxonomy=taxonomy)
    assert flaws(checked) == [GuideFlaw.UNREADABLE, GuideFlaw.UNREADABLE, GuideFlaw.DEAD_LINK]
    assert "aardvarks.md, line 1: " in checked.findings[0].sentence
    assert "bytes.md, line 2: " in checked.findings[1].sentence


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, taxonomy: Taxonomy) -> None:
    with pytest.raises(InputError, match="folder of the guide"):
        check_guide(tmp_path / "none", taxonomy=taxonomy)


def test_look_alikes_that_no_row_tells_apart_are_named(folder: Path, taxonomy: Taxonomy) -> None:
    file = folder.parent / "pairs.csv"
    file.write_text(f"wnid_a,wnid_b,count\n{OTTER},{MARMOT},2\n{BEAVER},{MARMOT},5\n")
    guide = check_guide(folder, taxonomy=taxonomy).guide
    pairs = read_lookalike_pairs(file, taxonomy=taxonomy)
    assert [listed.count for listed in pairs] == [5, 2]
    (finding,) = undistinguished_pairs(pairs, guide, taxonomy=taxonomy, file=file)
    assert finding.sentence == (
        f"{file}, line 2: No row distinguishes “marmot” ({MARMOT}) from “otter” ({OTTER}); "
        "add a row to rodents.md."
    )
    counted = guide_coverage(guide, taxonomy=taxonomy, pairs=pairs)
    assert (counted.listed, counted.listed_told_apart) == (2, 1)


def test_coverage_counts_classes_and_pairs(folder: Path, taxonomy: Taxonomy) -> None:
    counted = guide_coverage(check_guide(folder, taxonomy=taxonomy).guide, taxonomy=taxonomy)
    assert (counted.pages, counted.covered, counted.classes) == (1, 2, 1000)
    assert counted.told_apart == 2


def test_an_evidence_pair_needs_a_row_from_its_thresholds_on(
    folder: Path, taxonomy: Taxonomy
) -> None:
    file = folder.parent / "evidence.csv"
    rows = (f"{OTTER},{MARMOT},3,2,50", f"{OTTER},{BEAVER},4,0,0", f"{MARMOT},{BEAVER},0,3,1")
    file.write_text("\n".join((EVIDENCE_HEADER, *rows, f"{OTTER},{GOLDFISH},0,3,0")))
    pairs = read_evidence_pairs(file, taxonomy=taxonomy)
    assert [(listed.line, listed.count) for listed in pairs] == [(3, 4), (4, 3), (5, 3)]
    guide = check_guide(folder, taxonomy=taxonomy).guide
    (finding,) = undistinguished_pairs(pairs, guide, taxonomy=taxonomy, file=file)
    assert "line 5: No row distinguishes “goldfish”" in finding.sentence


@pytest.mark.parametrize(
    "text", ["wnid_a,wnid_b,count\n", f"{EVIDENCE_HEADER}\n{OTTER},{BEAVER},4,x,0\n"]
)
def test_bad_evidence_is_refused(tmp_path: Path, taxonomy: Taxonomy, text: str) -> None:
    file = tmp_path / "evidence.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=r"line [12]"):
        read_evidence_pairs(file, taxonomy=taxonomy)


def test_the_small_guide_s_rows_and_pictures_are_counted(taxonomy: Taxonomy) -> None:
    checked = check_guide(SMALL_GUIDE, taxonomy=taxonomy)
    counted = guide_coverage(checked.guide, taxonomy=taxonomy)
    rows = [row for page in checked.guide.pages for row in page.distinctions]
    assert counted.rows == len(rows) > counted.unverified_rows
    without = {page.slug for page in checked.guide.pages if "![" not in page.body}
    assert set(counted.pages_without_picture) == {f"{slug}.md" for slug in without}


def test_unverified_rows_are_those_marked_or_all_of_an_unverified_page(
    folder: Path, taxonomy: Taxonomy, page: str
) -> None:
    unverified = page.replace('"verified"', '"unverified"')
    marked = unverified.replace("Bushy tail or flat tail.", "Bushy or flat tail. (unverified)")
    for text, count in ((page, 0), (unverified, 2), (marked, 1)):
        write(folder, text)
        guide = check_guide(folder, taxonomy=taxonomy).guide
        assert guide_coverage(guide, taxonomy=taxonomy).unverified_rows == count


def test_a_verified_page_has_no_unverified_row(folder: Path, taxonomy: Taxonomy, page: str) -> None:
    write(folder, page.replace("Bushy tail or flat tail.", "Bushy or flat tail. (unverified)"))
    assert flaws(check_guide(folder, taxonomy=taxonomy)) == [GuideFlaw.UNVERIFIED_ROW]


@pytest.mark.parametrize(
    ("trait", "visible"), [("Size: 5 cm or 90 cm.", False), ("Tail: bushy or flat.", True)]
)
def test_a_row_begins_with_what_a_photograph_shows(
    folder: Path, taxonomy: Taxonomy, page: str, trait: str, visible: bool
) -> None:
    write(folder, page.replace("Bushy tail or flat tail.", trait))
    guide = check_guide(folder, taxonomy=taxonomy).guide
    named = guide_coverage(guide, taxonomy=taxonomy).rows_without_visible_trait
    assert named == (() if visible else (f"rodents.md: {MARMOT} and {BEAVER}",))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a,b\n", "line 1: the header"),
        ("", "line 1: the header"),
        (f"wnid_a,wnid_b\n{OTTER},n00000001\n", "line 2, column wnid_b: “n00000001”"),
        (f"wnid_a,wnid_b\n{OTTER}\n", "line 2: the row has 1 fields"),
        (f"wnid_a,wnid_b\n{OTTER},{OTTER}\n", "line 2: a class can't"),
        (f"wnid_a,wnid_b,count\n\n{OTTER},{BEAVER},-1\n", "line 3, column count: “-1”"),
    ],
)
def test_a_bad_row_of_pairs_is_named(
    tmp_path: Path, taxonomy: Taxonomy, text: str, place: str
) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(text)
    with pytest.raises(InputError) as refused:
        read_lookalike_pairs(file, taxonomy=taxonomy)
    assert f"pairs.csv, {place}" in str(refused.value)
