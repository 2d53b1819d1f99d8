"""What went wrong in a scoring process, as a line, and that line as an error again."""

from labeler.core.errors import EnvironmentFault, LabelerError, RefusedError
from labeler.scoring import wire_protocol
from labeler.scoring.extras import INSTALL_HINT
from labeler.scoring.wire_protocol import FailureKind, WireLine

_GPU_WORDS = ("CUDA", "cuDNN", "cuBLAS", "MPS")


class ScoringDefect(Exception):
    """Something unforeseen in a scoring process: a defect of ours, or of a library."""


def failure_line(error: Exception) -> WireLine:
    """The line that tells an error, with advice where there is some."""
    if isinstance(error, ModuleNotFoundError):
        sentence = f"A package that models need isn't installed ({error})."
        return wire_protocol.failed_line(FailureKind.ENVIRONMENT, f"{sentence} {INSTALL_HINT}")
    if isinstance(error, LabelerError):
        fault = (
            FailureKind.ENVIRONMENT if isinstance(error, EnvironmentFault) else FailureKind.REFUSED
        )
        return wire_protocol.failed_line(fault, str(error), by_command=error.by_command)
    first = (str(error).strip().splitlines() or [""])[0][:300]
    if any(word in first for word in _GPU_WORDS):
        sentence = (
            f"The GPU failed ({first}). What was scored is kept: start it again, with smaller "
            "batches or on the CPU."
        )
        typed = "The same command goes on, with a smaller `--batch-size` or `--device cpu`."
        return wire_protocol.failed_line(FailureKind.ENVIRONMENT, sentence, by_command=typed)
    return wire_protocol.failed_line(FailureKind.DEFECT, f"{type(error).__name__}: {first}")


def error_from_line(line: WireLine) -> Exception:
    """The error that a line told."""
    sentence, typed = str(line["sentence"]), str(line["by_command"])
    match FailureKind(line["fault"]):
        case FailureKind.REFUSED:
            return RefusedError(sentence, by_command=typed)
        case FailureKind.ENVIRONMENT:
            return EnvironmentFault(sentence, by_command=typed)
        case FailureKind.DEFECT:
            return ScoringDefect(sentence)
