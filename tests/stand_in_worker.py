"""A scorer without a model, for tests of the worker pool and of what uses it.

The model's name says what it does with a chunk: score it, end the process as if killed, stop
responding, fail with a message, or, in the pool's first worker, wait for the chunk's file.
"""

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from labeler.core.errors import RefusedError
from labeler.core.models.scoring import (
    ModelFacts,
    ScoredChunk,
    ScoringChunk,
    ScoringSetup,
    UnreadableFile,
)
from labeler.scoring.worker import AvailableDevices, SendMessage

LIBRARY_OUTPUT = "output of a library"
BUSY = "busy"
CRASH = "a library crashed"
REFUSAL = "this model is refused"
_LARGEST_BATCH = 4


def load_stand_in(
    setup: ScoringSetup, send: SendMessage, *, found_batch_size: int = 16
) -> "StandInScorer":
    send(AvailableDevices(("cpu", "cpu")))
    print(LIBRARY_OUTPUT, file=sys.stderr, flush=True)
    return StandInScorer(setup, found_batch_size)


class StandInScorer:
    def __init__(self, setup: ScoringSetup, found_batch_size: int) -> None:
        self._model = setup.spec.model
        self._is_first = setup.device == "auto"
        self._batch_size = setup.spec.batch_size or found_batch_size

    @property
    def facts(self) -> ModelFacts:
        return ModelFacts(
            architecture=self._model,
            weights="a stand-in",
            weights_hash=str(os.getpid()) if self._model == "differs" else "0",
            classes="1,000 outputs in the study's order",
            transform={"input_size": [3, 224, 224]},
            precision="float32",
            parameters=7,
            device="cpu",
            batch_size=self._batch_size,
            versions={"torch": "0"},
        )

    def begin(self, chunk: ScoringChunk) -> ScoringChunk:
        return chunk

    def finish(self, chunk: ScoringChunk) -> ScoredChunk:
        match self._model:
            case "dies" if (chunk.batch_size or self._batch_size) > _LARGEST_BATCH:
                os.kill(os.getpid(), signal.SIGKILL)
            case "crashes":
                sys.exit(CRASH)
            case "refuses":
                raise RefusedError(REFUSAL)
            case "waits" if self._is_first:
                while not Path(chunk.images[0].path).exists():
                    time.sleep(0.01)
            case "hangs" | "differs":
                print(BUSY, file=sys.stderr, flush=True)
                time.sleep(600)
        return _label_by_ordinal(chunk)


def _label_by_ordinal(chunk: ScoringChunk) -> ScoredChunk:
    ordinals = tuple(image.ordinal for image in chunk.images if image.path != "broken")
    broken = tuple(image.ordinal for image in chunk.images if image.path == "broken")
    labels = np.array([[o % 1000, 999] for o in ordinals], np.uint16).reshape(-1, 2)
    scores = np.full(labels.shape, 0.5, np.float32)
    unreadable = tuple(UnreadableFile(ordinal, "truncated") for ordinal in broken)
    return ScoredChunk(chunk.number, ordinals, labels, scores, unreadable)
