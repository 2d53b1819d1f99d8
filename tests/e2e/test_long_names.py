"""Names of any length and in any writing go through a report, and nothing is said of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from labeler.report.figures.figure import shorten_name
from tests.e2e.conftest import Labeler

DATASETS = ("L" * 200, "\u65e5\u672c\u8a9e \U0001f642", "third")
MODELS = ("M" * 64, *(f"m{number}" for number in range(5)))
RIGHT, WRONG = "n01440764", "n01443537"


def datasets(names: tuple[str, ...]) -> Iterator[str]:
    yield "dataset,image,target,path,problematic"
    yield from (f"{name},{image}.JPEG,{RIGHT},," for name in names for image in range(4))


def predictions(names: tuple[str, ...]) -> Iterator[str]:
    yield (
        "participant,dataset,image,rank,label,score,active_seconds,wall_seconds,shown_at,"
        "escape_hatch,alternative"
    )
    for name in names:
        for image in range(4):
            yield f"human,{name},{image}.JPEG,1,{RIGHT},,2.000,3.000,2026-01-01T00:00:00Z,0,"
            for number, model in enumerate(MODELS):
                label = RIGHT if (number + image) % 3 else WRONG
                yield f"{model},{name},{image}.JPEG,1,{label},,,,,0,"


@pytest.mark.parametrize("names", [DATASETS, DATASETS[:2]], ids=["three", "a pair"])
def test_a_report_is_silent_about_them(
    labeler: Labeler, tmp_path: Path, names: tuple[str, ...]
) -> None:
    people = [
        "participant,kind,description",
        "human,human,",
        *(f"{model},model," for model in MODELS),
    ]
    given = {"datasets": datasets(names), "participants": people, "predictions": predictions(names)}
    for name, lines in given.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert labeler("new", tmp_path / "study").code == 0
    assert labeler("import", tmp_path / "study", tmp_path).code == 0
    made = labeler("report", tmp_path / "study", "--out", tmp_path / "out", "--format", "svg,png")
    assert (made.code, made.err) == (0, "")
    assert list((tmp_path / "out" / "figures").glob("*.png"))


def test_a_long_name_keeps_its_ends() -> None:
    assert shorten_name("imagenet") == "imagenet"
    cut = shorten_name("first " + "and " * 50 + "last")
    assert len(cut) == 40
    assert cut.startswith("first and")
    assert cut.endswith("and last")
