"""Testbeds, published accuracies and the paper's list are read, or refused with their place."""

from pathlib import Path

import pytest

from labeler.app.models.model_finder import PublishedAccuracy, read_published_results
from labeler.app.models.testbed import TimmMatch, paper_testbed, read_testbed
from labeler.core.errors import InputError
from labeler.core.models.scoring import CatalogueEntry, ModelSpec, WeightsLocation, find_models

RESULTS = """model,img_size,top1,top1_err,top5,top5_err,param_count,crop_pct,interpolation
big.a,560,89.790,10.210,98.990,1.010,"1,014.45",1.000,bicubic
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "file"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_testbed_lists_models_with_files_next_to_it(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """
        [[model]]
        model = "resnet50"
        [[model]]
        model = "resnet50"
        name = "ours"
        checkpoint = "weights/ours.pth"
        classes = "background-first"
        batch_size = 16
        """,
    )
    assert read_testbed(file) == [
        ModelSpec(model="resnet50", name="resnet50"),
        ModelSpec(
            model="resnet50",
            name="ours",
            checkpoint=str((tmp_path / "weights" / "ours.pth").resolve()),
            classes="background-first",
            batch_size=16,
        ),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[model]", "isn't valid TOML"),
        ("", "there is no model"),
        ("models = 3", "'models' is unknown"),
        ("[[model]]\nname = 'x'", "model 1 needs a line like"),
        ("[[model]]\nmodel = 'a'\nweights = 'b'", "unknown key 'weights'. Known keys: model, name"),
        ("[[model]]\nmodel = 7", "model = 7 isn't a valid value"),
        ("[[model]]\nmodel = 'a'\nbatch_size = true", "batch_size = True isn't a valid value"),
        ("[[model]]\nmodel = 'a'\n[[model]]\nmodel = 'a'", "2 models are named 'a'"),
    ],
)
def test_a_faulty_testbed_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_testbed(written(tmp_path, text))


def test_published_accuracies_come_with_parameters_in_millions(tmp_path: Path) -> None:
    file = written(tmp_path, RESULTS)
    assert read_published_results(file) == {"big.a": PublishedAccuracy(89.79, 98.99, 1_014_450_000)}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("model,top1\na,3\n", "line 1: the column top5 is missing"),
        (RESULTS.replace("98.990", "high"), "line 2, column top5: 'high' isn't a number"),
    ],
)
def test_a_faulty_results_file_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_published_results(written(tmp_path, text))


def test_the_papers_list_has_71_models_with_or_without_an_equivalent() -> None:
    listed = paper_testbed()
    assert len({model.paper for model in listed}) == len(listed) == 71
    assert all(bool(model.timm) == (model.match is not TimmMatch.NONE) for model in listed)
    assert all(model.note for model in listed if model.match is not TimmMatch.SAME)


def test_the_documentation_lists_the_same_models() -> None:
    page = (Path(__file__).parents[4] / "docs" / "testbed.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[:3] for line in page.splitlines() if line.startswith("| ")][1:]
    assert rows == [
        [f"| {model.paper}", model.match.value, f"`{model.timm}`" if model.timm else "–"]
        for model in paper_testbed()
    ]


def entry(name: str) -> CatalogueEntry:
    return CatalogueEntry(
        name=name, architecture=name, input_size=224, outputs=1000, weights=WeightsLocation.HUB
    )


def test_models_are_found_by_parts_of_their_names() -> None:
    known = [entry(name) for name in ("seresnet50.a", "resnet50.tv", "resnet50.a", "vgg16")]
    assert [e.name for e in find_models(known, ["resnet", "A"])] == ["resnet50.a", "seresnet50.a"]
    assert find_models(known, ["alexnet"]) == []
    assert find_models(known, []) == known
