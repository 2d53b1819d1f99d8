"""Scoring against a plain timm validation loop, and against what decoding and forward allow."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from labeler.app.models.part_file import PartFile
from labeler.core.classes.taxonomy import load_default
from labeler.core.models.scoring import ImageToScore, ModelSpec, ScoringChunk, ScoringSetup
from labeler.scoring.worker_pool import WorkerPool
from labeler.store.study.folder import StudyFolder
from tests.benchmarks.photographs import QUALITY, photograph
from tests.benchmarks.table import Row

MODEL = "tf_efficientnet_lite0"
_IMAGES = 768
_RUNS = 3


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of one core for an image, from its file to a batch and from there to its logits."""

    decoding: float
    forward: float

    @property
    def both(self) -> float:
        return self.decoding + self.forward


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
            rates, labels, costs, cores = _ours(files, Path(temporary))
            plain, plain_labels = _plain(Path(temporary))
        assert labels == plain_labels, "the plain loop says something else"
        name = f"{MODEL}, {len(files):,} JPEGs"
        rate = f"{median(rates):.1f} images/s"
        times = median(rates) / plain
        _rows.append(Row(f"scoring {name}", rate, f"timm's loop {plain:.1f}", times, "≥ 2.5×"))
        _rows.append(_bound_row(f"scoring of the bound, {name}", rates, costs, cores))
    return _rows


def _bound_row(name: str, rates: list[float], costs: list[Costs], cores: int) -> Row:
    """Each run is held against the costs right before and after it: a machine's pace drifts."""
    around = [(one.both + two.both) / 2 for one, two in pairwise(costs)]
    ratio = median(rate * cost / cores for rate, cost in zip(rates, around, strict=True))
    decoding, forward = (
        1000 * median(getattr(cost, part) for cost in costs) for part in ("decoding", "forward")
    )
    bare = f"{cores / median(around):.1f} by F {forward:.1f} + D {decoding:.1f} ms on {cores} cores"
    return Row(name, f"{median(rates):.1f} images/s", bare, ratio, "≥ 0.95×")


def _make(folder: Path) -> list[Path]:
    files = [folder / "a" / f"{number:04d}.jpg" for number in range(_IMAGES)]
    files[0].parent.mkdir()
    for number, file in enumerate(files):
        photograph(number).save(file, quality=QUALITY)
    return files


def _ours(files: list[Path], folder: Path) -> tuple[list[float], list[int], list[Costs], int]:
    """Images a second in each run, the labels, the costs around the runs, the processes."""
    spec = ModelSpec(model=MODEL, name=MODEL)
    setup = ScoringSetup(spec=spec, wnids=load_default().class_wnids, device="cpu")
    labels: dict[int, int] = {}
    rates: list[float] = []
    with WorkerPool(
        setup, workers=None, notify=_ignore, log=_ignore, cancelled=lambda: False
    ) as crew:
        size = crew.facts().batch_size
        chunks = _chunks(files, size)
        while crew.ready < crew.size:
            list(crew.score(chunks[: crew.size]))
        list(crew.score(chunks[: 4 * crew.size]))
        with _cost_processes(folder, crew.size) as processes:
            _costs(processes, size)  # the first is for warming up
            costs = [_costs(processes, size)]
            for number in range(_RUNS):
                with PartFile(StudyFolder(folder), model=MODEL, dataset=str(number)) as part:
                    rates.append(_run(crew, chunks, part, labels))
                costs.append(_costs(processes, size))
        cores = crew.size
    return rates, [labels[number] for number in range(len(files))], costs, cores


def _chunks(files: list[Path], size: int) -> list[ScoringChunk]:
    images = [ImageToScore(number, str(file)) for number, file in enumerate(files)]
    return [
        ScoringChunk(first, tuple(images[first : first + size]), apply_exif=False, batch_size=size)
        for first in range(0, len(images), size)
    ]


def _run(
    crew: WorkerPool, chunks: list[ScoringChunk], part: PartFile, labels: dict[int, int]
) -> float:
    """Score all there is once, from the first chunk handed out to the last one on disk."""
    begin = time.perf_counter()
    for scored in crew.score(chunks):
        part.append(scored)
        labels.update(zip(scored.ordinals, map(int, scored.labels[:, 0]), strict=True))
    seconds = time.perf_counter() - begin
    return len(labels) / seconds


def _plain(folder: Path) -> tuple[float, list[int]]:
    """timm's usual loop: its dataset, its loader, batches of 32, two workers."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.plain_timm_loop", str(folder)],
        capture_output=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    return answer["rate"], answer["labels"]


@contextmanager
def _cost_processes(folder: Path, cores: int) -> Iterator[list["subprocess.Popen[str]"]]:
    command = [sys.executable, "-m", "tests.benchmarks.scoring_costs", str(folder)]
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            for _core in range(cores)
        ]


def _costs(processes: list["subprocess.Popen[str]"], size: int) -> Costs:
    """What an image costs when all cores are at it at once."""
    for process in processes:
        print(size, file=process.stdin, flush=True)
    answers = [json.loads(process.stdout.readline()) for process in processes]
    cores = len(processes)
    return Costs(*(sum(a[part] for a in answers) / cores for part in ("decoding", "forward")))


def _ignore(_words: str) -> None:
    """No one reads it."""
