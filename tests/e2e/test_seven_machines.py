"""Nine people on computers of their own give the report of the same acts on one computer."""

import json
from pathlib import Path
from random import Random
from typing import Any

from labeler.app.results.report_data import ReportFormat, ReportRequest
from labeler.demo.people.simulated_work import SimulatedCalendar
from labeler.store.exchange.exporter import export_exchange
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.e2e.seven_machines import few_pictures, work_on_one_computer, work_on_seven_computers
from tests.shared_demo import shared_demo
from tests.unit.store.throwaway_server import Server

# When and where it was made.
_OF_ITS_OWN = {"generated_at"}


def report_of(store: StudyStore, out: Path) -> dict[str, Any]:
    from labeler.app.results.report_writer import make_report

    make_report(store, out, request=ReportRequest(), formats=frozenset({ReportFormat.JSON}))
    found: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return {key: value for key, value in found.items() if key not in _OF_ITS_OWN}


def exports_of(store: StudyStore, out: Path) -> dict[str, str]:
    export_exchange(store, out, history=True)
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(out.glob("*.csv"))}


def test_the_report_equals_that_of_the_same_acts_on_one_computer(
    tmp_path: Path, server: Server
) -> None:
    pictures = few_pictures(shared_demo(), tmp_path / "few" / "pictures")
    alone = work_on_one_computer(tmp_path / "alone", pictures)
    laboratory = work_on_seven_computers(
        tmp_path / "together", pictures, server=server.new_database(), random=Random(7)
    )
    with laboratory.lead as together, open_study(alone, clock=SimulatedCalendar()) as one:
        exported = exports_of(together, tmp_path / "a")
        assert exported == exports_of(one, tmp_path / "b")
        assert len(exported["predictions.csv"].splitlines()) > 6 * 20
        assert exported["datasets.csv"].count(",drawing\n") > 1
        assert len(exported["reviews.csv"].splitlines()) > 3 * 20
        assert report_of(together, tmp_path / "c") == report_of(one, tmp_path / "d")
        with together.read() as study:
            assert study.merges.chain_faults() == []
