"""Scoring with the processes that torchrun started: rank 0 distributes and writes, all score.

Ranks exchange Python objects through torch.distributed, which pickles them. Like torchrun itself,
this needs a network on which all machines are trusted.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

from torch import distributed

from labeler.core.models.scoring import ModelFacts, ScoredChunk, ScoringChunk, ScoringSetup
from labeler.scoring.devices import devices_for
from labeler.scoring.failures import scoring_failure
from labeler.scoring.scorer import Scorer

# Rank 0 may be busy with the database, or a large model may take long to load. A rank that died is
# reported immediately.
_TIMEOUT = timedelta(hours=12)


class TorchrunPool:
    """One model on all ranks, as rank 0 sees it: each round gives every rank one chunk."""

    def __init__(self, setup: ScoringSetup, *, notify: Callable[[str], None]) -> None:
        self._setup = setup
        self._notify = notify
        self._scorer: Scorer | None = None
        self._facts: ModelFacts | None = None

    def __enter__(self) -> "TorchrunPool":
        _join_group()
        _broadcast(self._setup)
        self._scorer, answers = _load(self._setup, self._notify)
        _raise_failure(answers)
        self._facts = answers[0]
        return self

    def __exit__(self, *_exception: object) -> None:
        """Do nothing: the other ranks wait for the next model or for `release_ranks`."""

    def facts(self) -> ModelFacts:
        assert self._facts is not None, "the pool was entered"
        return self._facts

    def score(self, chunks: Iterable[ScoringChunk]) -> Iterator[ScoredChunk]:
        """Yield each chunk's result, round by round."""
        remaining = iter(chunks)
        while batch := list(islice(remaining, distributed.get_world_size())):
            _broadcast(batch)
            answers = _score_own_chunk(self._scorer, batch)
            _raise_failure(answers)
            yield from (answer for answer in answers if answer is not None)


def serve_rank() -> None:
    """Score the chunks that rank 0 distributes until it calls `release_ranks`."""
    _join_group()
    scorer: Scorer | None = None
    while (task := _broadcast(None)) is not None:
        if isinstance(task, ScoringSetup):
            scorer, answers = _load(task, lambda _text: None)
        else:
            answers = _score_own_chunk(scorer, task)
        if any(isinstance(answer, Exception) for answer in answers):
            scorer = None  # rank 0 reports the failure and continues with another model or ends
    distributed.destroy_process_group()


def release_ranks() -> None:
    """Let the other ranks exit."""
    _join_group()
    _broadcast(None)
    distributed.destroy_process_group()


def _join_group() -> None:
    if not distributed.is_initialized():
        distributed.init_process_group("gloo", timeout=_TIMEOUT)


def _broadcast(task: ScoringSetup | list[ScoringChunk] | None) -> Any:
    """Send rank 0's task to all ranks; return it on every rank."""
    tasks = [task]
    distributed.broadcast_object_list(tasks, src=0)
    return tasks[0]


def _gather(answer: object) -> list[Any]:
    """Return the answers of all ranks, by rank."""
    answers: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(answers, answer)
    return answers


def _load(setup: ScoringSetup, notify: Callable[[str], None]) -> tuple[Scorer | None, list[Any]]:
    try:
        devices = devices_for(setup.device)
        local_rank = int(os.environ.get("LOCAL_RANK", "0"))
        scorer = Scorer(setup, devices[local_rank % len(devices)], notify=notify)
    except Exception as error:
        return None, _gather(scoring_failure(error))
    return scorer, _gather(scorer.facts)


def _score_own_chunk(scorer: Scorer | None, batch: list[ScoringChunk]) -> list[Any]:
    """Score this rank's chunk of the batch, if it has one, and return the answers of all ranks."""
    rank = distributed.get_rank()
    if scorer is None or rank >= len(batch):
        return _gather(None)
    answer: ScoredChunk | Exception
    try:
        answer = scorer.score(batch[rank])
    except Exception as error:
        answer = scoring_failure(error)
    return _gather(answer)


def _raise_failure(answers: list[Any]) -> None:
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
