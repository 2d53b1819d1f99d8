"""Score one model on a study's datasets; resumable at any point, with one writer."""

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.lib.format import open_memmap

from labeler.app.models.part_file import PartContents, PartFile
from labeler.app.models.prediction_writer import (
    assemble_predictions,
    provenance,
    require_better_than_chance,
    require_model_name,
    scoring_result,
    store_predictions,
    unscored_images,
)
from labeler.app.models.scoring_plan import (
    DatasetPlan,
    continues_replacement,
    plan_datasets,
    require_same_model,
)
from labeler.app.models.scoring_request import DatasetScoringResult, ScoringOptions, ScoringWatcher
from labeler.app.progress import CancelCheck, never_cancelled
from labeler.core.clock import stamp
from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.models.scoring import (
    ModelFacts,
    ModelSpec,
    ScoredChunk,
    ScoringChunk,
    ScoringSetup,
)
from labeler.scoring.extras import require_extras
from labeler.scoring.worker_pool import WorkerPool
from labeler.store.study_store import StudyStore


class Scorers(Protocol):
    """A loaded model, in worker processes or in torchrun's ranks."""

    def facts(self) -> ModelFacts: ...

    def score(self, chunks: Iterable[ScoringChunk]) -> Iterator[ScoredChunk]: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


def launched_by_torchrun(environment: Mapping[str, str]) -> bool:
    return "TORCHELASTIC_RUN_ID" in environment and "RANK" in environment


def is_torchrun_helper(environment: Mapping[str, str]) -> bool:
    """Return whether this is a torchrun process other than rank 0, which writes."""
    return launched_by_torchrun(environment) and environment["RANK"] != "0"


def run_torchrun_helper() -> None:
    """Score the chunks that rank 0 distributes; the study isn't opened here."""
    require_extras()
    # Here and below: torch is optional, and takes seconds to import.
    from labeler.scoring.torchrun import serve_rank

    serve_rank()


@contextmanager
def torchrun_helpers(environment: Mapping[str, str]) -> Iterator[None]:
    """Release torchrun's other processes at the end, also after an error."""
    try:
        yield
    finally:
        if launched_by_torchrun(environment):
            from labeler.scoring.torchrun import release_ranks

            release_ranks()


def start_scorers(
    setup: ScoringSetup,
    *,
    workers: int | None,
    notify: Callable[[str], None],
    log: Callable[[str], None],
    cancelled: Callable[[], bool],
    environment: Mapping[str, str],
) -> AbstractContextManager[Scorers]:
    """Return the pool for a setup: worker processes, or torchrun's ranks."""
    if launched_by_torchrun(environment):
        from labeler.scoring.torchrun import TorchrunPool

        return TorchrunPool(setup, notify=notify)
    return WorkerPool(setup, workers=workers, notify=notify, log=log, cancelled=cancelled)


class LogitsFile:
    """A .npy file of logits, filled row by row; rows without a prediction stay NaN."""

    def __init__(self, file: Path, *, images: int, classes: int) -> None:
        self._file = file
        try:
            self._rows = self._opened(images, classes)
        except OSError as error:
            raise EnvironmentFault(
                f"'{file}' can't be written ({error.strerror}). Choose another folder."
            ) from error

    def put(self, chunk: ScoredChunk) -> None:
        """Write the rows of a chunk; they are on disk when this returns."""
        if chunk.logits is not None and chunk.ordinals:
            self._rows[list(chunk.ordinals)] = chunk.logits
            self._rows.flush()

    def _opened(
        self, images: int, classes: int
    ) -> np.memmap[tuple[int, int], np.dtype[np.float32]]:
        if not self._file.exists():
            return self._made(images, classes)
        rows = open_memmap(self._file, mode="r+")
        if rows.shape != (images, classes) or rows.dtype != np.float32:
            raise InputError(
                "this file belongs to another scoring. Choose another folder.", file=self._file
            )
        return rows

    def _made(self, images: int, classes: int) -> np.memmap[tuple[int, int], np.dtype[np.float32]]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        aside = self._file.with_name(self._file.name + ".partial")
        rows = open_memmap(aside, mode="w+", dtype=np.float32, shape=(images, classes))
        rows[:] = np.nan
        rows.flush()
        aside.replace(self._file)
        return rows


_PROBE_IMAGES = 256

_log = logging.getLogger(__name__)


