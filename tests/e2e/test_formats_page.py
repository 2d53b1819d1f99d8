"""Anyone who types the examples of docs/formats.md as they stand gets what the page promises."""

import csv
import html
import json
import re
import shlex
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from labeler.app.exchange.export_formats import format_matrix
from labeler.core.classes.taxonomy import load_default
from tests.e2e.conftest import WNIDS, Labeler, Outcome, make_images
from tests.unit.formats.paper import paper, written

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sections() -> Mapping[str, list[str]]:
    """The commands of each section that has any."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        commands = "".join(BLOCK.findall(section)).splitlines()
        if commands:
            found[section.partition("\n")[0]] = commands
    return found


def link(heading: str) -> str:
    """A heading's anchor as GitHub and its like make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.fixture
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with everything that the page's readers have, under the names that it uses."""
    classes = list(load_default().class_wnids)
    val = tmp_path / "imagenet/val"
    make_images(val, per_class=3, seed=1)
    make_images(tmp_path / "imagenet/train", per_class=4, seed=2)
    validation(tmp_path / "imagenet")
    for wnid in WNIDS:
        folder = tmp_path / "imagenetv2-matched-frequency" / str(classes.index(wnid))
        make_images(folder.parent / "by-wnid", per_class=1, seed=3, wnids=(wnid,))
        (folder.parent / "by-wnid" / wnid).rename(folder)
    (tmp_path / "imagenetv2-matched-frequency/by-wnid").rmdir()
    lines = [f"imagenet/val/{image}" for image in sorted(images(val))]
    factors = "".join(f"{Path(line).name},{n % 2}\n" for n, line in enumerate(lines))
    (tmp_path / "factors.csv").write_text(f"image,pose\n{factors}")
    manifest = "".join(f"{line},{Path(line).parent.name}\n" for line in lines)
    (tmp_path / "pictures.csv").write_text(f"image,label\n{manifest}")
    targets = [classes.index(image.parent.name) for image in sorted(images(val))]
    np.save(tmp_path / "resnet50.npy", np.array(targets))
    written(tmp_path, paper())
    judgements(tmp_path, sorted(images(val)), classes)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def images(folder: Path) -> list[Path]:
    return [file.relative_to(folder) for file in folder.glob("*/*.JPEG")]


def validation(imagenet: Path) -> None:
    """Name the files as ImageNet does, and lay the same out in one folder with its labels."""
    flat = imagenet / "val-flat"
    flat.mkdir()
    rows = ["image,wnid\n"]
    for number, image in enumerate(sorted(images(imagenet / "val")), start=1):
        name = f"ILSVRC2012_val_{number:08}.JPEG"
        (imagenet / "val" / image).rename(imagenet / "val" / image.parent / name)
        (flat / name).write_bytes((imagenet / "val" / image.parent / name).read_bytes())
        rows.append(f"{name},{image.parent.name}\n")
    (imagenet / "val-labels.csv").write_text("".join(rows))


def judgements(folder: Path, known: list[Path], classes: list[str]) -> None:
    first = known[0]
    document = {
        "initial_annots": {first.name: {"correct": [first.parent.name], "wrong": [classes[5]]}},
        "problematic_images": {known[1].name: {"reason": "A cartoon"}},
        "imagenet_m": [first.name],
    }
    (folder / "human_accuracy_v3.0.0.json").write_text(json.dumps(document))
    real: list[list[int]] = [[classes.index(image.parent.name)] for image in known[:-1]]
    real += [[] for _ in range(50_000 - len(real))]
    (folder / "real.json").write_text(json.dumps(real))


def rows_of(labeler: Labeler, study: str, name: str) -> list[dict[str, str]]:
    assert labeler("export", study, f"{study}-exported").code == 0
    with Path(f"{study}-exported", name).open(newline="") as file:
        return list(csv.DictReader(file))


def images_in(labeler: Labeler, dataset: str) -> int:
    return sum(row["dataset"] == dataset for row in rows_of(labeler, "study", "datasets.csv"))


