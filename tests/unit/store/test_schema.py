"""Every table can be imported from the schema package."""

from pathlib import Path

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

    mapped = {mapper.class_.__name__ for mapper in schema.Base.registry.mappers}
    assert mapped == written
    assert written <= set(schema.__all__)
    assert all(getattr(schema, name).__name__ == name for name in written)
