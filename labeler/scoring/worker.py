"""The function that runs in each worker process: load a model, then score chunks of images.

The worker exits as soon as its connection closes, so it never outlives the program that started it.
"""

import ctypes
import os
import queue
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

from labeler.core.models.scoring import ModelFacts, ScoredChunk, ScoringChunk, ScoringSetup
from labeler.scoring.failures import ScoringFailure, scoring_failure

_MEGABYTE = 2**20
# With glibc's default settings every large buffer is mapped and unmapped again, and a quarter of
# the time is spent on page faults. The parameter numbers are those of malloc.h; a trim threshold of
# -1 disables trimming.
_MALLOC_SETTINGS = {
    "MALLOC_MMAP_THRESHOLD_": (-3, 1024 * _MEGABYTE),
    "MALLOC_TRIM_THRESHOLD_": (-1, -1),
    "MALLOC_TOP_PAD_": (-2, 64 * _MEGABYTE),
}


@dataclass(frozen=True, slots=True)
class AvailableDevices:
    """The devices that are worth one worker each; the first is the sender's own."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for the person who started the scoring."""

    text: str


WorkerMessage = AvailableDevices | Notice | ModelFacts | ScoredChunk | ScoringFailure
SendMessage = Callable[[WorkerMessage], None]


class ChunkScorer(Protocol):
    """A loaded model; `begin` may start decoding in the background, `finish` returns the result."""

    @property
    def facts(self) -> ModelFacts: ...

    def begin(self, chunk: ScoringChunk) -> Any: ...

    def finish(self, pending: Any) -> ScoredChunk: ...


LoadScorer = Callable[[ScoringSetup, SendMessage], ChunkScorer]


def run_worker(
    connection: "Connection[Any, Any]", setup: ScoringSetup, log_file: Path, load: LoadScorer
) -> None:
    """Score until the connection closes; an error is sent as the last message."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is handled by the parent process
    _redirect_output(log_file)
    configure_process()
    try:
        _score_chunks(connection, setup, load)
    except OSError as error:
        with suppress(OSError):  # fails if the error was that the parent process is gone
            connection.send(scoring_failure(error))
    except Exception as error:
        connection.send(scoring_failure(error))


def configure_process() -> None:
    """Use one thread and keep freed memory, unless the environment sets these values."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("MKL_NUM_THREADS", "1")
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt is not None:
        for variable, (parameter, value) in _MALLOC_SETTINGS.items():
            if variable not in os.environ:
                mallopt(parameter, value)


def load_scorer(setup: ScoringSetup, send: SendMessage) -> ChunkScorer:
    """Load the model of the setup on this worker's device."""
    # Imported here so that a missing torch is reported like any other failure.
    import torch

    from labeler.scoring.devices import devices_for

    devices = devices_for(setup.device)
    # Sent before timm is imported and the model loaded, so that the other workers can do the same
    # in the meantime.
    send(AvailableDevices(tuple(devices)))
    from labeler.scoring.scorer import Scorer

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    return Scorer(setup, devices[0], notify=lambda text: send(Notice(text)))


def _redirect_output(log_file: Path) -> None:
    """Write all output of this process, including that of C libraries, to the log file."""
    descriptor = os.open(log_file, os.O_WRONLY | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    # The parent process has the file open already. Windows refuses to remove an open file.
    with suppress(OSError):
        log_file.unlink()


def _score_chunks(
    connection: "Connection[Any, Any]", setup: ScoringSetup, load: LoadScorer
) -> None:
    loaded: Future[ChunkScorer] = Future()
    begun: queue.SimpleQueue[Any] = queue.SimpleQueue()
    Thread(target=_receive_chunks, args=(connection, loaded, begun), daemon=True).start()
    scorer = load(setup, connection.send)
    loaded.set_result(scorer)
    connection.send(scorer.facts)
    while True:
        connection.send(scorer.finish(begun.get()))


def _receive_chunks(
    connection: "Connection[Any, Any]",
    loaded: "Future[ChunkScorer]",
    begun: "queue.SimpleQueue[Any]",
) -> None:
    """Begin each chunk when it arrives, so that a GPU worker decodes while it computes."""
    try:
        while True:
            chunk = connection.recv()
            begun.put(loaded.result().begin(chunk))
    except (EOFError, OSError):
        # The pool was closed or its process was killed. Nothing that this process holds is needed.
        os._exit(0)
