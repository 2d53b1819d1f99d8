"""The demo's simulated annotators: careless ones are excluded, and a second run adds nothing."""

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.progress import NoProgress
from labeler.app.study.studies import open_for_work
from labeler.core.crowd.entities import AnnotationStatus
from labeler.demo.finished_study import SIMULATED_GROUP, run_all_phases
from labeler.demo.people.simulated_work import SimulatedCalendar
from tests.e2e.conftest import Labeler
from tests.e2e.crowd_tables_from_json import EXPECTED
from tests.shared_finished_demo import SMALL, shared_finished_demo

GROUP = replace(SMALL, annotators=SIMULATED_GROUP.annotators)


def run(study: Path) -> None:
    calendar = SimulatedCalendar()
    with open_for_work(study, clock=calendar) as store:
        run_all_phases(store, calendar, GROUP, NoProgress())


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = tmp_path_factory.mktemp("annotated") / "study"
    shutil.copytree(shared_finished_demo(), study)
    run(study)
    return study


def test_both_rounds_are_finished_and_only_careless_annotators_are_excluded(
    labeler: Labeler, annotated: Path
) -> None:
    rounds = labeler("crowd", "rounds", annotated, "--json").json
    assert [(each["task"], each["open"]) for each in rounds] == [
        ("contains", False),
        ("classify", False),
    ]
    assert all(each["finished"] == each["items"] for each in rounds)
    result = labeler("crowd", "aggregate", annotated, "--json").json
    careless = {person.code for person in GROUP.annotators if person.careless}
    excluded = {each["participant"] for each in result["annotators"] if each["excluded"]}
    assert excluded == careless
    assert len(careless) == 2
    assert result["statuses"][AnnotationStatus.CLEAR] > 0
    assert result["objects"].get("2", 0) > 0


def test_what_is_annotated_is_not_annotated_again(
    labeler: Labeler, annotated: Path, tmp_path: Path
) -> None:
    assert labeler("export", annotated, tmp_path / "before").code == 0
    run(annotated)
    assert labeler("export", annotated, tmp_path / "after").code == 0
    for name in ("grids", "contains_answers", "classify_answers"):
        before, after = (tmp_path / run / f"{name}.csv" for run in ("before", "after"))
        assert before.read_bytes() == after.read_bytes()


def test_the_tables_of_annotated_images_agree_with_the_json(
    labeler: Labeler, annotated: Path, tmp_path: Path
) -> None:
    made = labeler("report", annotated, "--out", tmp_path / "out", "--format", "csv,json")
    assert made.code == 0
    crowd = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))["crowd"]
    for key, rows_of in EXPECTED.items():
        with (tmp_path / "out" / "tables" / f"{key}.csv").open(
            encoding="utf-8", newline=""
        ) as file:
            _head, *rows = csv.reader(file)
        assert rows, key
        assert sorted(rows) == sorted(rows_of(crowd)), key
