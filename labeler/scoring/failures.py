"""Errors of a worker process in a form that can be sent to the parent process."""

from labeler.core.errors import EnvironmentFault, LabelerError, RefusedError
from labeler.scoring.extras import INSTALL_HINT

_GPU_LIBRARIES = ("CUDA", "cuDNN", "cuBLAS", "MPS")
_MAX_LENGTH = 300

PACKAGE_MISSING = "A package that scoring needs isn't installed ({error})."
GPU_FAILED = (
    "The GPU failed ({error}). The images scored so far are saved. Start the scoring again with a "
    "smaller batch size or on the CPU."
)
GPU_FAILED_COMMAND = "Run the same command with a smaller `--batch-size` or with `--device cpu`."


class ScoringDefect(Exception):
    """An unexpected error in a worker process: a bug in labeler or in a library."""


ScoringFailure = LabelerError | ScoringDefect


def scoring_failure(error: Exception) -> ScoringFailure:
    """Return the error with advice where there is some, as a type that can be pickled."""
    if isinstance(error, ModuleNotFoundError):
        return EnvironmentFault(f"{PACKAGE_MISSING.format(error=error)} {INSTALL_HINT}")
    if isinstance(error, LabelerError):
        # Subclasses with further required arguments can't be unpickled.
        kind = EnvironmentFault if isinstance(error, EnvironmentFault) else RefusedError
        return kind(str(error), by_command=error.by_command)
    first_line = (str(error).strip().splitlines() or [""])[0][:_MAX_LENGTH]
    if any(library in first_line for library in _GPU_LIBRARIES):
        return EnvironmentFault(GPU_FAILED.format(error=first_line), by_command=GPU_FAILED_COMMAND)
    return ScoringDefect(f"{type(error).__name__}: {first_line}")
