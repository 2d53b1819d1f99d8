"""Someone at work in a process of its own, as anyone who kills it sees and hears it."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Event = dict[str, Any]

CODE = "A"
_CHECKOUT = Path(__file__).parents[2]
# Far more than anything takes: anyone who is silent for so long hangs.
_SILENCE_S = 60


class DrivenProcess:
    """A running program with hasty hands at its keys; what they tell goes to `told`."""

    def __init__(
        self,
        home: Path,
        notify: Callable[[Event], None],
        *command: object,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """`command` is the module that drives the program, and its arguments."""
        self._hear, self._home = notify, home
        self._pending = b""
        self._told: list[Event] = []
        self._errors = (home / "errors.txt").open("a+", encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-m", *map(str, command)],
            cwd=_CHECKOUT,
            env={**environment(home), **(variables or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def hear(self, *kinds: str) -> Event:
        """Wait until something of the kind is reported."""
        while True:
            event = self._next(_SILENCE_S)
            assert event is not None, f"silence after {self._told[-3:]}: {self._complaints()}"
            if event["event"] in kinds:
                return event

    def hear_for(self, seconds: float) -> None:
        """Listen for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._next(left)

    def go_on(self) -> None:
        """Let hands that rest go on."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        """Kill it as the system would, and hear what it told until then."""
        self._process.send_signal(signal.SIGKILL)
        code = self._process.wait()
        while self._next(0) is not None:
            pass
        complaints = self._complaints()
        self.close()
        assert code == -signal.SIGKILL, f"the program ended by itself: {complaints}"
        assert not complaints

    def close(self) -> None:
        """Leave nothing behind, whatever went wrong."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                pipe.close()

    def _next(self, seconds: float) -> Event | None:
        """The next fact; None when the program stays silent or has ended."""
        stdout = self._process.stdout
        assert stdout is not None
        while b"\n" not in self._pending:
            ready = select.select([stdout], [], [], seconds)[0]
            more = os.read(stdout.fileno(), 65536) if ready else b""
            if not more:
                return None
            self._pending += more
        line, _, self._pending = self._pending.partition(b"\n")
        self._told.append(json.loads(line))
        self._hear(self._told[-1])
        return self._told[-1]

    def _complaints(self) -> str:
        """What the program said that it shouldn't have to, and its incidents."""
        self._errors.seek(0)
        logs = [file.read_text(encoding="utf-8") for file in self._home.rglob("labeler.log*")]
        incidents = [log for log in logs if " incident " in log]
        return self._errors.read() + "".join(incidents)


def environment(home: Path) -> dict[str, str]:
    """The settings of a person of its own, without a screen."""
    folders = {f"XDG_{k}_HOME": str(home / k) for k in ("CONFIG", "DATA", "CACHE", "STATE")}
    return {**os.environ, **folders, "HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
