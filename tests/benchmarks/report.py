"""The report of a large study, beside the slow ways to the same numbers."""

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
from sqlalchemy import insert, text

from labeler.app.report.formats import ReportFormat, ReportWish
from labeler.app.report.making import make_report
from labeler.core.clock import SystemClock
from labeler.core.groups import default_groups
from labeler.core.metrics.image_facts import FAST_SECONDS
from labeler.core.metrics.scored import score_dataset
from labeler.core.metrics.subsets import report_subsets
from labeler.core.metrics.vocabulary import Metric
from labeler.core.statistics.class_resampling import ClassCounts, class_resampling
from labeler.core.statistics.fits import RESAMPLES, Resampler, fit
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.statistics.random_draws import generator, lots
from labeler.core.study import DatasetRole, Participant, ParticipantKind, Verdict
from labeler.core.taxonomy import load_default
from labeler.core.verdicts import VERDICT_ORDER
from labeler.store.database import Database, sqlite_url
from labeler.store.datasets import NewDataset, NewImage
from labeler.store.folder import StudyFolder
from labeler.store.packing import PackedPredictions
from labeler.store.schema import MultilabelRow
from labeler.store.study import StudyStore, create_database
from tests.benchmarks.table import Row

MODELS, IMAGES, LABELS = 72, 40_683, 182_597
_DATASETS = {"original": IMAGES // 2, "new": IMAGES - IMAGES // 2}
_CHECKOUT = Path(__file__).parents[2]


def bench_accuracies() -> Row:
    """All accuracies for all subsets with intervals, from disk, beside one SQL group-by."""
    with tempfile.TemporaryDirectory() as place:
        store = large_study(Path(place))
        with store:
            _write_long(store)
            bare = _best(lambda: _group_by(store))
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
    return _row("Clopper–Pearson of 72 × 20 cells", ours, _best(slowly), 50)


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
        drawn = lots(generator(1, "benchmark"), of=1000, times=1000)
        class_resampling(counts, subset, drawn)

    return _row("1,000 class resamplings of five humans", _best(quickly), _best(slowly, 1), 50)


def bench_fits() -> Row:
    random = np.random.default_rng(3)
    x = random.random(MODELS)
    y = 0.9 * x + random.normal(0, 0.02, MODELS)

    def slowly() -> None:
        drawn = random.integers(0, MODELS, (RESAMPLES, MODELS))
        for places in drawn:
            np.polyfit(x[places], y[places], 1)

    ours = _best(lambda: fit(x, y, Resampler(points=MODELS, seed=1)))
    return _row("100,000 resampled fits over 72 models", ours, _best(slowly, 1), 30)


def bench_report() -> Row:
    """The whole report but the PDF, in a process of its own; the bar is a time, not a ratio."""
    with tempfile.TemporaryDirectory() as place:
        large_study(Path(place)).close()
        command = [sys.executable, "-m", "tests.benchmarks.report", place]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT)
    seconds, megabytes = map(float, done.stdout.split())
    return Row(
        name="the whole report of 72 models on 40,683 images",
        ours=f"{seconds:.1f} s, {megabytes:.0f} MB",
        bare="60 s, 1,024 MB",
        ratio=60 / seconds,
        bar="under 60 s and 1 GB",
    )


def large_study(folder: Path) -> StudyStore:
    """A study of two datasets with packed predictions and judged labels."""
    url, clock, taxonomy = sqlite_url(folder / "study.db"), SystemClock(), load_default()
    create_database(
        url, name="benchmark", seed=1, taxonomy=taxonomy, program_version="benchmark", clock=clock
    )
    store = StudyStore(StudyFolder(folder), Database(url), clock)
    random = np.random.default_rng(7)
    with store.write() as study:
        for number in range(MODELS):
            code = f"model_{number:02d}"
            study.participants.add(Participant(code=code, kind=ParticipantKind.MODEL))
        for name, size in _DATASETS.items():
            _fill(study, name, random.integers(0, 1000, size), random)
    return store


def _fill(study, name: str, targets: np.ndarray, random: np.random.Generator) -> None:  # type: ignore[no-untyped-def]
    wnids = load_default().class_wnids
    study.datasets.add(NewDataset(name=name, role=DatasetRole.EVALUATION), complete=True)
    images = [NewImage(name=f"{n:06d}.jpg", target=wnids[t]) for n, t in enumerate(targets)]
    study.datasets.append(name, images)
    for number in range(MODELS):
        guesses = random.integers(0, 1000, (len(targets), 5)).astype(np.uint16)
        right = random.random(len(targets)) < 0.6 + 0.004 * number
        guesses[right, 0] = targets[right]
        study.model_predictions.put(
            f"model_{number:02d}", name, PackedPredictions(guesses, None), {}
        )
    _judge(study, name, targets, random)


def _judge(study, name: str, targets: np.ndarray, random: np.random.Generator) -> None:  # type: ignore[no-untyped-def]
    ids = study.session.execute(
        text(
            "SELECT image.id FROM image JOIN dataset ON dataset.id = image.dataset_id "
            "WHERE dataset.name = :name ORDER BY ordinal"
        ),
        {"name": name},
    ).scalars()
    wrong, correct = VERDICT_ORDER[0], Verdict.CORRECT
    more = round(LABELS / IMAGES) - 1
    rows = [
        {"image_id": image, "class_id": label, "state": state, "rule": "imported"}
        for image, target in zip(ids, targets.tolist(), strict=True)
        for label, state in {
            **dict.fromkeys(random.integers(0, 1000, more).tolist(), wrong),
            target: correct,
        }.items()
    ]
    study.session.execute(insert(MultilabelRow), rows)


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


def _best(work: Callable[[], object], rounds: int = 3) -> float:
    """The least time of some rounds: other programs only ever add to it."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
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
        make_report(store, folder / "out", wish=ReportWish(), formats=formats)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(time.perf_counter() - started, peak)


if __name__ == "__main__":
    _measure(Path(sys.argv[1]))
