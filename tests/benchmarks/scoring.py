"""Scoring against a plain timm validation loop, and against what decoding and forward allow."""

import json
import subprocess
import sys
import tempfile
import time
from os import environ
from pathlib import Path

from labeler.core.scoring import Chunk, ImageToScore, ModelSpec, ScoringSetup
from labeler.core.taxonomy import load_default
from labeler.scoring.allocation import environment
from labeler.scoring.crew import Crew
from tests.benchmarks.photographs import QUALITY, photograph
from tests.benchmarks.table import Row

MODEL = "tf_efficientnet_lite0"
_IMAGES = 768
_PER_CHUNK = 32


def bench_scoring() -> Row:
    """The rate against a plain loop's over the same files, with the same label for every image."""
    return _measured()[0]


def bench_scoring_bound() -> Row:
    """The rate against what one image's decoding and one's forward pass allow on the same cores."""
    return _measured()[1]


_rows: list[Row] = []


def _measured() -> list[Row]:
    """Both rows come from one run, so that they speak of the same moment."""
    if not _rows:
        with tempfile.TemporaryDirectory() as temporary:
            files = _make(Path(temporary))
            ours, labels, cores = _ours(files)
            plain, plain_labels = _plain(Path(temporary))
            decoding, forward = _costs(Path(temporary), cores)
        assert labels == plain_labels, "the plain loop says something else"
        bound = cores / (decoding + forward)
        name = f"{MODEL}, {len(files):,} JPEGs"
        rate = f"{ours:.1f} images/s"
        _rows.append(
            Row(f"scoring {name}", rate, f"timm's loop {plain:.1f}", ours / plain, "≥ 2.5×")
        )
        costs = f"{bound:.1f} by F {forward * 1000:.1f} + D {decoding * 1000:.1f} ms"
        _rows.append(Row(f"scoring of the bound, {name}", rate, costs, ours / bound, "≥ 0.95×"))
    return _rows


def _make(folder: Path) -> list[Path]:
    files = [folder / "a" / f"{number:04d}.jpg" for number in range(_IMAGES)]
    files[0].parent.mkdir()
    for number, file in enumerate(files):
        photograph(number).save(file, quality=QUALITY)
    return files


def _ours(files: list[Path]) -> tuple[float, list[int], int]:
    """Images a second with all processes ready, the labels, and how many processes there are."""
    spec = ModelSpec(model=MODEL, name=MODEL)
    setup = ScoringSetup(spec=spec, wnids=load_default().class_wnids, device="cpu")
    images = [ImageToScore(number, str(file)) for number, file in enumerate(files)]
    chunks = [
        Chunk(first, tuple(images[first : first + _PER_CHUNK]), apply_exif=False)
        for first in range(0, len(images), _PER_CHUNK)
    ]
    with Crew(setup, workers=None, say=_ignore, log=_ignore, cancelled=lambda: False) as crew:
        crew.facts()
        while crew.ready < crew.size:
            list(crew.score(chunks[:2]))
        list(crew.score(chunks[: 2 * crew.size]))
        begin = time.perf_counter()
        scored = list(crew.score(chunks))
        seconds = time.perf_counter() - begin
        cores = crew.size
    labels = {
        ordinal: int(label)
        for part in scored
        for ordinal, label in zip(part.ordinals, part.labels[:, 0], strict=True)
    }
    return len(files) / seconds, [labels[number] for number in range(len(files))], cores


def _plain(folder: Path) -> tuple[float, list[int]]:
    """timm's usual loop: its dataset, its loader, batches of 32, two workers."""
    answer = _run("tests.benchmarks.plain_timm_loop", folder, {**environ})
    return answer["rate"], answer["labels"]


def _costs(folder: Path, cores: int) -> tuple[float, float]:
    """Seconds for decoding and for the forward pass of an image, measured on all cores at once."""
    command = [sys.executable, "-m", "tests.benchmarks.scoring_costs", str(folder)]
    started = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, env=environment(environ, threads=1), text=True
        )
        for _core in range(cores)
    ]
    answers = [json.loads(process.communicate()[0]) for process in started]
    decoding = sum(answer["decoding"] for answer in answers) / cores
    forward = sum(answer["forward"] for answer in answers) / cores
    return decoding, forward


def _run(module: str, folder: Path, env: dict[str, str]) -> dict[str, "float | list[int]"]:
    done = subprocess.run(
        [sys.executable, "-m", module, str(folder)], capture_output=True, check=True, env=env
    )
    answer: dict[str, float | list[int]] = json.loads(done.stdout)
    return answer


def _ignore(_words: str) -> None:
    """Nobody reads it."""
