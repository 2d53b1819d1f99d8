"""What went wrong in a scoring process, as a line, and that line as an error again."""

from labeler.core.errors import EnvironmentFault, LabelerError, Refused
from labeler.scoring import lines
from labeler.scoring.extras import HOW_TO_INSTALL
from labeler.scoring.lines import Fault, Line

_GPU_WORDS = ("CUDA", "cuDNN", "cuBLAS", "MPS")


class ScoringDefect(Exception):
    """Something unforeseen in a scoring process: a defect of ours, or of a library."""


def failure(error: Exception) -> Line:
    """The line that tells an error, with advice where there is some."""
    if isinstance(error, ModuleNotFoundError):
        return lines.failed_line(Fault.ENVIRONMENT, f"{HOW_TO_INSTALL} ({error})")
    if isinstance(error, EnvironmentFault):
        return lines.failed_line(Fault.ENVIRONMENT, str(error))
    if isinstance(error, LabelerError):
        return lines.failed_line(Fault.REFUSED, str(error))
    first = (str(error).strip().splitlines() or [""])[0][:300]
    if any(word in first for word in _GPU_WORDS):
        sentence = (
            f"The GPU failed ({first}). What was scored is kept: run the same command again, with "
            "a smaller --batch-size or with --device cpu."
        )
        return lines.failed_line(Fault.ENVIRONMENT, sentence)
    return lines.failed_line(Fault.DEFECT, f"{type(error).__name__}: {first}")


def error_of(line: Line) -> Exception:
    """The error that a line told."""
    sentence = str(line["sentence"])
    match Fault(line["fault"]):
        case Fault.REFUSED:
            return Refused(sentence)
        case Fault.ENVIRONMENT:
            return EnvironmentFault(sentence)
        case Fault.DEFECT:
            return ScoringDefect(sentence)
