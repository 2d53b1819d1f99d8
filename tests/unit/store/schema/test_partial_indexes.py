"""Indexes that count evaluations only, on either kind of database."""

import subprocess
import sys

import pytest
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex

from labeler.store.schema import PredictionRow, TrialRow, use_partial_indexes_on_postgresql


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect()])
@pytest.mark.parametrize("row", [TrialRow, PredictionRow])
def test_an_image_may_come_again_outside_of_the_evaluation(row, dialect) -> None:
    use_partial_indexes_on_postgresql()
    (unique,) = (index for index in row.__table__.indexes if index.unique)

    assert "WHERE task = 'evaluate'" in str(CreateIndex(unique).compile(dialect=dialect))


def test_the_schema_comes_without_the_dialect_of_servers() -> None:
    asked = (
        "import labeler.store.study_store, sys;"
        "print('sqlalchemy.dialects.postgresql' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "False"
