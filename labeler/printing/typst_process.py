"""Compile a document with Typst in a process of its own, which is run as a script.

    python typst_process.py TEMPLATE PDF TIMESTAMP

Typst keeps what it has laid out, half a gigabyte for a long report, until its process ends.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

NO_COMPILER = 3  # the exit code if typst can't be loaded


def compile_document(template: Path, pdf: Path, timestamp: int) -> None:
    """Write the compiled template, which can only read files in its own folder."""
    try:
        import typst
    except ImportError:
        sys.exit(NO_COMPILER)
    made_at = datetime.fromtimestamp(timestamp, UTC)
    try:
        typst.compile(str(template), str(pdf), root=str(template.parent), timestamp=made_at)
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    compile_document(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