def has_the_papers_tables(labeler: Labeler) -> bool:
    report = json.loads(Path("report/report.json").read_text())
    accuracies = {(row["participant"], row["metric"]) for row in report["accuracy"]}
    page = Path("report/report.html").read_text()
    times = [row["wall_seconds"] for row in rows_of(labeler, "paper", "predictions.csv")]
    return (
        {("human_a", "multi_label"), ("resnet50", "top1")} <= accuracies
        and sum(report["review_changes"].values()) > report["review_changes"]["unchanged"]
        and "nobody's active time is known" in html.unescape(page)
        and times[0] == "25.750"
    )


def same_everywhere() -> bool:
    files = [file.name for file in Path("out").iterdir()]
    copies = [Path("copy-exported", name).read_bytes() for name in files]
    return [Path("out", name).read_bytes() for name in files] == copies


def pictures_shown() -> int:
    table = pd.read_parquet("hub/images/val.parquet")
    return sum(value is not None for value in table["picture"])


def valid_croissant(folder: str) -> bool:
    document = json.loads(Path(folder, "croissant.json").read_text())
    hashes = {
        each["name"]: sha256(Path(folder, each["name"]).read_bytes()).hexdigest()
        for each in document["distribution"]
    }
    return hashes == {each["name"]: each["sha256"] for each in document["distribution"]}


PROMISED: Mapping[str, Callable[[Labeler], bool]] = {
    "ImageNet, a folder for each class": lambda run: images_in(run, "val") == 12,
    "ImageNet's validation files in one folder": lambda run: images_in(run, "val") == 12,
    "ImageNetV2": lambda run: images_in(run, "v2") == 4,
    "A CSV manifest": lambda run: images_in(run, "mine") == 12,
    "Predictions as .npy": lambda run: len(rows_of(run, "study", "predictions.csv")) == 12,
    "human_accuracy.pickle": has_the_papers_tables,
    "human_accuracy_v3.0.0.json": lambda run: (
        [row["state"] for row in rows_of(run, "study", "multilabels.csv")] == ["correct", "wrong"]
        and [row["problematic"] for row in rows_of(run, "study", "datasets.csv")][1] == "drawing"
    ),
    "real.json": lambda run: (
        [row["state"] for row in rows_of(run, "study", "multilabels.csv")]
        == ["correct"] * 11 + ["unclear"]
    ),
    "The exchange format": lambda run: (
        len(rows_of(run, "copy", "predictions.csv")) == 8
        and same_everywhere()
        and len(rows_of(run, "part", "predictions.csv")) == 8
    ),
    "Parquet": lambda run: (
        len(rows_of(run, "copy", "predictions.csv"))
        == len(rows_of(run, "study", "predictions.csv"))
    ),
    "Hugging Face datasets": lambda _run: pictures_shown() == 12,
    "Croissant": lambda _run: valid_croissant("described"),
    "FiftyOne": lambda _run: Path("looked-at/fiftyone_dataset.py").is_file(),
    "Image factors": lambda run: "1 factor" in run("import-factors", "study", "--remove").out,
    "model-vs-human": lambda _run: Path("trials/imagenet_human_a_session_1.csv").is_file(),
    "timm's results": lambda _run: Path("report/report.html").is_file(),
    "LaTeX tables": lambda _run: bool(list(Path("paper-tables/tables").glob("*.tex"))),
}


@pytest.mark.usefixtures("working_folder")
@pytest.mark.parametrize("heading", list(sections()))
def test_the_commands_of_the_page_do_what_it_says(labeler: Labeler, heading: str) -> None:
    for command in sections()[heading]:
        program, *arguments = shlex.split(command)
        assert program == "labeler"
        done: Outcome = labeler(*arguments)
        assert done.code == 0, f"{command}\n{done.err}"
    assert PROMISED[heading](labeler)


def test_every_section_with_commands_is_promised_something() -> None:
    assert set(sections()) == set(PROMISED)


def test_every_link_of_the_page_leads_somewhere() -> None:
    text = PAGE.read_text(encoding="utf-8")
    headings = {link(line.removeprefix("## ")) for line in text.splitlines() if line[:3] == "## "}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) == headings
    for file in re.findall(r"\]\(([^#)]+\.md)\)", text):
        assert (PAGE.parent / file).is_file()


def test_the_matrix_is_that_of_the_registry() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = text.split("export_formats.py -->")[1].partition("<!-- end")[0]
    assert shown.strip() == format_matrix()
