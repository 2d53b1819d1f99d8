"""Who does the scoring: processes that this program starts, or those that torchrun started."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, Self

from labeler.core.models.scoring import ModelFacts, ScoredChunk, ScoringChunk, ScoringSetup
from labeler.scoring.extras import require_extras
from labeler.scoring.worker_pool import WorkerPool


class Scorers(Protocol):
    """A loaded model, wherever it runs."""

    def facts(self) -> ModelFacts: ...

    def score(self, chunks: Iterable[ScoringChunk]) -> Iterator[ScoredChunk]: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


def launched_by_torchrun(environment: Mapping[str, str]) -> bool:
    return "TORCHELASTIC_RUN_ID" in environment and "RANK" in environment


def is_torchrun_helper(environment: Mapping[str, str]) -> bool:
    """Whether this is one of torchrun's processes other than the one that writes."""
    return launched_by_torchrun(environment) and environment["RANK"] != "0"


def run_torchrun_helper() -> None:
    """Score what the writing process shares out; the study itself is never opened here."""
    require_extras()
    from labeler.scoring.torchrun import serve_rank

    serve_rank()


@contextmanager
def torchrun_helpers(environment: Mapping[str, str]) -> Iterator[None]:
    """Let torchrun's other processes go at the end, however it comes."""
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
    say: Callable[[str], None],
    log: Callable[[str], None],
    cancelled: Callable[[], bool],
    environment: Mapping[str, str],
) -> AbstractContextManager[Scorers]:
    """The crew for a setup."""
    if launched_by_torchrun(environment):
        from labeler.scoring.torchrun import TorchrunPool

        return TorchrunPool(setup, say=say)
    return WorkerPool(setup, workers=workers, say=say, log=log, cancelled=cancelled)
