"""The log: one rotating file per user, which reveals nothing in a blind session.

Modules log with `logging.getLogger(__name__)`: the message is a constant event name, and everything
else is in `extra`. While a labeler, reviewer or annotator uses the program, a record is built from
an allow-list: the event if `EVENTS` has it, the fields that `_BLIND_FIELDS` has, and no text.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from io import TextIOWrapper
from itertools import islice
from logging.handlers import RotatingFileHandler
from pathlib import Path
from traceback import walk_tb
from typing import TextIO
from uuid import UUID

import platformdirs

from labeler import __version__
from labeler.core.clock import stamp
from labeler.images.unreadable import UnreadableImage
from labeler.store.engine.file_lock import try_acquire_lock

OURS = "labeler"
# The messages that a blind record may have.
EVENTS = frozenset(
    {
        "failed transaction",
        "incident",
        "job",
        "read transaction",
        "scoring step",
        "started",
        "write transaction",
    }
)
_MAX_BYTES = 2_000_000
_OLD_FILES = 3
# A record must reach the file in one write, so that records of other processes don't interleave.
_BUFFER_BYTES = 1 << 20
_MAX_CAUSES = 10
_STANDARD_ATTRIBUTES = frozenset(
    {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "at", "blind"}
)


def log_file() -> Path:
    return Path(platformdirs.user_log_dir(OURS, appauthor=False)) / "labeler.log"


@contextmanager
def log_to_file() -> Iterator[None]:
    """Log to the user's file while the block runs; warnings of libraries go to stderr as well."""
    formatter = LogFormatter()
    handlers = (SharedRotatingFileHandler(log_file()), _StderrHandler())
    ours, root = logging.getLogger(OURS), logging.getLogger()
    with ExitStack() as stack:
        stack.callback(ours.setLevel, ours.level)
        stack.callback(set_blindness, _blindness.is_blind)
        ours.setLevel(logging.INFO)
        for handler in handlers:
            handler.setFormatter(formatter)
            handler.addFilter(_may_be_logged)
            root.addHandler(handler)
            stack.callback(handler.close)
            stack.callback(root.removeHandler, handler)
        yield


def log_debug_records() -> None:
    """Log debug records too, on stderr as well."""
    logging.getLogger(OURS).setLevel(logging.DEBUG)


class _Blindness:
    """Says whether records must be blind, which they are by default."""

    def __init__(self) -> None:
        self.is_blind: Callable[[], bool] = lambda: True


_blindness = _Blindness()


def set_blindness(is_blind: Callable[[], bool]) -> None:
    """Set the function that says, for each record, whether the user must not know targets."""
    _blindness.is_blind = is_blind


def _is_blind(record: logging.LogRecord) -> bool:
    return getattr(record, "blind", False) or _blindness.is_blind()


def _is_ours(record: logging.LogRecord) -> bool:
    """Return whether a module of this program logged it, and not a logger with another name."""
    is_module = record.name in sys.modules
    return is_module and (record.name == OURS or record.name.startswith(f"{OURS}."))


def _may_be_logged(record: logging.LogRecord) -> bool:
    return _is_ours(record) or (record.levelno >= logging.WARNING and not _is_blind(record))


class LogFormatter(logging.Formatter):
    """One line for each record, and indented lines for the error that it is about."""

    def format(self, record: logging.LogRecord) -> str:
        moment = getattr(record, "at", None) or datetime.fromtimestamp(record.created, UTC)
        start = f"{stamp(moment)} {record.levelname} {record.process} {record.name}:{record.lineno}"
        if _is_blind(record):
            return " ".join((start, *_blind_parts(record))) + _blind_error(record)
        return " ".join((start, *_parts(record))) + self._traceback(record)

    def _traceback(self, record: logging.LogRecord) -> str:
        return f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""


def _parts(record: logging.LogRecord) -> list[str]:
    extra = {k: v for k, v in vars(record).items() if k not in _STANDARD_ATTRIBUTES}
    return [record.getMessage(), *(f"{k}={_code_name(v) or v}" for k, v in extra.items())]


def _blind_parts(record: logging.LogRecord) -> list[str]:
    parts = [record.msg] if isinstance(record.msg, str) and record.msg in EVENTS else []
    for name, value in vars(record).items():
        text = _BLIND_FIELDS[name](value) if name in _BLIND_FIELDS else None
        if text is not None:
            parts.append(f"{name}={text}")
    return parts


def _blind_error(record: logging.LogRecord) -> str:
    """The error and its causes, each by its class and the lines of this program that it passed.

    An error's own text may name an image's file, and that often is the target.
    """
    error = record.exc_info[1] if record.exc_info else None
    return "".join(
        f"\n  {_kind(each)}{_places(each)}" for each in islice(_chain(error), _MAX_CAUSES)
    )


def _number(value: object) -> str | None:
    return str(value) if type(value) in (int, float) else None


