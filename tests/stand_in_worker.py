"""A scoring process without a model, for tests of those who start processes.

What it does with a chunk is said by the model's name: score, die at the first chunk as if killed,
stop answering, fail with a sentence, or, in the crew's first process, wait for the chunk's file.
"""

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ModelFacts, ScoredChunk, UnreadableFile
from labeler.scoring import wire_protocol
from labeler.scoring.failures import failure_line


def main() -> None:
    setup = wire_protocol.read_setup(wire_protocol.load(sys.stdin.readline()))
    batch = setup.spec.batch_size or 16
    _say(wire_protocol.devices_line(["cpu", "cpu"]))
    print("words of a library", file=sys.stderr, flush=True)
    _say(wire_protocol.facts_line(_facts(batch, setup.spec.model)))
    for text in sys.stdin:
        chunk = wire_protocol.read_chunk(wire_protocol.load(text))
        match setup.spec.model:
            case "dies" if batch > 4:
                os.kill(os.getpid(), signal.SIGKILL)
            case "crashes":
                sys.exit("a library fell over")
            case "refuses":
                _say(failure_line(RefusedError("this model is refused")))
                return
            case "waits" if setup.device == "auto":
                while not Path(chunk.images[0].path).exists():
                    time.sleep(0.01)
            case "hangs" | "differs":
                time.sleep(600)
        ordinals = tuple(i.ordinal for i in chunk.images if i.path != "broken")
        broken = tuple(i.ordinal for i in chunk.images if i.path == "broken")
        labels = np.array([[o % 1000, 999] for o in ordinals], np.uint16).reshape(-1, 2)
        scores = np.full(labels.shape, 0.5, np.float32)
        unreadable = tuple(UnreadableFile(ordinal, "truncated") for ordinal in broken)
        _say(
            wire_protocol.scored_line(
                ScoredChunk(chunk.number, ordinals, labels, scores, unreadable)
            )
        )


def _say(line: wire_protocol.WireLine) -> None:
    print(wire_protocol.dump(line), flush=True)


def _facts(batch: int, model: str) -> ModelFacts:
    return ModelFacts(
        architecture=model,
        weights="a stand-in",
        weights_hash=str(os.getpid()) if model == "differs" else "0",
        classes="1,000 outputs in the study's order",
        transform={"input_size": [3, 224, 224]},
        precision="float32",
        parameters=7,
        device="cpu",
        batch_size=batch,
        versions={"torch": "0"},
    )


if __name__ == "__main__":
    main()
