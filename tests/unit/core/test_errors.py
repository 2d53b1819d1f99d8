"""Errors for people say where, and whose fault it is."""

from pathlib import Path

import pytest

from labeler.core.errors import EnvironmentFault, InputError, LabelerError, RefusedError


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ({}, "labels.csv: it is empty."),
        ({"line": 3}, "labels.csv, line 3: it is empty."),
        ({"line": 3, "column": "wnid"}, "labels.csv, line 3, column wnid: it is empty."),
        ({"column": "wnid"}, "labels.csv, column wnid: it is empty."),
    ],
)
def test_an_input_error_names_the_place_as_closely_as_it_is_known(
    place: dict[str, object], sentence: str
) -> None:
    error = InputError("it is empty.", file=Path("labels.csv"), **place)  # type: ignore[arg-type]

    assert str(error) == sentence
    assert (error.line, error.column) == (place.get("line"), place.get("column"))


def test_bad_input_is_a_refusal_and_a_fault_of_the_machine_is_not() -> None:
    assert issubclass(InputError, RefusedError)
    assert not issubclass(EnvironmentFault, RefusedError)
    assert issubclass(RefusedError, LabelerError)
    assert issubclass(EnvironmentFault, LabelerError)
