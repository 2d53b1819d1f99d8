"""A lead checks the guide from the command line."""

from pathlib import Path

import pytest

from labeler.commands.guide import MISSING_PICTURES, NO_PROBLEMS
from labeler.locations import GUIDE
from tests.e2e.conftest import Labeler, make_images
from tests.guides import SHIPPED_GUIDE

GOLDFISH, OTHER = "n01443537", "n02123045"


@pytest.fixture
def study(labeler: Labeler, tmp_path: Path) -> Path:
    """A study with three reference images of a few classes, and its own copy of the guide."""
    make_images(tmp_path / "references", per_class=3, seed=4)
    assert labeler("new", tmp_path / "study", "--name", "Rodents").code == 0
    assert labeler("references", tmp_path / "study", tmp_path / "references").code == 0
    return tmp_path / "study"


def add_to_page(study: Path, text: str, slug: str = "foxes") -> None:
    page = study / "guide" / f"{slug}.md"
    page.write_text(f"{page.read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")


def test_the_shipped_guide_is_sound_and_its_coverage_is_printed(labeler: Labeler) -> None:
    outcome = labeler("guide", "check", "--folder", SHIPPED_GUIDE)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"{NO_PROBLEMS}\nClasses with a page: ")
    for line in ("Pairs distinguished: ", "Rows: ", "Pages without a picture: 0."):
        assert line in outcome.out


def test_a_study_s_own_guide_is_checked_with_its_references(labeler: Labeler, study: Path) -> None:
    add_to_page(study, f"![here](ref:{GOLDFISH}/3) ![not here](ref:{GOLDFISH}/4)")
    outcome = labeler("guide", "check", study)
    assert outcome.code == 1
    assert "foxes.md, line " in outcome.out
    assert f"no reference image 4 of {GOLDFISH}; the study has 3." in outcome.out
    assert "\n1 finding.\n" in outcome.out


def test_a_page_missing_from_the_folder_is_brought_back_before_the_check(
    labeler: Labeler, study: Path
) -> None:
    before = labeler("guide", "check", study).out
    (study / "guide" / "foxes.md").unlink()
    assert labeler("guide", "check", study).out == before
    assert (study / "guide" / "foxes.md").is_file()


def test_a_folder_of_pages_is_checked_without_a_study(labeler: Labeler, tmp_path: Path) -> None:
    (tmp_path / "damaged.md").write_text("nothing")
    outcome = labeler("guide", "check", "--folder", tmp_path)
    assert outcome.code == 1
    assert "damaged.md, line 1: " in outcome.out
    assert labeler("guide", "check", "--folder", GUIDE).code == 0


def test_look_alikes_without_a_row_are_found(labeler: Labeler, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(f"wnid_a,wnid_b,count\n{GOLDFISH},{OTHER},3\n")
    outcome = labeler("guide", "check", "--pairs", pairs, "--json")
    assert outcome.code == 1
    (finding,) = outcome.json["findings"]
    assert finding["flaw"] == "not_told_apart"
    assert finding["sentence"].startswith(f"{pairs}, line 2: No row distinguishes “goldfish”")
    assert (outcome.json["coverage"]["listed"], outcome.json["coverage"]["classes"]) == (1, 1000)


def test_evidence_and_coverage_are_demanded(labeler: Labeler, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.csv"
    header = "wnid_a,wnid_b,model_confusions,label_errors,together_in_one_image"
    evidence.write_text(f"{header}\n{GOLDFISH},{OTHER},4,0,0\n")
    outcome = labeler("guide", "check", "--evidence", evidence, "--at-least", "1001", "--json")
    assert outcome.code == 1
    flaws = [finding["flaw"] for finding in outcome.json["findings"]]
    assert flaws == ["not_told_apart", "too_few_classes"]
    assert outcome.json["coverage"]["rows"] > 0


def test_a_study_and_a_folder_at_once_are_wrong_usage(labeler: Labeler, tmp_path: Path) -> None:
    assert labeler("guide", "check", tmp_path, "--folder", tmp_path).code == 2


def test_what_is_not_there_is_refused_with_a_sentence(labeler: Labeler, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    for arguments in ((nowhere,), ("--folder", nowhere), ("--pairs", nowhere)):
        outcome = labeler("guide", "check", *arguments)
        assert (outcome.code, outcome.out) == (1, "")
        assert str(nowhere) in outcome.err


def test_a_study_s_guide_is_exported_with_its_reference_images(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    add_to_page(study, f"![here](ref:{GOLDFISH}/3) ![not here](ref:{GOLDFISH}/4)")
    for name in ("guide.html", "guide.pdf"):
        outcome = labeler("guide", "export", study, tmp_path / name)
        assert outcome.code == 0
        assert f"of the guide to {tmp_path / name}." in outcome.out
        assert (
            MISSING_PICTURES.format(pictures="1 picture is", names=f"ref:{GOLDFISH}/4")
            in outcome.out
        )
    html = (tmp_path / "guide.html").read_text(encoding="utf-8")
    assert html.count("data:image/jpeg") == 1
    assert "Rodents" in html
    assert (tmp_path / "guide.pdf").read_bytes().startswith(b"%PDF")


def test_the_shipped_guide_is_exported_without_a_study(labeler: Labeler, tmp_path: Path) -> None:
    assert labeler("guide", "export", tmp_path / "guide.html").code == 0
    assert labeler("guide", "export", "--folder", GUIDE, tmp_path / "again.html").code == 0
    assert (tmp_path / "guide.html").read_bytes() == (tmp_path / "again.html").read_bytes()


def test_an_export_to_nowhere_is_refused_or_wrong_usage(labeler: Labeler, tmp_path: Path) -> None:
    assert labeler("guide", "export").code == 2
    assert labeler("guide", "export", "a", "b", "c.html").code == 2
    outcome = labeler("guide", "export", tmp_path / "guide.docx")
    assert (outcome.code, outcome.out) == (1, "")
    assert "must end in .html or .pdf" in outcome.err
