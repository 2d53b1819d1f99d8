"""Parquet files are read and refused by the same rules as CSV files."""

import sys
from pathlib import Path

import pandas as pd
import pytest

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.study.exchange_format import PREDICTIONS
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.files import find_in_folder, find_single_files
from labeler.store.exchange.importer import import_exchange, import_found_files
from labeler.store.exchange.parquet.library import PYARROW_MISSING
from labeler.store.exchange.preview import preview_files
from labeler.store.study_store import StudyStore


@pytest.fixture
def exported(filled: StudyStore, tmp_path: Path) -> Path:
    export_exchange(filled, tmp_path / "exported", history=True, parquet=True)
    return tmp_path / "exported"


def take(store: StudyStore, *paths: Path) -> int:
    found = find_single_files(paths)
    files = import_found_files(
        store, found, origin=paths[0], progress=lambda _file, _done, _all: None
    )
    return sum(file.added for file in files)


def test_columns_have_types(exported: Path) -> None:
    table = pd.read_parquet(exported / "predictions.parquet")
    assert table["rank"].dtype == "int64"
    assert table["escape_hatch"].dtype == "bool"
    assert table["active_seconds"].tolist()[0] == 12.34
    assert table["score"].isna().sum() == 2


def test_reviews_keep_every_vote_with_its_origin(exported: Path) -> None:
    table = pd.read_parquet(exported / "reviews.parquet")
    assert len(table) == 4
    assert set(table["origin"]) == {"added", "proposed"}


def test_a_table_of_pandas_is_read_under_any_name(
    filled: StudyStore, exported: Path, study: StudyStore, tmp_path: Path
) -> None:
    for name in ("datasets", "participants"):
        take(study, exported / f"{name}.parquet")
    table = pd.read_parquet(exported / "predictions.parquet")
    table["confidence"] = table["confidence"].astype("float64")
    table["shown_at"] = pd.to_datetime(table["shown_at"], utc=True, format="ISO8601")
    table.to_parquet(tmp_path / "mine.bin", index=False)
    assert take(study, tmp_path / "mine.bin") == 5


def test_the_rows_of_both_kinds_of_file_are_the_same(
    study: StudyStore, filled: StudyStore, exported: Path, tmp_path: Path
) -> None:
    import_exchange(study, exported)
    export_exchange(filled, tmp_path / "csv", history=True)
    assert all(file.added == 0 for file in import_exchange(study, tmp_path / "csv").files)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("label", "n99999999", "row 2, column label: 'n99999999' is not a class"),
        ("image", "no such", "row 2, column image: 'no such' is not an image"),
        ("participant", "stranger", "row 2, column participant: 'stranger' is not a participant"),
        ("score", 1.5, "row 2, column score: '1.5' is not a probability"),
        ("note", "a\0b", "row 2, column note: 'a\\x00b' contains a NUL character"),
    ],
)
def test_an_error_names_the_row(
    filled: StudyStore, exported: Path, column: str, value: object, message: str
) -> None:
    table = pd.read_parquet(exported / "predictions.parquet")
    table.loc[1, column] = value
    table.to_parquet(exported / "predictions.parquet", index=False)
    with pytest.raises(InputError) as refused:
        take(filled, exported / "predictions.parquet")
    assert f"predictions.parquet, {message}" in str(refused.value)


def test_a_row_that_occurs_twice_is_refused(study: StudyStore, exported: Path) -> None:
    for name in ("datasets", "participants"):
        take(study, exported / f"{name}.parquet")
    table = pd.read_parquet(exported / "predictions.parquet").iloc[[2, 3, 2]]
    table.to_parquet(exported / "predictions.parquet", index=False)
    with pytest.raises(InputError, match=r"row 3, column revision: .* as on row 1"):
        take(study, exported / "predictions.parquet")


def test_a_damaged_file_is_refused(study: StudyStore, exported: Path) -> None:
    file = exported / "predictions.parquet"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(InputError, match="not a valid Parquet file"):
        take(study, file)


def test_a_column_of_lists_is_refused(filled: StudyStore, exported: Path) -> None:
    table = pd.read_parquet(exported / "predictions.parquet")
    table["label"] = [["n00000001"]] * len(table)
    table.to_parquet(exported / "predictions.parquet", index=False)
    with pytest.raises(InputError, match="the column label has the type list"):
        take(filled, exported / "predictions.parquet")


def test_an_unknown_column_is_refused(filled: StudyStore, exported: Path) -> None:
    table = pd.read_parquet(exported / "predictions.parquet")
    table.assign(mood="good").to_parquet(exported / "predictions.parquet", index=False)
    with pytest.raises(InputError, match="'mood' is unknown"):
        take(filled, exported / "predictions.parquet")


def test_the_same_table_twice_in_a_folder_is_refused(filled: StudyStore, exported: Path) -> None:
    export_exchange(filled, exported)
    with pytest.raises(RefusedError, match="choose one of them"):
        find_in_folder(exported)


def test_a_preview_shows_what_would_be_imported(study: StudyStore, exported: Path) -> None:
    seen = preview_files(study, find_in_folder(exported), progress=lambda _file, _done, _all: None)
    assert seen.faults == ()
    assert seen.models == ("resnet",)
    rows = {file.file: len(file.rows) for file in seen.files}
    assert rows[PREDICTIONS.name] == 5


def test_without_pyarrow_the_message_says_what_to_install(
    study: StudyStore, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(EnvironmentFault) as missing:
        take(study, exported / "datasets.parquet")
    assert PYARROW_MISSING in str(missing.value)
