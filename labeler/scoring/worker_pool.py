"""A pool of scoring workers, one process per core or GPU, that share chunks and lose none."""

import multiprocessing
import os
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path

from labeler.core.errors import EnvironmentFault
from labeler.core.models.scoring import ModelFacts, ScoredChunk, ScoringChunk, ScoringSetup
from labeler.scoring.worker import (
    AvailableDevices,
    LoadScorer,
    Notice,
    WorkerMessage,
    load_scorer,
    run_worker,
)

# One chunk being scored and one queued, so that no worker waits for the next chunk.
_CHUNKS_PER_WORKER = 2
_POLL_SECONDS = 0.2
_TERMINATE_SECONDS = 10.0
_DEFAULT_BATCH_SIZE = 32

DIFFERENT_MODELS = (
    "The scoring processes loaded different models. Don't change the weights while they are being "
    "loaded, and start the scoring again."
)
WORKER_DIED = (
    "A scoring process ended unexpectedly ({reason}). The images scored so far are saved. Start "
    "the scoring again with a smaller batch size."
)
WORKER_DIED_COMMAND = "Run the same command with `--batch-size 4` or `--workers 1`."
WORKER_KILLED = (
    "A scoring process was killed, probably because memory ran out. Continuing with a batch size "
    "of {size}."
)

MessageCallback = Callable[[str], None]


class ScoringCancelled(Exception):
    """The scoring was cancelled; the chunks scored before are saved."""


class ChunkQueue:
    """Hands out chunks one by one; chunks that were put back come first."""

    def __init__(self, chunks: Iterable[ScoringChunk] = ()) -> None:
        self._unread = iter(chunks)
        self._next: deque[ScoringChunk] = deque()

    def __bool__(self) -> bool:
        return self.has(1)

    def has(self, count: int) -> bool:
        """Return whether at least `count` chunks are left, reading no more than that."""
        while len(self._next) < count:
            chunk = next(self._unread, None)
            if chunk is None:
                return False
            self._next.append(chunk)
        return True

    def take(self) -> ScoringChunk:
        """Remove and return the next chunk; raise IndexError if there is none."""
        if not self:
            raise IndexError("no chunk is left")
        return self._next.popleft()

    def put_back(self, chunks: Iterable[ScoringChunk]) -> None:
        self._next.extendleft(chunks)


