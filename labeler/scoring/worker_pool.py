"""A crew of scoring processes, one a core or GPU, that share out chunks and lose none."""

import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from labeler.core.errors import EnvironmentFault
from labeler.core.models.scoring import ModelFacts, ScoredChunk, ScoringChunk, ScoringSetup
from labeler.scoring import wire_protocol
from labeler.scoring.failures import error_from_line
from labeler.scoring.process import ScoringProcess
from labeler.scoring.wire_protocol import WireEvent, WireLine


class ChunkQueue:
    """Hands out chunks one by one; those that came back go first."""

    def __init__(self, chunks: Iterable[ScoringChunk] = ()) -> None:
        self._further = iter(chunks)
        self._next: deque[ScoringChunk] = deque()

    def __bool__(self) -> bool:
        return self.has(1)

    def has(self, count: int) -> bool:
        """Whether so many are left; no more than these are looked up."""
        while len(self._next) < count:
            chunk = next(self._further, None)
            if chunk is None:
                return False
            self._next.append(chunk)
        return True

    def take(self) -> ScoringChunk:
        """The next one, where there is one."""
        if not self:
            raise IndexError("nothing is left")
        return self._next.popleft()

    def put_back(self, chunks: Iterable[ScoringChunk]) -> None:
        self._next.extendleft(chunks)


# One chunk at work and one behind it, so that no process ever waits for the next.
_CHUNKS_AHEAD = 2
_POLL_SECONDS = 0.2
_DEFAULT_BATCH_SIZE = 32

MessageCallback = Callable[[str], None]
ProcessLine = tuple[ScoringProcess, WireLine | None]


class ScoringCancelled(Exception):
    """Someone cancelled; what was scored before is in good hands."""


class WorkerPool:
    """Scores with several processes; one that the system killed is replaced, with half the batch.

    `cancelled` is looked at several times a second.
    """

    def __init__(
        self,
        setup: ScoringSetup,
        *,
        workers: int | None,
        say: MessageCallback,
        log: MessageCallback,
        cancelled: Callable[[], bool],
        command: Sequence[str] | None = None,
    ) -> None:
        self._setup = setup
        self._workers = workers
        self._report, self._log = say, log
        self._sent_messages: set[str] = set()
        self._cancelled = cancelled
        self._command = command
        self._received: queue.Queue[ProcessLine] = queue.Queue()
        self._processes: list[ScoringProcess] = []
        self._known: ModelFacts | None = None
        self._waiting = ChunkQueue()

    def __enter__(self) -> "WorkerPool":
        self._start(self._setup)
        return self

    def __exit__(self, *_exception: object) -> None:
        for process in self._processes:
            process.end()

    @property
    def size(self) -> int:
        return len(self._processes)

    @property
    def ready(self) -> int:
        """How many processes have loaded the model."""
        return sum(process.is_ready for process in self._processes)

    def facts(self) -> ModelFacts:
        """What the model turned out to be, once the first process has loaded it."""
        while self._known is None:
            self._wait_for_line()
        return self._known

    def score(self, chunks: Iterable[ScoringChunk]) -> Iterator[ScoredChunk]:
        """The chunks as they come out, in no particular order, each exactly once."""
        self._waiting = ChunkQueue(chunks)
        self._hand_out_chunks()
        while self._waiting or any(p.chunks for p in self._processes):
            scored = self._wait_for_line()
            self._hand_out_chunks()
            if scored is not None:
                yield scored

    def _notify_once(self, sentence: str) -> None:
        """Pass on what a lead should know, once, however many processes say it."""
        if sentence not in self._sent_messages:
            self._sent_messages.add(sentence)
            self._report(sentence)

    def _hand_out_chunks(self) -> None:
        while self._waiting and (process := self._least_busy()) is not None:
            process.take(self._waiting.take())

    def _least_busy(self) -> ScoringProcess | None:
        """The process with least to do, if it has room for more.

        The last chunks are handed out when they can be begun, or one core would be at two of them
        while another has none. A GPU gets them ahead all the same: it has them decoded meanwhile.
        """
        ready = [process for process in self._processes if process.is_ready]
        least = min(ready, key=lambda process: len(process.chunks), default=None)
        if least is None or not least.chunks:
            return least
        ahead = least.is_on_gpu or self._waiting.has(_CHUNKS_AHEAD * self.size)
        return least if ahead and len(least.chunks) < _CHUNKS_AHEAD else None

    def _wait_for_line(self) -> ScoredChunk | None:
        """Wait a moment for a line, and act on it."""
        if self._cancelled():
            raise ScoringCancelled
        try:
            process, line = self._received.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            return None
        if line is None:
            self._handle_exit(process)
            return None
        return self._handle_line(process, line)

    def _handle_line(self, process: ScoringProcess, line: WireLine) -> ScoredChunk | None:
        match WireEvent(line["event"]):
            case WireEvent.DEVICES:
                self._start_others(line["devices"])
            case WireEvent.READY:
                self._mark_ready(process, wire_protocol.read_facts(line))
            case WireEvent.NOTE:
                self._notify_once(str(line["sentence"]))
            case WireEvent.FAILED:
                raise error_from_line(line)
            case WireEvent.SCORED:
                scored = wire_protocol.read_scored(line)
                process.chunks.pop(scored.number, None)
                return scored
        return None

    def _start_others(self, devices: list[str]) -> None:
        """Start the rest of the crew when the first process knows the machine."""
        if len(self._processes) > 1:
            return
        wanted = self._workers or len(devices)
        own, *others = (devices[number % len(devices)] for number in range(wanted))
        self._processes[0].device = own
        for device in others:
            self._start(replace(self._setup, device=device))

    def _mark_ready(self, process: ScoringProcess, facts: ModelFacts) -> None:
        if self._known is None:
            self._known = facts
        elif facts.identity != self._known.identity:
            raise EnvironmentFault(
                "The scoring processes loaded different models. Don't change the weights while "
                "they are being loaded, and run the same command again."
            )
        process.is_ready = True

    def _handle_exit(self, process: ScoringProcess) -> None:
        """Replace a process that was killed for its memory; any other end is an error."""
        self._processes.remove(process)
        process.end()
        batch = self._known.batch_size if self._known is not None else _DEFAULT_BATCH_SIZE
        smaller = (self._setup.spec.batch_size or batch) // 2
        if not process.was_killed or not smaller:
            raise EnvironmentFault(
                f"A scoring process ended unexpectedly ({process.last_log_line}). What was "
                "scored is "
                "kept: start it again, with smaller batches.",
                by_command="The same command goes on, with `--batch-size 4` or `--workers 1`.",
            )
        self._notify_once(
            f"A scoring process was killed, as if out of memory: batches of {smaller} now."
        )
        self._waiting.put_back(process.chunks.values())
        self._setup = replace(self._setup, spec=replace(self._setup.spec, batch_size=smaller))
        self._start(replace(self._setup, device=process.device))

    def _start(self, setup: ScoringSetup) -> None:
        self._processes.append(
            ScoringProcess(setup, receive=self._receive, logged=self._log, command=self._command)
        )

    def _receive(self, process: ScoringProcess, line: WireLine | None) -> None:
        self._received.put((process, line))
