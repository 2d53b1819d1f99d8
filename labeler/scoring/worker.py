"""A scoring process: reads a setup and chunks as lines, writes what came out as lines.

It ends when its input does, so that it never outlives the program that started it.
"""

import os
import sys
from collections.abc import Iterator
from typing import IO

from labeler.scoring import wire_protocol
from labeler.scoring.failures import failure_line
from labeler.scoring.wire_protocol import WireLine


class LineChannel:
    """Lines to and from the program that started this one; no library's print gets into them."""

    def __init__(self) -> None:
        self._out: IO[str] = os.fdopen(os.dup(1), "w", encoding="ascii")
        os.dup2(2, 1)

    def send(self, line: WireLine) -> None:
        self._out.write(wire_protocol.dump(line) + "\n")
        self._out.flush()

    def note(self, sentence: str) -> None:
        self.send(wire_protocol.note_line(sentence))

    def received(self) -> Iterator[WireLine]:
        for text in sys.stdin:
            yield wire_protocol.load(text)


def main() -> int:
    """Serve until nothing more comes; what goes wrong is reported in a last line."""
    wire = LineChannel()
    try:
        # Imported here, so that a missing torch is reported like any other failure.
        from labeler.scoring.serving import serve

        serve(wire)
    except BrokenPipeError:
        return 1  # no one is left to tell
    except Exception as error:
        wire.send(failure_line(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
