"""Scoring with the processes that torchrun started: rank 0 shares out and writes, all score."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from labeler.core.models.scoring import ModelFacts, ScoredChunk, ScoringChunk, ScoringSetup
from labeler.scoring import torchrun_messages as others
from labeler.scoring import wire_protocol
from labeler.scoring.devices import devices_for
from labeler.scoring.failures import error_from_line, failure_line
from labeler.scoring.scorer import Scorer
from labeler.scoring.wire_protocol import WireEvent, WireLine

_SETUP, _ROUND, _END = "setup", "round", "end"


class TorchrunPool:
    """One model on all ranks, as rank 0 sees it: a round gives each rank one chunk."""

    def __init__(self, setup: ScoringSetup, *, say: Callable[[str], None]) -> None:
        self._setup = setup
        self._say = say
        self._scorer: Scorer | None = None
        self._facts: ModelFacts | None = None

    def __enter__(self) -> "TorchrunPool":
        others.join_group()
        others.broadcast_line({_SETUP: wire_protocol.setup_line(self._setup)})
        self._scorer, answers = _load(self._setup, self._say)
        _raise_failure(answers)
        self._facts = wire_protocol.read_facts(answers[0])
        return self

    def __exit__(self, *_exception: object) -> None:
        """Nothing to undo: the other ranks wait for the next model, or for the end."""

    def facts(self) -> ModelFacts:
        assert self._facts is not None, "it was entered"
        return self._facts

    def score(self, chunks: Iterable[ScoringChunk]) -> Iterator[ScoredChunk]:
        waiting = iter(chunks)
        while batch := list(islice(waiting, others.world_size())):
            shared = [wire_protocol.chunk_line(chunk) for chunk in batch]
            others.broadcast_line({_ROUND: shared})
            answers = _score_own_chunk(self._scorer, shared)
            _raise_failure(answers)
            yield from (
                wire_protocol.read_scored(a) for a in answers if a.get("event") == WireEvent.SCORED
            )


def serve_rank() -> None:
    """Score what rank 0 shares out until it says that all is done."""
    others.join_group()
    scorer: Scorer | None = None
    while _END not in (line := others.receive_line()):
        if _SETUP in line:
            scorer, answers = _load(wire_protocol.read_setup(line[_SETUP]), lambda _sentence: None)
        else:
            answers = _score_own_chunk(scorer, line[_ROUND])
        if any(answer.get("event") == WireEvent.FAILED for answer in answers):
            scorer = None  # rank 0 tells it; what comes next is another model, or the end
    others.leave_group()


def release_ranks() -> None:
    """Let the other ranks go."""
    others.join_group()
    others.broadcast_line({_END: True})
    others.leave_group()


def _load(setup: ScoringSetup, say: Callable[[str], None]) -> tuple[Scorer | None, list[WireLine]]:
    try:
        devices = devices_for(setup.device)
        scorer = Scorer(setup, devices[others.local_rank() % len(devices)], say=say)
    except Exception as error:
        return None, others.gather_lines(failure_line(error))
    return scorer, others.gather_lines(wire_protocol.facts_line(scorer.facts))


def _score_own_chunk(scorer: Scorer | None, shared: list[WireLine]) -> list[WireLine]:
    """Score the chunk of the own rank, and exchange what came out."""
    rank = others.own_rank()
    if scorer is None or rank >= len(shared):
        return others.gather_lines({})
    try:
        answer = wire_protocol.scored_line(scorer.score(wire_protocol.read_chunk(shared[rank])))
    except Exception as error:
        answer = failure_line(error)
    return others.gather_lines(answer)


def _raise_failure(answers: list[WireLine]) -> None:
    for answer in answers:
        if answer.get("event") == WireEvent.FAILED:
            raise error_from_line(answer)
