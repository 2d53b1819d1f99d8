"""Other people's files come into a study whole or not at all, however damaged they are."""

import io
import pickle
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labeler.app.exchange.file_import import preview_file_import, run_file_import
from labeler.app.progress import NoProgress
from labeler.app.runner import JobCancelled
from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.errors import InputError, RefusedError
from labeler.core.study.exchange_format import DATASETS, EXCHANGE_FILES
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.exchange.exporter import export_exchange
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, create_database
from tests.long_tests import LONG
from tests.unit.formats.paper import MARMOT, VAL_1, paper, written
from tests.unit.store.exchange.conftest import small_taxonomy, table_counts

Contents = dict[str, bytes]


def made(file: Path, **taxonomy: Any) -> Path:
    create_database(
        sqlite_url(file), name="s", seed=1, program_version="t", clock=SystemClock(), **taxonomy
    )
    return file


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty study's database over ImageNet's classes, made once."""
    return made(tmp_path_factory.mktemp("empty") / "study.db", taxonomy=load_default())


@contextmanager
def opened(empty: Path, folder: Path) -> Iterator[StudyStore]:
    folder.mkdir()
    place = StudyFolder(folder)
    shutil.copy(empty, place.database)
    with StudyStore(place, Database(sqlite_url(place.database)), SystemClock()) as store:
        yield store


def exported(store: StudyStore, folder: Path) -> Contents:
    export_exchange(store, folder)
    return {file.name: (folder / file.name).read_bytes() for file in EXCHANGE_FILES}


def imported(empty: Path, folder: Path, content: bytes) -> tuple[Contents | None, str]:
    """What the study holds after the file came in, or the refusal and that it holds nothing."""
    file = folder / "human_accuracy.pickle"
    file.write_bytes(content)
    with opened(empty, folder / "study") as store:
        before = table_counts(store)
        try:
            run_file_import(store, [file], NoProgress())
        except InputError as refused:
            assert table_counts(store) == before, "nothing is written of what is refused"
            return None, str(refused)
        return exported(store, folder / "out"), ""


def test_someone_without_answers_is_in_the_coverage(empty: Path, tmp_path: Path) -> None:
    """The report counts people by their answers, and would leave this one out."""
    content = paper()
    content["annot_data"]["human_b"] = {}
    file = written(tmp_path, content)
    with opened(empty, tmp_path / "study") as store:
        run_file_import(store, [file], NoProgress())
        with store.read() as study:
            answers = study.report_answers.read()
    assert answers.silent == ("human_b",)
    assert "human_a" in answers.participants


class Strict(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")


@settings(max_examples=600 if LONG else 25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_damaged_pickle_comes_in_as_what_it_says_or_is_refused_by_name(
    empty: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = pickle.dumps(paper())
    place = data.draw(st.integers(0, len(whole)), label="place")
    gone = data.draw(st.integers(0, 2), label="gone")
    damaged = whole[:place] + data.draw(st.binary(max_size=2)) + whole[place + gone :]
    folder = tmp_path_factory.mktemp("damaged")
    contents, refusal = imported(empty, folder, damaged)
    if contents is None:
        assert refusal.startswith(str(folder / "human_accuracy.pickle"))
        assert damaged != whole, "what is whole comes in"
        return
    # Bytes may have changed within a name: then that is what the file says.
    meant = Strict(io.BytesIO(damaged), encoding="latin-1").load()
    anew = tmp_path_factory.mktemp("meant")
    assert contents == imported(empty, anew, pickle.dumps(meant))[0]
    if meant == paper():
        same = tmp_path_factory.mktemp("whole")
        assert contents == imported(empty, same, whole)[0]


def test_no_beginning_of_a_pickle_passes_for_the_whole(empty: Path, tmp_path: Path) -> None:
    whole = pickle.dumps(paper())
    for length in range(0, len(whole), 97):
        folder = tmp_path / str(length)
        folder.mkdir()
        contents, refusal = imported(empty, folder, whole[:length])
        assert contents is None
        assert str(folder / "human_accuracy.pickle") in refusal


def test_a_study_of_other_classes_refuses_what_speaks_of_imagenets(tmp_path: Path) -> None:
    small = made(tmp_path / "small.db", taxonomy=small_taxonomy())
    with (
        opened(small, tmp_path / "study") as store,
        pytest.raises(RefusedError, match="is about ImageNet's 1,000 classes"),
    ):
        preview_file_import(store, [written(tmp_path, paper())], NoProgress())


class Impatient:
    """Stops the work at its nth step."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def start(self, what: str, total: int | None) -> None:
        pass

    def advance(self, steps: int = 1) -> None:  # noqa: ARG002
        self._left -= 1
        if self._left < 0:
            raise JobCancelled


@pytest.mark.parametrize("steps", range(6))
def test_whoever_stops_an_import_finds_the_study_as_it_was(
    empty: Path, tmp_path: Path, steps: int
) -> None:
    with opened(empty, tmp_path / "study") as store:
        before = table_counts(store)
        with pytest.raises(JobCancelled):
            run_file_import(store, [written(tmp_path, paper())], Impatient(steps))
        assert table_counts(store) == before


def test_what_was_seen_is_what_comes_in(empty: Path, tmp_path: Path) -> None:
    file = written(tmp_path, paper())
    with opened(empty, tmp_path / "study") as store:
        seen = preview_file_import(store, [file], NoProgress())
        came = run_file_import(store, [file], NoProgress())
        assert tuple(each.would for each in seen.preview.files) == came.files
        assert seen.notes == came.notes
        again = preview_file_import(store, [file], NoProgress())
    assert again.preview.added == 0
    assert seen.preview.files[0].rows[0][:3] == ("imagenet", VAL_1, MARMOT)
    assert seen.preview.files[0].file == DATASETS.name
