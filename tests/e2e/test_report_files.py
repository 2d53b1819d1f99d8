"""The files of a report: they agree with each other, escape everything, and come out the same."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pypdf import PdfReader

from labeler.cli import main
from labeler.report.sections import SECTIONS
from tests.e2e.golden_study import write_golden
from tests.e2e.printed_numbers import spanned
from tests.e2e.tables_from_json import FromJson
from tests.shared_finished_demo import shared_finished_demo

Rows = list[list[str]]
HOSTILE = r"<b>&\_{}%$x^2$#~"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden study's report in all formats, with one participant of a strange name."""
    place = tmp_path_factory.mktemp("report")
    files = write_golden(place / "files")
    for name in ("participants.csv", "predictions.csv"):
        text = (files / name).read_text(encoding="utf-8")
        (files / name).write_text(re.sub("(?m)^m1,", lambda _: f"{HOSTILE},", text), "utf-8")
    assert main(["new", str(place / "study")]) == 0
    assert main(["import", str(place / "study"), str(files)]) == 0
    assert main(["report", str(place / "study"), "--out", str(place / "out")]) == 0
    return place / "out"


class Tables(HTMLParser):
    """The cells of every table of a page, by the key of its figure."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Rows] = {}
        self.tags: set[str] = set()
        self._rows: Rows = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        name = dict(attrs).get("id") or ""
        if tag == "figure" and name.startswith("table-"):
            self._rows = self.found[name.removeprefix("table-")] = []
        if tag == "tr":
            self._rows.append([])
        if tag in ("td", "th"):
            self._rows[-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self._rows[-1][-1] += data


def html_of(out: Path) -> Tables:
    page = Tables()
    page.feed((out / "report.html").read_text(encoding="utf-8"))
    return page


def latex_rows(file: Path) -> Rows:
    """The cells as LaTeX would print them."""
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [
        line.strip().removesuffix(r" \\").split(" & ") for line in lines if line.endswith(r"\\")
    ]
    return [[_printed(cell) for cell in row] for row in rows]


def _printed(cell: str) -> str:
    cell = cell.removeprefix("{}").replace("$-$", "−").replace(r"$\leq$", "≤")
    named = {"textbackslash": "\\", "textasciicircum": "^", "textasciitilde": "~"}
    named |= {"textless": "<", "textgreater": ">"}
    cell = re.sub(
        r"\\(text\w+)\{\}", lambda m: "\0" if m[1] == "textbackslash" else named[m[1]], cell
    )
    return re.sub(r"\\([{}$&#%_])", r"\1", cell).replace("\0", "\\")


def test_every_table_says_the_same_in_csv_latex_and_html(made: Path) -> None:
    shown = html_of(made).found
    files = sorted((made / "tables").glob("*.csv"))
    assert {file.stem for file in files} == set(shown)
    for file in files:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream))
        assert shown[file.stem] == rows
        assert latex_rows(file.with_suffix(".tex")) == rows


SIDE_BY_SIDE = {
    "subsets-main": ("all", "without_dogs", "objects", "fast"),
    "subsets-classes": ("dogs", "animals_without_dogs", "organisms", "objects"),
    "subsets-images": ("single_label", "multi_label"),
    "subsets-problematic": ("all", "problematic"),
}


def agree(out: Path) -> None:
    """Every cell of every table follows from the JSON, and no table is without a rule here."""
    report = FromJson(json.loads((out / "report.json").read_text(encoding="utf-8")))
    for file in sorted((out / "tables").glob("*.csv")):
        with file.open(encoding="utf-8", newline="") as stream:
            head, *rows = csv.reader(stream)
        key = file.stem.removesuffix("-top1")
        if key in SIDE_BY_SIDE:
            metric = report.main if key == file.stem else "top1"
            _agree_side_by_side(report, SIDE_BY_SIDE[key], metric, head, rows)
            continue
        if "Subset" in head:  # a title, which the JSON doesn't have
            place = head.index("Subset")
            rows = [row[:place] + row[place + 1 :] for row in rows]
        assert sorted(rows) == sorted(report.expected(file.stem)), file.stem


def _agree_side_by_side(
    report: FromJson, subsets: tuple[str, ...], metric: str, head: list[str], rows: Rows
) -> None:
    columns = [
        (subset, name)
        for subset in report.shown(list(subsets), besides=("all",) if "all" not in subsets else ())
        for name in report.names
        if any(key[1:] == (name, subset, metric) for key in report.accuracy)
    ]
    assert len(head) == 1 + len(columns)
    for code, *cells in rows:
        found = [report.accuracy.get((code, name, s, metric)) for s, name in columns]
        assert cells == [spanned(row) for row in found]


def test_the_numbers_of_every_table_are_those_of_the_json(made: Path) -> None:
    agree(made)


def test_so_are_those_of_a_study_in_which_every_table_has_content(tmp_path: Path) -> None:
    wished = ["--out", str(tmp_path), "--format", "csv,json"]
    assert main(["report", str(shared_finished_demo()), *wished]) == 0
    agree(tmp_path)
    keys = {file.stem for file in (tmp_path / "tables").glob("*.csv")}
    assert len(keys) == 33, "every table for which such a study has numbers"
    assert not keys & {"fits", "built-difficulty"}, "three models are too few for a line"


def test_a_strange_name_is_text_everywhere(made: Path) -> None:
    page = html_of(made)
    assert "b" not in page.tags
    assert any(HOSTILE in row for row in page.found["accuracy-top1"])
    report = json.loads((made / "report.json").read_text(encoding="utf-8"))
    assert HOSTILE in {row["participant"] for row in report["accuracy"]}


def test_the_page_loads_nothing(made: Path) -> None:
    text = (made / "report.html").read_text(encoding="utf-8")
    assert not re.search(r'(?:src|href)="(?!data:|#)', text)
    assert not re.search(r"https?://(?!www\.w3\.org)|@import|url\(|fetch\(|XMLHttp", text)
    assert text.count("<script") == 1


# The study has no annotators and no built datasets; a section without contents is left out.
EMPTY = ("crowd", "built")


def test_the_pdf_has_the_sections_in_order_with_bookmarks(made: Path) -> None:
    reader = PdfReader(made / "report.pdf")
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert "McNemar" in text
    bookmarks = [str(entry.title) for entry in reader.outline if not isinstance(entry, list)]
    titles = [section.title for section in SECTIONS if section.key not in ("tables", *EMPTY)]
    assert [title.split("  ")[-1] for title in bookmarks[: len(titles)]] == titles
    assert all(re.search(rf"Table\s+{number}\b", text) for number in (1, 2, 3))


def test_the_page_begins_with_the_headline_and_its_numbers(made: Path) -> None:
    text = (made / "report.html").read_text(encoding="utf-8")
    report = json.loads((made / "report.json").read_text(encoding="utf-8"))
    (difference,) = (
        row
        for row in report["gap_groups"]
        if (row["group"], row["subset"], row["metric"])
        == ("humans_minus_models", "all", report["all_wrong"]["metric"])
    )
    number = f"{100 * difference['gap']:+.1f} points".replace("-", "−")
    assert text.index('id="headline"') < text.index(number) < text.index("<table")
    keys = re.findall(r'<section id="([^"]+)"', text)
    assert keys == ["headline", *(s.key for s in SECTIONS if s.key not in EMPTY)]


def test_every_figure_is_a_drawing_and_a_picture(made: Path) -> None:
    drawings = {file.stem for file in (made / "figures").glob("*.svg")}
    assert drawings == {file.stem for file in (made / "figures").glob("*.png")}
    assert "new-against-original-multi-label-all-linear" in drawings
    assert all(b"<svg" in file.read_bytes() for file in (made / "figures").glob("*.svg"))


def test_the_same_study_gives_the_same_report(made: Path) -> None:
    again = made.parent / "again"
    wished = ["--format", "csv,latex,svg,png,json"]
    assert main(["report", str(made.parent / "study"), "--out", str(again), *wished]) == 0
    first, second = (
        json.loads((out / "manifest.json").read_text(encoding="utf-8")) for out in (made, again)
    )
    for what in ("settings", "inputs_sha256", "versions"):
        assert first[what] == second[what]
    for name, digest in second["files_sha256"].items():
        if name != "report.json":
            assert first["files_sha256"][name] == digest, name
    one, other = (
        json.loads((out / "report.json").read_text(encoding="utf-8")) for out in (made, again)
    )
    assert {**one, "generated_at": ""} == {**other, "generated_at": ""}


def test_published_results_are_named_as_such(made: Path, tmp_path: Path) -> None:
    for name, shares in (("one.csv", (80, 70, 60)), ("two.csv", (70, 60, 50))):
        rows = "".join(f"m{n},{share}\n" for n, share in enumerate(shares))
        (tmp_path / name).write_text(f"model,top1\n{rows}")
    wished = ["report", str(made.parent / "study"), "--out", str(tmp_path / "out")]
    context = ["--context", str(tmp_path / "one.csv"), str(tmp_path / "two.csv")]
    assert main([*wished, "--format", "svg", *context]) == 0
    key = "figures/new-against-original-top1-all-linear.svg"
    assert (tmp_path / "out" / key).read_bytes() != (made / key).read_bytes()


def test_a_results_file_without_accuracies_is_refused(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.csv").write_text("model,top1\nm,many\n")
    wished = ["report", str(made.parent / "study"), "--out", str(tmp_path / "out")]
    bad = str(tmp_path / "bad.csv")
    assert main([*wished, "--context", bad, bad]) == 1
    assert "line 2, column top1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
