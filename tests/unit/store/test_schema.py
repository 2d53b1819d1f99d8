"""The tables are mapped when they are asked for, and all of them can be had."""

import subprocess
import sys
from pathlib import Path

import pytest

from labeler.store import schema

_SUBJECTS = Path(schema.__file__).parent


def test_every_table_of_every_subject_can_be_asked_for() -> None:
    files = [file for file in _SUBJECTS.glob("*.py") if file.stem not in ("__init__", "base")]
    written = {
        line.removeprefix("class ").partition("(")[0]
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("class ") and "(Base)" in line
    }

    schema.know_all()

    mapped = {mapper.class_.__name__ for mapper in schema.Base.registry.mappers}
    assert mapped == written
    assert written <= set(schema.__all__)
    assert all(getattr(schema, name).__name__ == name for name in written)


def test_what_is_no_table_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="NoSuchRow"):
        _ = schema.NoSuchRow


def test_one_table_is_mapped_without_the_others() -> None:
    asked = "from labeler.store.schema import ClassRow, Base; print(*Base.metadata.tables)"
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert "class" in run.stdout.split()
    assert "session" not in run.stdout.split()