@contextmanager
def _log_step(step: str, **about: object) -> Iterator[None]:
    """Log how long the step took, whether it succeeds or not."""
    began_ns = time.monotonic_ns()
    try:
        yield
    finally:
        duration_ms = (time.monotonic_ns() - began_ns) // 1_000_000
        _log.debug("scoring step", extra={"step": step, "duration_ms": duration_ms, **about})


def score_model(
    store: StudyStore,
    spec: ModelSpec,
    *,
    watcher: ScoringWatcher,
    datasets: tuple[str, ...] = (),
    options: ScoringOptions | None = None,
    cancelled: CancelCheck = never_cancelled,
) -> list[DatasetScoringResult]:
    """Score the model on the datasets, or resume an interrupted scoring."""
    return _Run(store, spec, watcher, options or ScoringOptions(), cancelled).run(datasets)


class _Run:
    """One model: plan, load, score missing images, store a row for each dataset."""

    def __init__(
        self,
        store: StudyStore,
        spec: ModelSpec,
        watcher: ScoringWatcher,
        options: ScoringOptions,
        cancelled: Callable[[], bool],
    ) -> None:
        self._store = store
        self._spec = spec
        self._watcher = watcher
        self._options = options
        self._cancelled = cancelled

    def run(self, datasets: tuple[str, ...]) -> list[DatasetScoringResult]:
        require_extras()
        require_model_name(self._store, self._spec.name)
        plans = self._plans(datasets)
        if all(self._is_done(plan) for plan in plans):
            return [self._stored_result(plan) for plan in plans]
        with start_scorers(
            self._setup(plans),
            workers=self._options.workers,
            notify=self._watcher.note,
            log=self._watcher.log,
            cancelled=self._cancelled,
            environment=os.environ,
        ) as scorers:
            with _log_step("load", model=self._spec.name):
                facts = scorers.facts()
            self._watcher.loaded(facts)
            return [self._score(plan, scorers, facts) for plan in plans]

    def _plans(self, datasets: tuple[str, ...]) -> list[DatasetPlan]:
        """Return what to score; an interrupted replacement is always resumed."""
        plans = plan_datasets(
            self._store,
            model=self._spec.name,
            datasets=datasets,
            replaces=self._options.replace,
        )
        return [
            plan.replacing() if self._part(plan).contents().replaces else plan for plan in plans
        ]

    def _part(self, plan: DatasetPlan) -> PartFile:
        return PartFile(self._store.folder, model=self._spec.name, dataset=plan.dataset.name)

    def _score(
        self, plan: DatasetPlan, scorers: Scorers, facts: ModelFacts
    ) -> DatasetScoringResult:
        with self._part(plan) as part:
            before = self._begin(part, plan, facts)
            pending = plan.pending(before.ordinals)
            self._watcher.began(
                plan.dataset.name, done=len(plan.images) - len(pending), total=len(plan.images)
            )
            if pending:
                on_gpu = not facts.device.startswith("cpu")
                batch_size = self._batch_size(plan, before, facts)
                chunks = plan.chunks(pending, batch_size, on_gpu=on_gpu)
                with self._log_dataset_step("score", plan, images=len(pending)):
                    self._fill(part, plan, scorers.score(chunks))
            with self._log_dataset_step("store", plan, images=len(plan.images)):
                return self._finish(part, plan, scored_now=len(pending))

    def _log_dataset_step(
        self, step: str, plan: DatasetPlan, *, images: int
    ) -> AbstractContextManager[None]:
        return _log_step(step, model=self._spec.name, dataset=plan.dataset.name, images=images)

    def _begin(self, part: PartFile, plan: DatasetPlan, facts: ModelFacts) -> PartContents:
        about = self._about(plan, part.contents(), facts)
        if self._options.replace and not continues_replacement(part.contents(), about):
            part.discard()
        before = part.contents()
        require_same_model(plan, before, model=self._spec.name, about=about)
        part.begin_run(about)
        return before

    def _fill(self, part: PartFile, plan: DatasetPlan, scored: Iterator[ScoredChunk]) -> None:
        logits = self._logits(plan)
        targets = plan.targets
        for chunk in scored:
            with _log_step("write chunk", images=len(chunk)):
                if logits is not None:
                    logits.put(chunk)  # before the part says that these images are done
                part.append(chunk)
            self._watcher.scored(images=len(chunk), right=_right(chunk, targets))

    def _finish(
        self, part: PartFile, plan: DatasetPlan, *, scored_now: int
    ) -> DatasetScoringResult:
        contents = part.contents()
        stored = plan.stored.predictions if plan.stored is not None else None
        predictions = assemble_predictions(len(plan.images), self._ranks, stored, contents.chunks)
        if not self._options.accept_chance:
            require_better_than_chance(
                predictions, plan, self._store.taxonomy, model=self._spec.name
            )
        missing = unscored_images(plan, contents)
        store_predictions(
            self._store,
            plan,
            predictions,
            provenance(plan, contents, missing),
            model=self._spec.name,
            description=self._description(),
        )
        part.discard()
        return scoring_result(
            plan, predictions, model=self._spec.name, scored_now=scored_now, missing=missing
        )

    @property
    def _ranks(self) -> int:
        return min(self._options.ranks, len(self._store.taxonomy.class_wnids))

    def _setup(self, plans: list[DatasetPlan]) -> ScoringSetup:
        with_files = (image.path for image in plans[0].images if image.path)
        probe = tuple(path for path, _ in zip(with_files, range(_PROBE_IMAGES), strict=False))
        batch_size = self._spec.batch_size or self._largest_earlier_batch_size(plans)
        return ScoringSetup(
            spec=replace(self._spec, batch_size=batch_size),
            wnids=self._store.taxonomy.class_wnids,
            ranks=self._ranks,
            device=self._options.device,
            precision=self._options.precision,
            wants_logits=self._options.logits is not None,
            probe=probe,
        )

    def _batch_size(self, plan: DatasetPlan, part: PartContents, facts: ModelFacts) -> int:
        """Return the batch size for a dataset; without a given one, that of the earlier run.

        Another size would change the last digits of the scores. It is smaller only if the earlier
        size no longer fits into memory.
        """
        earlier = plan.earlier_batch_size(part)
        if self._spec.batch_size is not None or earlier is None:
            return facts.batch_size
        return min(earlier, facts.batch_size)

    def _largest_earlier_batch_size(self, plans: list[DatasetPlan]) -> int | None:
        sizes = [plan.earlier_batch_size(self._part(plan).contents()) for plan in plans]
        return max((size for size in sizes if size is not None), default=None)

    def _about(self, plan: DatasetPlan, part: PartContents, facts: ModelFacts) -> dict[str, Any]:
        logits = self._logits_file(plan)
        return {
            "model": self._spec.name,
            "dataset": plan.dataset.name,
            "images": len(plan.images),
            "identity": {**facts.identity, "apply_exif": plan.dataset.apply_exif},
            "asked": asdict(self._spec),
            "replaces": plan.replaces,
            "ranks": self._ranks,
            "logits": None if logits is None else str(logits),
            "weights": facts.weights,
            "parameters": facts.parameters,
            "run": {
                "at": stamp(self._store.clock.utc()),
                "device": facts.device,
                "batch_size": self._batch_size(plan, part, facts),
                "versions": dict(facts.versions),
            },
        }

    def _is_done(self, plan: DatasetPlan) -> bool:
        """Return whether all predictions are stored with these settings, so nothing is loaded."""
        if plan.stored is None or plan.pending(set()) or self._spec.checkpoint is not None:
            return False
        return plan.stored.provenance.get("asked") == asdict(self._spec)

    def _stored_result(self, plan: DatasetPlan) -> DatasetScoringResult:
        assert plan.stored is not None, "the dataset is done"
        missing = unscored_images(plan, PartContents())
        return scoring_result(
            plan, plan.stored.predictions, model=self._spec.name, scored_now=0, missing=missing
        )

    def _logits(self, plan: DatasetPlan) -> LogitsFile | None:
        file = self._logits_file(plan)
        if file is None:
            return None
        classes = len(self._store.taxonomy.class_wnids)
        return LogitsFile(file, images=len(plan.images), classes=classes)

    def _logits_file(self, plan: DatasetPlan) -> Path | None:
        if self._options.logits is None:
            return None
        return self._options.logits.resolve() / f"{self._spec.name}-{plan.dataset.name}.npy"

    def _description(self) -> str:
        own = f" with {Path(self._spec.checkpoint).name}" if self._spec.checkpoint else ""
        return f"{self._spec.model}{own}"


def _right(chunk: ScoredChunk, targets: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    return int(np.count_nonzero(chunk.labels[:, 0] == targets[list(chunk.ordinals)]))
