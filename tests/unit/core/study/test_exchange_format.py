"""The files of the exchange format, and the header that each must have."""

import pytest

from labeler.core.study.exchange_format import (
    EXCHANGE_FILES,
    MULTILABELS,
    PARTICIPANTS,
    header_problem,
)


def test_the_five_files_have_the_columns_of_version_one():
    assert {file.name: ",".join(file.columns) for file in EXCHANGE_FILES} == {
        "datasets.csv": "dataset,image,target,path,problematic",
        "participants.csv": "participant,kind,description",
        "predictions.csv": "participant,dataset,image,rank,label,score,active_seconds,"
        "wall_seconds,shown_at,escape_hatch,alternative",
        "reviews.csv": "reviewer,dataset,image,label,verdict,kind,stage,at",
        "multilabels.csv": "dataset,image,label,state",
    }


def test_every_key_is_made_of_columns():
    assert all(set(file.key) <= set(file.columns) for file in EXCHANGE_FILES)


@pytest.mark.parametrize("file", EXCHANGE_FILES, ids=lambda file: file.name)
def test_the_columns_may_stand_in_any_order(file):
    assert header_problem(file, list(reversed(file.columns))) is None


def test_names_are_the_one_column_that_may_be_added():
    assert header_problem(PARTICIPANTS, [*PARTICIPANTS.columns, "name"]) is None
    assert header_problem(MULTILABELS, [*MULTILABELS.columns, "name"]) is not None


def test_all_unknown_columns_are_named():
    problem = header_problem(MULTILABELS, [*MULTILABELS.columns, "a", "b"])
    assert problem is not None
    assert problem.column == "a"
    assert "'a', 'b' are unknown" in problem.problem
