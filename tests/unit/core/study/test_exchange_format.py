"""The files of the exchange format, and the header that each must have."""

import pytest

from labeler.core.study.exchange_format import (
    EXCHANGE_FILES,
    MULTILABELS,
    PARTICIPANTS,
    header_problem,
)


def test_the_files_of_version_1_still_need_only_its_columns():
    assert {file.name: ",".join(file.columns) for file in EXCHANGE_FILES[:5]} == {
        "datasets.csv": "dataset,image,target,path,problematic",
        "participants.csv": "participant,kind,description",
        "predictions.csv": "participant,dataset,image,rank,label,score,active_seconds,"
        "wall_seconds,shown_at,escape_hatch,alternative",
        "reviews.csv": "reviewer,dataset,image,label,verdict,kind,stage,at",
        "multilabels.csv": "dataset,image,label,state",
    }


def test_version_2_adds_columns_after_those_of_version_1_and_files():
    added = {file.name: ",".join(file.exported) for file in EXCHANGE_FILES}
    assert added["predictions.csv"].endswith(
        "alternative,confidence,known_image,note,committed_at,revision"
    )
    assert added["reviews.csv"].endswith("at,origin,step,active_seconds,note,revision")
    assert added["adjudications.csv"] == "by,dataset,image,label,verdict,stage,note,at"
    assert added["flags.csv"] == "participant,dataset,image,reason,note,at,withdrawn_at"
    assert added["repeats.csv"] == f"{added['predictions.csv']},asking"
    assert added["intervals.csv"] == "participant,dataset,image,number,place,started_ms,ended_ms"
    assert added["error_reviews.csv"] == "reviewer,dataset,image,label,mistake,category,severity,at"


def test_every_key_is_made_of_columns():
    assert all(set(file.key) <= {*file.columns, *file.last} for file in EXCHANGE_FILES)


@pytest.mark.parametrize("file", EXCHANGE_FILES, ids=lambda file: file.name)
def test_the_columns_may_stand_in_any_order(file):
    assert header_problem(file, [*file.last, *reversed(file.columns)]) is None


def test_names_are_the_one_column_that_may_be_added():
    assert header_problem(PARTICIPANTS, [*PARTICIPANTS.columns, "name"]) is None
    assert header_problem(MULTILABELS, [*MULTILABELS.columns, "name"]) is not None


def test_all_unknown_columns_are_named():
    problem = header_problem(MULTILABELS, [*MULTILABELS.columns, "a", "b"])
    assert problem is not None
    assert problem.column == "a"
    assert "'a', 'b' are unknown" in problem.problem
