"""The report of a large study, next to the slow ways to the same numbers."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import beta
from sqlalchemy import text

from labeler.app.results.report_data import ReportFormat, ReportRequest
from labeler.app.results.report_writer import make_report
from labeler.core.classes.groups import default_groups
from labeler.core.clock import SystemClock
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.image_facts import FAST_SECONDS
from labeler.core.metrics.scored_dataset import score_dataset
from labeler.core.metrics.subsets import report_subsets
from labeler.core.statistics.class_resampling import ClassCounts, class_resampling
from labeler.core.statistics.linear_fit import FIT_RESAMPLES, BootstrapResampler, fit_line
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.statistics.random_draws import generator, random_keys
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore
from tests.benchmarks.large_study import MODELS, large_study
from tests.benchmarks.table import Row

HUMANS = 5
_CHECKOUT = Path(__file__).parents[2]


def bench_accuracies() -> Row:
    """All accuracies for all subsets with intervals, from disk, next to one SQL group-by."""
    with tempfile.TemporaryDirectory() as place:
        store = large_study(Path(place))
        with store:
            _write_long(store)
            bare = _best(lambda: _group_by(store), 2)
            ours = _best(lambda: _accuracies(store))
    return _row("all accuracies of 72 models on 40,683 images", ours, bare, 7)


def bench_intervals() -> Row:
    random = np.random.default_rng(1)
    total = random.integers(50, 40_000, (MODELS, 20))
    correct = (total * random.random((MODELS, 20))).astype(int)

    def slowly() -> list[tuple[float, float]]:
        pairs = zip(correct.ravel().tolist(), total.ravel().tolist(), strict=True)
        return [(beta.ppf(0.025, k, n - k + 1), beta.ppf(0.975, k + 1, n - k)) for k, n in pairs]

    low = clopper_pearson(correct, total).low.ravel()
    assert np.nanmax(np.abs(low - np.nan_to_num([ends[0] for ends in slowly()]))) < 1e-12
    ours = _best(lambda: clopper_pearson(correct, total))
    return _row("Clopper–Pearson of 72 × 20 cells", ours, _best(slowly, 2), 50)


def bench_class_resampling() -> Row:
    """1,000 resamplings for five humans on a thousand classes."""
    random = np.random.default_rng(2)
    correct = random.integers(0, 2, (5, 1000))
    counts = ClassCounts(correct, np.ones_like(correct))
    subset = np.arange(1000) < 590
    frame = pd.DataFrame(correct.T)

    def slowly() -> list[pd.Series]:
        return [frame.sample(590, random_state=trial).mean() for trial in range(1000)]

    def quickly() -> None:
        drawn = random_keys(generator(1, "benchmark"), of=1000, times=1000)
        class_resampling(counts, subset, drawn)

    return _row("1,000 class resamplings of five humans", _best(quickly), _best(slowly, 1), 50)


def bench_fits() -> Row:
    random = np.random.default_rng(3)
    x = random.random(MODELS)
    y = 0.9 * x + random.normal(0, 0.02, MODELS)

    def slowly() -> None:
        drawn = random.integers(0, MODELS, (FIT_RESAMPLES, MODELS))
        for places in drawn:
            np.polyfit(x[places], y[places], 1)

    ours = _best(lambda: fit_line(x, y, BootstrapResampler(points=MODELS, seed=1)))
    return _row("100,000 resampled fits over 72 models", ours, _best(slowly, 1), 30)


def bench_report() -> Row:
    """The whole report but the PDF, in a process of its own; the bar is a time, not a ratio."""
    with tempfile.TemporaryDirectory() as place:
        large_study(Path(place), humans=HUMANS).close()
        command = [sys.executable, "-m", "tests.benchmarks.report", place]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT)
    seconds, megabytes = map(float, done.stdout.split())
    return Row(
        name="the whole report of 72 models and five humans on 40,683 images",
        ours=f"{seconds:.1f} s, {megabytes:.0f} MB",
        bare="60 s, 1,024 MB",
        ratio=60 / seconds,
        bar="under 60 s and 1 GB",
    )


def _write_long(store: StudyStore) -> None:
    """The same answers as rows, as a program without packing would keep them."""
    with store.write() as study:
        study.session.execute(
            text("CREATE TABLE long (model INT, image INT, target INT, label INT)")
        )
        answers = study.report_answers.read()
        start = 0
        for dataset in answers.datasets:
            for model, guesses in enumerate(dataset.model_guesses):
                assert guesses is not None
                columns = dataset.targets.tolist(), guesses[:, 0].tolist()
                study.session.connection().exec_driver_sql(
                    "INSERT INTO long VALUES (?, ?, ?, ?)",
                    [
                        (model, start + n, target, label)
                        for n, (target, label) in enumerate(zip(*columns, strict=True))
                    ],
                )
            start += len(dataset.images)


def _group_by(store: StudyStore) -> object:
    query = "SELECT model, target, SUM(label = target), COUNT(*) FROM long GROUP BY model, target"
    with store.read() as study:
        return study.session.execute(text(query)).all()


def _accuracies(store: StudyStore) -> object:
    subsets = report_subsets(default_groups(store.taxonomy))
    with store.read() as study:
        answers = study.report_answers.read()
    scored = [
        score_dataset(answers, d, subsets, fast_seconds=FAST_SECONDS) for d in answers.datasets
    ]
    return [one.table(metric) for one in scored for metric in Metric]


def _best(work: Callable[[], object], rounds: int = 5) -> float:
    """The least time of some rounds, on all cores together: other programs only add to it."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def _row(name: str, ours: float, bare: float, bar: int) -> Row:
    return Row(
        name=name,
        ours=f"{1000 * ours:,.1f} ms",
        bare=f"{1000 * bare:,.0f} ms",
        ratio=bare / ours,
        bar=f"≥ {bar}×",
    )


def _measure(folder: Path) -> None:
    started = time.perf_counter()
    with StudyStore(
        StudyFolder(folder), Database(sqlite_url(folder / "study.db")), SystemClock()
    ) as store:
        formats = frozenset(ReportFormat) - {ReportFormat.PDF}
        make_report(store, folder / "out", request=ReportRequest(), formats=formats)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(time.perf_counter() - started, peak)


if __name__ == "__main__":
    _measure(Path(sys.argv[1]))
