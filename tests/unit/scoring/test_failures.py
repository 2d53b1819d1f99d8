"""An error leaves a worker process with its message, its kind and its advice."""

import pickle

import pytest

from labeler.core.errors import EnvironmentFault, InputError, LabelerError, RefusedError
from labeler.scoring.extras import INSTALL_HINT
from labeler.scoring.failures import (
    GPU_FAILED,
    GPU_FAILED_COMMAND,
    ScoringDefect,
    ScoringFailure,
    scoring_failure,
)


def sent(error: Exception) -> ScoringFailure:
    """Return the error as the parent process receives it."""
    received: ScoringFailure = pickle.loads(pickle.dumps(scoring_failure(error)))
    return received


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RefusedError("No such device.", by_command="Use `--device cpu`."), RefusedError),
        (RefusedError("No such model."), RefusedError),
        (InputError("not a wnid.", file="classes.txt", line=3), RefusedError),
        (EnvironmentFault("Out of memory.", by_command="`--batch-size 4`"), EnvironmentFault),
    ],
)
def test_an_error_reaches_the_parent_process(error: LabelerError, kind: type) -> None:
    received = sent(error)
    assert isinstance(received, kind)
    assert isinstance(received, LabelerError)
    assert (str(received), received.typed) == (str(error), error.typed)


def test_a_gpu_error_becomes_advice() -> None:
    received = sent(RuntimeError("CUDA error: an illegal memory access\nmore of it"))
    assert isinstance(received, EnvironmentFault)
    assert str(received) == GPU_FAILED.format(error="CUDA error: an illegal memory access")
    assert received.by_command == GPU_FAILED_COMMAND


def test_a_missing_package_comes_with_the_command_to_install_it() -> None:
    received = sent(ModuleNotFoundError("No module named 'timm'"))
    assert isinstance(received, EnvironmentFault)
    assert INSTALL_HINT in str(received)


def test_any_other_error_is_a_defect() -> None:
    received = sent(ValueError("first line\nsecond line"))
    assert isinstance(received, ScoringDefect)
    assert str(received) == "ValueError: first line"
