"""Figures are drawn only as what is wanted, and look the same whatever else is drawn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from labeler.app.results.report_data import ReportFormat, ReportRequest
from labeler.app.results.report_writer import make_report
from labeler.store.study_store import StudyStore
from tests.results_study import golden_store

SVG, PNG = ReportFormat.SVG, ReportFormat.PNG


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyStore]:
    with golden_store(tmp_path_factory.mktemp("pictures")) as made:
        yield made


@dataclass(frozen=True)
class WrittenReport:
    """The files of a report's figures by name, and the formats that were drawn for it."""

    files: dict[str, bytes]
    drawn: set[str]


@pytest.fixture(scope="module")
def written(
    store: StudyStore, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., WrittenReport]:
    """Write a report in some formats; each choice of formats is written once."""

    @cache
    def write(*formats: ReportFormat) -> WrittenReport:
        out = tmp_path_factory.mktemp("report")
        with drawn_formats() as drawn:
            make_report(store, out, request=ReportRequest(), formats=frozenset(formats))
        files = {file.name: file.read_bytes() for file in (out / "figures").glob("*")}
        return WrittenReport(files, drawn)

    return write


@contextmanager
def drawn_formats() -> Iterator[set[str]]:
    drawn: set[str] = set()
    save = Figure.savefig

    def noting(figure: Figure, to: object, **given: object) -> None:
        drawn.add(str(given["format"]))
        save(figure, to, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "savefig", noting)
        yield drawn


@pytest.mark.parametrize(
    ("wanted", "drawn"),
    [
        (SVG, {"svg"}),
        (PNG, {"png"}),
        (ReportFormat.HTML, {"svg"}),
        (ReportFormat.CSV, set()),
    ],
)
def test_only_what_the_formats_show_is_drawn(
    written: Callable[..., WrittenReport], wanted: ReportFormat, drawn: set[str]
) -> None:
    report = written(wanted)
    assert report.drawn == drawn
    assert {Path(name).suffix for name in report.files} <= {f".{wanted}"}


def test_a_figure_is_the_same_alone_and_next_to_another(
    written: Callable[..., WrittenReport],
) -> None:
    both = written(SVG, PNG).files
    alone = {**written(SVG).files, **written(PNG).files}
    assert alone.keys() == both.keys()
    assert [name for name, data in both.items() if alone[name] != data] == []