def _random_id(value: object) -> str | None:
    """The id of a trial, a visit or a session, all of which are UUIDs."""
    try:
        parsed = UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
    # As the study stores it, so that a lead can look it up.
    return str(value) if parsed is not None and value in (parsed.hex, str(parsed)) else None


def _incident_number(value: object) -> str | None:
    with suppress(TypeError, ValueError):
        return bytes.fromhex(value).hex().upper() if isinstance(value, str) else None
    return None


def _program_version(value: object) -> str | None:
    return __version__ if value == __version__ else None


def _code_name(value: object) -> str | None:
    """The name that a function of this program has in its source."""
    function = value.func if isinstance(value, partial) else value
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if not callable(function) or module not in sys.modules or name is None:
        return None
    return f"{module}.{name}" if module.partition(".")[0] == OURS else None


# The fields of a blind record, with what makes their text from a value of the right type.
_BLIND_FIELDS: dict[str, Callable[[object], str | None]] = {
    "chunks": _number,
    "duration_ms": _number,
    "images": _number,
    "incident": _incident_number,
    "job": _code_name,
    "session_id": _random_id,
    "trial_id": _random_id,
    "version": _program_version,
    "visit_id": _random_id,
}


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _places(error: BaseException) -> str:
    frames = (
        (frame.f_globals.get("__name__"), line) for frame, line in walk_tb(error.__traceback__)
    )
    places = [f"{name}:{line}" for name, line in frames if str(name).partition(".")[0] == OURS]
    return f" at {', '.join(places)}" if places else ""


def _kind(error: BaseException) -> str:
    """The error's class, with a detail that is one of a closed set."""
    name = type(error).__name__
    if isinstance(error, UnreadableImage):
        return f"{name} ({error.reason})"
    if isinstance(error, OSError) and error.errno is not None:
        return f"{name} (errno {error.errno})"
    # What SQLite calls it, where it is one of SQLite's.
    sqlite_name = getattr(error, "sqlite_errorname", None)
    return f"{name} ({sqlite_name})" if sqlite_name else name


class _FaultTolerantHandler(logging.Handler):
    """Loses a record that it can't write, for example because the disk is full."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        # The standard message on stderr would quote the record.
        if not isinstance(sys.exc_info()[1], OSError) and not _is_blind(record):
            super().handleError(record)


class _StderrHandler(_FaultTolerantHandler, logging.StreamHandler[TextIO]):
    """Shows a person at a terminal what libraries warn of, and debug records if wanted."""

    def filter(self, record: logging.LogRecord) -> bool:
        is_wanted = not _is_ours(record) or logging.getLogger(OURS).isEnabledFor(logging.DEBUG)
        return is_wanted and bool(super().filter(record))


class SharedRotatingFileHandler(_FaultTolerantHandler, RotatingFileHandler):
    """A rotating file, readable by its owner only, to which several processes may write."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            file,
            maxBytes=_MAX_BYTES,
            backupCount=_OLD_FILES,
            encoding="utf-8",
            delay=True,
            errors="backslashreplace",
        )

    def _open(self) -> TextIOWrapper:
        file = Path(self.baseFilename)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return TextIOWrapper(
            os.fdopen(descriptor, "ab", buffering=_BUFFER_BYTES),
            encoding=self.encoding,
            errors=self.errors,
        )

    def emit(self, record: logging.LogRecord) -> None:
        if self.stream is not None and self._was_rotated(self.stream):
            self._close_stream()
        super().emit(record)

    def _was_rotated(self, stream: TextIOWrapper) -> bool:
        """Whether another process moved the file that is open here."""
        try:
            current = Path(self.baseFilename).stat()
            return not os.path.samestat(current, os.fstat(stream.fileno()))
        except OSError:
            return True

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: ARG002, N802
        try:
            return Path(self.baseFilename).stat().st_size >= self.maxBytes
        except OSError:
            return False

    def doRollover(self) -> None:  # noqa: N802
        """Move the full file away, unless another process does so now or keeps it open."""
        self._close_stream()
        file = Path(self.baseFilename)
        with suppress(OSError), file.with_suffix(".lock").open("ab") as lock:
            # Nothing waits for a lock here: a window must not stop because another one did.
            if try_acquire_lock(lock.fileno()) and file.stat().st_size >= self.maxBytes:
                _rotate(file, count=self.backupCount)

    def _close_stream(self) -> None:
        stream, self.stream = self.stream, None
        with suppress(OSError):
            if stream is not None:
                stream.close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        # What the disk didn't take would be written again, and fail again, with the next record.
        self._close_stream()
        super().handleError(record)


def _rotate(file: Path, *, count: int) -> None:
    # First what can fail: Windows doesn't move a file that another process has open.
    moved = file.replace(file.with_name(f"{file.name}.moving"))
    for number in range(count - 1, 0, -1):
        with suppress(FileNotFoundError):
            file.with_name(f"{file.name}.{number}").replace(f"{file}.{number + 1}")
    moved.replace(f"{file}.1")
