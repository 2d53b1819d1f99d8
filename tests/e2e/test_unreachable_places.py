"""A place that the system refuses is reported in a sentence, whichever command is given it."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Labeler

TOO_LONG = "x" * 300
COMMANDS = (
    ("new", "PLACE"),
    ("check", "PLACE"),
    ("export", "PLACE", "out"),
    ("export", "STUDY", "PLACE"),
    ("import", "STUDY", "PLACE"),
    ("add-dataset", "STUDY", "val", "PLACE"),
    ("add-dataset", "STUDY", "val", "STUDY", "--labels", "PLACE"),
    ("references", "STUDY", "PLACE"),
    ("relocate", "STUDY", "val", "PLACE"),
    ("real", "STUDY", "PLACE"),
    ("report", "STUDY", "--out", "PLACE", "--format", "json"),
    ("report", "STUDY", "--out", "out", "--format", "json", "--groups", "PLACE"),
    ("import-predictions", "STUDY", "PLACE", "--model=m", "--dataset=val", "--order=study"),
    ("guide", "check", "--folder", "PLACE"),
    ("taxonomy", "build", "--wordnet", "PLACE", "--classes", "PLACE"),
)


@pytest.fixture
def study(labeler: Labeler, tmp_path: Path) -> Path:
    listed = tmp_path / "datasets.csv"
    listed.write_text("dataset,image,target,path,problematic\nval,a.JPEG,n01440764,,\n")
    assert labeler("new", tmp_path / "study").code == 0
    assert labeler("import", tmp_path / "study", listed).code == 0
    return tmp_path / "study"


def message(labeler: Labeler, command: tuple[str, ...], study: Path, place: Path) -> str:
    """What the command says, having failed with a sentence of one line."""
    places = {"STUDY": str(study), "PLACE": str(place), "out": str(study.parent / "out")}
    outcome = labeler(*(places.get(word, word) for word in command))
    assert outcome.code == 1, outcome.err
    assert outcome.err.count("\n") == 1
    assert "incident" not in outcome.err
    return outcome.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_name_that_is_too_long_is_told(
    labeler: Labeler, tmp_path: Path, study: Path, command: tuple[str, ...]
) -> None:
    assert "too long" in message(labeler, command, study, tmp_path / TOO_LONG)


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that no one may enter, not even root."""
    folder = tmp_path / "closed"
    folder.mkdir()

    def guarded(call):  # type: ignore[no-untyped-def]
        def asked(path, *arguments, **options):  # type: ignore[no-untyped-def]
            if not isinstance(path, int) and str(path).startswith(f"{folder}{os.sep}"):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return call(path, *arguments, **options)

        return asked

    for name in ("stat", "scandir", "mkdir"):
        monkeypatch.setattr(os, name, guarded(getattr(os, name)))
    monkeypatch.setattr("io.open", guarded(open))
    monkeypatch.setattr("builtins.open", guarded(open))
    yield folder
    monkeypatch.undo()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_folder_that_may_not_be_entered_is_told(
    labeler: Labeler, study: Path, closed: Path, command: tuple[str, ...]
) -> None:
    sentence = message(labeler, command, study, closed / "within")
    assert "no permission" in sentence or "Permission denied" in sentence