class WorkerProcess:
    """A worker process with its connection, its log and the chunks that it hasn't returned."""

    def __init__(self, setup: ScoringSetup, load: LoadScorer) -> None:
        self.device = setup.device
        self.batch_size = setup.spec.batch_size
        self.chunks: dict[int, ScoringChunk] = {}
        self.is_ready = False
        self._log = _WorkerLog()
        context = multiprocessing.get_context("spawn")
        self.connection, worker_connection = context.Pipe()
        self._process = context.Process(
            target=run_worker, args=(worker_connection, setup, self._log.path, load), daemon=True
        )
        self._process.start()
        # Only the worker may hold this end, so that its exit closes the connection.
        worker_connection.close()

    def score(self, chunk: ScoringChunk) -> None:
        self.chunks[chunk.number] = chunk
        with suppress(OSError):  # a worker that died is noticed when its connection is read
            self.connection.send(chunk)

    def receive(self) -> WorkerMessage | None:
        """Return the worker's next message, or None if it exited."""
        try:
            message: WorkerMessage = self.connection.recv()
        except (EOFError, OSError):
            return None
        return message

    @property
    def is_on_gpu(self) -> bool:
        return not self.device.startswith("cpu")

    @property
    def was_killed(self) -> bool:
        """Whether it ended by SIGKILL, as when the system runs out of memory."""
        return self._process.exitcode == -9

    @property
    def exit_reason(self) -> str:
        return self._log.last_line() or f"exit code {self._process.exitcode}"

    def read_log(self) -> list[str]:
        """Return the lines that the worker and its libraries printed since the last call."""
        return self._log.read()

    def terminate(self) -> None:
        self.connection.close()
        self._process.terminate()

    def join(self) -> None:
        """Wait until the process has ended; kill it if it doesn't end soon."""
        self._process.join(_TERMINATE_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()

    def close(self) -> None:
        """Release the connection and the log of a process that has ended."""
        self.connection.close()
        self._log.close()


class _WorkerLog:
    """The output of a worker, in a temporary file that keeps the last lines of a crash too."""

    def __init__(self) -> None:
        descriptor, name = tempfile.mkstemp(prefix="labeler-worker-", suffix=".log")
        self.path = Path(name)
        self._file = os.fdopen(descriptor, "rb", buffering=0)
        self._incomplete = b""
        self._last = ""

    def read(self) -> list[str]:
        *complete, self._incomplete = (self._incomplete + self._file.readall()).split(b"\n")
        lines = [text for line in complete if (text := _text(line))]
        self._last = lines[-1] if lines else self._last
        return lines

    def last_line(self) -> str:
        return _text(self._incomplete) or self._last

    def close(self) -> None:
        self._file.close()
        self.path.unlink(missing_ok=True)


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rstrip()


class WorkerPool:
    """Scores with several processes; replaces one that was killed, with half the batch size.

    `cancelled` is called several times a second.
    """

    def __init__(
        self,
        setup: ScoringSetup,
        *,
        workers: int | None,
        notify: MessageCallback,
        log: MessageCallback,
        cancelled: Callable[[], bool],
        load: LoadScorer | None = None,
    ) -> None:
        self._setup = setup
        self._wanted = workers
        self._notify, self._log = notify, log
        self._sent_notices: set[str] = set()
        self._cancelled = cancelled
        self._load = load or load_scorer
        self._workers: list[WorkerProcess] = []
        self._facts: ModelFacts | None = None
        self._waiting = ChunkQueue()
        self._max_batch_size = sys.maxsize

    def __enter__(self) -> "WorkerPool":
        self._start(self._setup)
        return self

    def __exit__(self, *_exception: object) -> None:
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            self._close(worker)

    @property
    def size(self) -> int:
        return len(self._workers)

    @property
    def ready(self) -> int:
        """The number of workers that have loaded the model."""
        return sum(worker.is_ready for worker in self._workers)

    def facts(self) -> ModelFacts:
        """Wait until the first worker has loaded the model, and return what it reports."""
        while self._facts is None:
            self._process_message()
        return self._facts

    def score(self, chunks: Iterable[ScoringChunk]) -> Iterator[ScoredChunk]:
        """Yield the result of each chunk exactly once, in no particular order."""
        self._waiting = ChunkQueue(chunks)
        self._distribute_chunks()
        while self._waiting or any(worker.chunks for worker in self._workers):
            scored = self._process_message()
            self._distribute_chunks()
            if scored is not None:
                yield scored

    def _distribute_chunks(self) -> None:
        while self._waiting and (worker := self._least_busy()) is not None:
            worker.score(self._with_fitting_batches(self._waiting.take()))

    def _with_fitting_batches(self, chunk: ScoringChunk) -> ScoringChunk:
        size = chunk.batch_size
        return chunk if size is None else replace(chunk, batch_size=min(size, self._max_batch_size))

    def _least_busy(self) -> WorkerProcess | None:
        """Return the worker with the fewest chunks if it has room for another, or None.

        The last chunks are only given to idle workers; otherwise one core could have two of them
        while another has none. A GPU always gets chunks ahead, because it decodes them while it
        computes.
        """
        ready = [worker for worker in self._workers if worker.is_ready]
        least = min(ready, key=lambda worker: len(worker.chunks), default=None)
        if least is None or not least.chunks:
            return least
        ahead = least.is_on_gpu or self._waiting.has(_CHUNKS_PER_WORKER * self.size)
        return least if ahead and len(least.chunks) < _CHUNKS_PER_WORKER else None

    def _process_message(self) -> ScoredChunk | None:
        """Wait briefly for a message of any worker and handle it; return a scored chunk."""
        if self._cancelled():
            raise ScoringCancelled
        by_connection = {worker.connection: worker for worker in self._workers}
        ready = wait(list(by_connection), timeout=_POLL_SECONDS)
        for worker in self._workers:
            self._forward_log(worker)
        if not ready:
            return None
        worker = by_connection[ready[0]]  # type: ignore[index]
        message = worker.receive()
        if message is None:
            self._handle_exit(worker)
            return None
        return self._handle_message(worker, message)

    def _forward_log(self, worker: WorkerProcess) -> None:
        for line in worker.read_log():
            self._log(line)

    def _handle_message(self, worker: WorkerProcess, message: WorkerMessage) -> ScoredChunk | None:
        match message:
            case ScoredChunk():
                worker.chunks.pop(message.number, None)
                return message
            case AvailableDevices():
                self._start_others(message.names)
            case ModelFacts():
                self._set_ready(worker, message)
            case Notice():
                self._notify_once(message.text)
            case Exception():
                raise message
        return None

    def _notify_once(self, text: str) -> None:
        """Pass on a notice once, even if several workers send it."""
        if text not in self._sent_notices:
            self._sent_notices.add(text)
            self._notify(text)

    def _start_others(self, devices: tuple[str, ...]) -> None:
        """Start the other workers when the first one knows the machine's devices."""
        if self.size > 1:
            return
        wanted = self._wanted or len(devices)
        first, *others = (devices[number % len(devices)] for number in range(wanted))
        self._workers[0].device = first
        for device in others:
            self._start(replace(self._setup, device=device))

    def _set_ready(self, worker: WorkerProcess, facts: ModelFacts) -> None:
        if self._facts is None:
            self._facts = facts
        elif facts.identity != self._facts.identity:
            raise EnvironmentFault(DIFFERENT_MODELS)
        worker.is_ready = True

    def _handle_exit(self, worker: WorkerProcess) -> None:
        """Replace a worker that was killed; raise an error if it ended in any other way."""
        self._workers.remove(worker)
        self._close(worker)
        found = self._facts.batch_size if self._facts is not None else _DEFAULT_BATCH_SIZE
        smaller = (worker.batch_size or found) // 2
        if not worker.was_killed or not smaller:
            raise EnvironmentFault(
                WORKER_DIED.format(reason=worker.exit_reason), by_command=WORKER_DIED_COMMAND
            )
        self._notify_once(WORKER_KILLED.format(size=smaller))
        self._waiting.put_back(worker.chunks.values())
        self._max_batch_size = min(smaller, self._max_batch_size)
        spec = replace(self._setup.spec, batch_size=self._max_batch_size)
        self._start(replace(self._setup, spec=spec, device=worker.device))

    def _close(self, worker: WorkerProcess) -> None:
        worker.join()
        self._forward_log(worker)
        worker.close()

    def _start(self, setup: ScoringSetup) -> None:
        self._workers.append(WorkerProcess(setup, self._load))
