"""One scoring process as the program that started it sees it."""

import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from os import environ
from threading import Thread
from typing import IO

from labeler.core.models.scoring import ScoringChunk, ScoringSetup
from labeler.scoring import wire_protocol
from labeler.scoring.wire_protocol import WireLine

_MEGABYTE = 2**20

# With glibc's defaults every large buffer is mapped again and given back, and a quarter of the
# time goes into page faults.
MALLOC_SETTINGS: Mapping[str, str] = {
    "MALLOC_MMAP_THRESHOLD_": str(1024 * _MEGABYTE),
    "MALLOC_TRIM_THRESHOLD_": str(4096 * _MEGABYTE - 1),
    "MALLOC_TOP_PAD_": str(64 * _MEGABYTE),
}


def worker_environment(inherited: Mapping[str, str], *, threads: int) -> dict[str, str]:
    """The environment of a scoring process; what the user has set stays."""
    numbers = {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    return {**MALLOC_SETTINGS, **numbers, **inherited, "PYTHONUNBUFFERED": "1"}


WORKER = (sys.executable, "-m", "labeler.scoring.worker")

_LOG_LINES = 50
_TERMINATE_SECONDS = 10.0


class ScoringProcess:
    """Starts a process and passes on each of its lines, then its end, from threads of its own."""

    def __init__(
        self,
        setup: ScoringSetup,
        *,
        receive: Callable[["ScoringProcess", WireLine | None], None],
        logged: Callable[[str], None],
        command: Sequence[str] | None = None,
    ) -> None:
        self.device = setup.device
        self.chunks: dict[int, ScoringChunk] = {}
        self.is_ready = False
        self._receive = receive
        self._on_log = logged
        self._log_lines: deque[str] = deque(maxlen=_LOG_LINES)
        self._process = subprocess.Popen(
            command or WORKER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=worker_environment(environ, threads=1),
        )
        self._readers = [Thread(target=self._read_log), Thread(target=self._read_lines)]
        for reader in self._readers:
            reader.start()
        self._send(wire_protocol.setup_line(setup))

    def take(self, chunk: ScoringChunk) -> None:
        """Give the process something to score."""
        self.chunks[chunk.number] = chunk
        self._send(wire_protocol.chunk_line(chunk))

    @property
    def is_on_gpu(self) -> bool:
        return not self.device.startswith("cpu")

    @property
    def was_killed(self) -> bool:
        """Whether something outside ended it, as a system does that runs out of memory."""
        return self._process.poll() in (-9, 137)

    @property
    def last_log_line(self) -> str:
        return self._log_lines[-1] if self._log_lines else f"exit code {self._process.poll()}"

    def let_go(self) -> None:
        """Say that nothing more comes."""
        with suppress(OSError):
            self._pipe(self._process.stdin).close()

    def end(self) -> None:
        """End the process, gently at first, and wait for its threads."""
        self.let_go()
        self._process.terminate()
        try:
            self._process.wait(_TERMINATE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for reader in self._readers:
            reader.join()

    def _send(self, line: WireLine) -> None:
        pipe = self._pipe(self._process.stdin)
        # One that died is reported of by its own end.
        with suppress(OSError, ValueError):
            pipe.write(wire_protocol.dump(line) + "\n")
            pipe.flush()

    def _read_lines(self) -> None:
        with self._pipe(self._process.stdout) as out:
            for text in out:
                self._receive(self, wire_protocol.load(text))
        self._process.wait()
        # Its last words must be there before its end is reported.
        self._readers[0].join()
        self._receive(self, None)

    def _read_log(self) -> None:
        with self._pipe(self._process.stderr) as log:
            for text in log:
                words = text.rstrip()
                if words:
                    self._log_lines.append(words)
                    self._on_log(words)

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None, "all three were asked for"
        return pipe
