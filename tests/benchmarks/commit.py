"""Committing an answer in a labeler's session, compared with one synchronous write of 4 kB."""

import os
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from labeler.app.labeling.answer_writer import AnswerStored
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.app.study.studies import new_study
from labeler.core.clock import SystemClock, stamp
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import AnswerDraft, CommittedAnswer
from labeler.core.study.entities import AttentionPlace, DatasetRole, ImageKey, Role
from labeler.core.study.phases import Phase
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.datasets.samples import SampleVersions
from labeler.store.study_store import StudyStore
from tests.benchmarks.table import Row

_TRIALS = 2000
_COMMITS = 400
_BLOCK = os.urandom(4096)


def bench_commit() -> Row:
    """Answers with 5 to 12 intervals and 20 to 60 inputs, each after a draft of it was kept."""
    with (
        tempfile.TemporaryDirectory() as place,
        new_study(Path(place, "study"), clock=SystemClock(), name="benchmark", seed=1) as store,
    ):
        _fill(store)
        session = EvaluationSession(store, "A")
        try:
            ours, bare = _measure(session, store.folder.path / "bare")
        finally:
            session.end()
    median, tail = statistics.median(ours), statistics.quantiles(ours, n=100)[98]
    plain = statistics.median(bare)
    return Row(
        "committing an answer (WAL, full sync)",
        f"{median * 1e3:.2f} ms median, {tail * 1e3:.1f} ms p99",
        f"fdatasync of 4 kB over the same place {plain * 1e3:.2f} ms",
        median / plain,
        "≤ 12×",
    )


def _measure(session: EvaluationSession, file: Path) -> tuple[list[float], list[float]]:
    """Seconds of each commit and of each bare write, in turns, so that both meet the same disk."""
    start = session.begin()
    ours, bare = [], []
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT)
    try:
        _write_bare(descriptor)
        trials = [trial.trial_id for trial in session.trials()[:_COMMITS]]
        for answer in _answers(start.session_id, trials):
            session.keep(answer.trial_id, _kept(answer))
            bare.append(_timed(lambda: _write_bare(descriptor)))
            ours.append(_timed(lambda answer=answer: _commit(session, answer)))
    finally:
        os.close(descriptor)
    return ours, bare


def _write_bare(descriptor: int) -> None:
    # Over the same place: a file that grows would cost twice as much.
    os.pwrite(descriptor, _BLOCK, 0)
    os.fdatasync(descriptor)


def _commit(session: EvaluationSession, answer: CommittedAnswer) -> None:
    assert isinstance(session.answers.commit(answer), AnswerStored)


def _timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _fill(store: StudyStore) -> None:
    """An open evaluation of one labeler, as large as the paper's; no image needs a file."""
    wnids = store.taxonomy.class_wnids
    images = [
        NewImage(name=f"{wnids[n % 1000]}/{n}.JPEG", target=wnids[n % 1000]) for n in range(_TRIALS)
    ]
    with store.write() as study:
        study.datasets.add(
            DatasetDefinition(name="val", role=DatasetRole.EVALUATION), complete=True
        )
        study.datasets.append("val", images)
        study.samples.freeze(
            SampleRequest(("val",), per_class=2, seed=1),
            [ImageKey("val", image.name) for image in images],
            SampleVersions(taxonomy="t", guide="g", program="p"),
        )
    add_person(store, "A", roles=[Role.LABELER])
    open_phase(store, Phase.EVALUATE)


def _answers(session_id: str, trials: list[str]) -> Iterator[CommittedAnswer]:
    draw = random.Random(1)
    now_ms = 0
    for trial_id in trials:
        intervals = tuple(_intervals(draw, now_ms))
        spent_ms = intervals[-1].ended_ms - now_ms
        now_ms += spent_ms
        now = stamp(SystemClock().utc())
        yield CommittedAnswer(
            answer_id=str(uuid.uuid4()),
            trial_id=trial_id,
            session_id=session_id,
            label="n02085620",
            note="a paw, half hidden" if draw.random() < 0.1 else "",
            shown_at=now,
            submitted_at=now,
            active_ms=spent_ms,
            wall_ms=spent_ms,
            visits=(TrialVisit(session_id, intervals),),
        )


def _intervals(draw: random.Random, start_ms: int) -> Iterator[AttentionInterval]:
    count = draw.randint(5, 12)
    inputs = [draw.randrange(count) for _ in range(draw.randint(20, 60))]
    for number in range(count):
        end_ms = start_ms + draw.randint(500, 6000)
        moments = sorted(draw.randint(start_ms, end_ms) for _ in range(inputs.count(number)))
        yield AttentionInterval(draw.choice(list(AttentionPlace)), start_ms, end_ms, tuple(moments))
        start_ms = end_ms


def _kept(answer: CommittedAnswer) -> AnswerDraft:
    since = TimeSpent(answer.visits, answer.wall_ms)
    return AnswerDraft(label=answer.label, shown_at=answer.shown_at, since=since, query="dog")
