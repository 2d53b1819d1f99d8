"""The work of a scoring process: load what the setup asks for, then score chunk after chunk."""

import os
import queue
from collections.abc import Iterator
from threading import Thread
from typing import TYPE_CHECKING

import torch

from labeler.scoring import wire_protocol
from labeler.scoring.devices import devices_for
from labeler.scoring.wire_protocol import WireLine
from labeler.scoring.worker import LineChannel

if TYPE_CHECKING:
    from labeler.scoring.scorer import PendingChunk, Scorer


def serve(wire: LineChannel) -> None:
    """Score what comes until nothing more does."""
    received = wire.received()
    first = next(received, None)
    if first is None:
        return
    setup = wire_protocol.read_setup(first)
    devices = devices_for(setup.device)
    # Told before the model is loaded, so that further processes can load it at the same time.
    wire.send(wire_protocol.devices_line(devices))
    from labeler.scoring.scorer import Scorer

    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    scorer = Scorer(setup, devices[0], say=wire.note)
    wire.send(wire_protocol.facts_line(scorer.facts))
    for pending in _pending_chunks(received, scorer):
        wire.send(wire_protocol.scored_line(scorer.finish(pending)))
    scorer.close()


def _pending_chunks(received: Iterator[WireLine], scorer: "Scorer") -> "Iterator[PendingChunk]":
    """The chunks as they come, begun at once: a GPU's next images are decoded meanwhile."""
    waiting: queue.Queue[PendingChunk | None] = queue.Queue()

    def begin_all() -> None:
        for line in received:
            waiting.put(scorer.begin(wire_protocol.read_chunk(line)))
        waiting.put(None)

    Thread(target=begin_all, daemon=True).start()
    while (pending := waiting.get()) is not None:
        yield pending
