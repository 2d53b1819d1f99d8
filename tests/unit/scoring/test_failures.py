"""An error leaves a scoring process as it came up: its sentence, whose fault, what to type."""

import pytest

from labeler.core.errors import EnvironmentFault, LabelerError, RefusedError
from labeler.scoring.failures import error_from_line, failure_line


@pytest.mark.parametrize(
    "error",
    [
        RefusedError("No such device.", by_command="`--device cpu` is one."),
        RefusedError("No such model."),
        EnvironmentFault("It doesn't fit.", by_command="`--batch-size 4` may."),
    ],
)
def test_an_error_survives_its_way_out_of_a_process(error: LabelerError) -> None:
    result = error_from_line(failure_line(error))
    assert isinstance(result, type(error))
    assert (str(result), result.typed) == (str(error), error.typed)


def test_a_gpu_that_fails_becomes_advice() -> None:
    result = error_from_line(
        failure_line(RuntimeError("CUDA error: an illegal memory access\nmore of it"))
    )
    assert isinstance(result, EnvironmentFault)
    assert "smaller batches or on the CPU" in str(result)
    assert "--device cpu" in result.typed
