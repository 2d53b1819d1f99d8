"""Near-duplicates from the command line: search, status, sample, and the exchange file."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import gaussian_filter

from labeler.core.curation.sample_check import NOT_SEARCHED
from tests.e2e.conftest import Labeler

FISH = "n01440764"
HEADER = "dataset_a,image_a,dataset_b,image_b,metric,distance,verdict,reviewer,at\n"


def write_pictures(folder: Path, *seeds: int, tint: int = 0) -> None:
    (folder / FISH).mkdir(parents=True)
    for seed in seeds:
        soft = gaussian_filter(np.random.default_rng(seed).normal(size=(64, 64, 3)), (7, 7, 0))
        pixels = (soft - soft.min()) / np.ptp(soft) * 230 + tint
        Image.fromarray(pixels.astype(np.uint8)).save(folder / FISH / f"{seed}.png")


@pytest.fixture
def study(labeler: Labeler, tmp_path: Path) -> Path:
    """Three images; one of the references is a brighter copy of one of them."""
    study = tmp_path / "study"
    write_pictures(tmp_path / "val", 1, 2, 3)
    write_pictures(tmp_path / "refs", 3, 4, tint=3)
    assert labeler("new", study).code == 0
    for name, role in (("val", "evaluation"), ("refs", "reference")):
        assert labeler("add-dataset", study, name, tmp_path / name, "--role", role).code == 0
    return study


def test_a_search_warns_at_sampling_and_a_verdict_from_a_file_refuses(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    assert NOT_SEARCHED in labeler("sample", study, "--per-class", "3").out
    narrow = ("--metric", "l2", "--limit", "l2=1e7")
    assert "3 images" in labeler("crowd", "duplicates", study, *narrow, "--estimate").out
    assert labeler("crowd", "duplicates", study, *narrow).code == 0
    status = json.loads(labeler("crowd", "duplicates", study, "--status", "--json").out)
    assert [(m["metric"], m["pairs"], m["finished"]) for m in status["metrics"]] == [
        ("l2", 1, True)
    ]
    assert "1 image of the sample has a near-duplicate among the references" in status["sample"][0]
    files = tmp_path / "files"
    files.mkdir()
    (files / "participants.csv").write_text("participant,kind,description\nR,human,\n")
    pair = f"val,{FISH}/3.png,refs,{FISH}/3.png,l2,,duplicate,R,2026-01-01T00:00:00Z\n"
    (files / "near_duplicates.csv").write_text(HEADER + pair)
    assert labeler("import", study, files).code == 0
    refused = labeler("sample", study, "--per-class", "3", "--redraw")
    assert refused.code == 1
    assert f"{FISH}/3.png" in refused.err
    assert labeler("sample", study, "--per-class", "2", "--redraw", "--skip-seen").code == 0


@pytest.mark.parametrize("limit", ["l2", "l2=near", "manual=3", "l2=-1", "l2=inf"])
def test_a_bad_limit_is_refused_with_an_example(labeler: Labeler, study: Path, limit: str) -> None:
    refused = labeler("crowd", "duplicates", study, "--limit", limit)
    assert refused.code == 1
    assert limit in refused.err
    assert "l2=1.2e8" in refused.err


def test_the_lead_keeps_another_candidate_of_a_set(labeler: Labeler, tmp_path: Path) -> None:
    study = tmp_path / "study"
    write_pictures(tmp_path / "found", 1, 2)
    assert labeler("new", study).code == 0
    assert labeler("crowd", "add-pool", study, "pool", tmp_path / "found").code == 0
    assert labeler("participants", study, "add", "L", "--role", "lead").code == 0
    one, two = (f"found/{FISH}/{seed}.png" for seed in (1, 2))
    refused = labeler("crowd", "keep", study, "pool", one, "--by", "L")
    assert refused.code == 1
    assert "no near-duplicate set" in refused.err
    files = tmp_path / "files"
    files.mkdir()
    pair = f"pool,{one},pool,{two},manual,,duplicate,L,2026-01-01T00:00:00Z\n"
    (files / "near_duplicates.csv").write_text(HEADER + pair)
    counts = "".join(f"pool,{name},{FISH},10,10\n" for name in (one, two))
    frequencies = f"dataset,image,label,selected,shown\n{counts}"
    (files / "selection_frequencies.csv").write_text(frequencies)
    assert labeler("import", study, files).code == 0
    for kept, lost in ((one, two), (two, one)):
        assert labeler("crowd", "keep", study, "pool", kept, "--by", "L").code == 0
        build = ("crowd", "build", study, "d", "--pool", "pool", "--strategy", "top-images")
        preview = labeler(*build, "--dry-run", "--json").json
        assert preview["excluded"] == {lost: "near_duplicate"}
