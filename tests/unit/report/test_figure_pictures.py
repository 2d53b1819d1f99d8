"""Figures are drawn only as what is wanted, and look the same whatever else is drawn."""

from collections.abc import Iterator
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


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """As what figures were drawn so far."""
    kinds: set[str] = set()
    save = Figure.savefig

    def noting(figure: Figure, to: object, **given: object) -> None:
        kinds.add(str(given["format"]))
        save(figure, to, **given)

    monkeypatch.setattr(Figure, "savefig", noting)
    return kinds


def written(store: StudyStore, out: Path, *formats: ReportFormat) -> dict[str, bytes]:
    """The figures' files of a report."""
    make_report(store, out, request=ReportRequest(), formats=frozenset(formats))
    return {file.name: file.read_bytes() for file in (out / "figures").glob("*")}


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
    store: StudyStore, tmp_path: Path, painted: set[str], wanted: ReportFormat, drawn: set[str]
) -> None:
    files = written(store, tmp_path, wanted)
    assert painted == drawn
    assert {Path(name).suffix for name in files} <= {f".{wanted}"}


def test_a_figure_is_the_same_alone_and_beside_another(store: StudyStore, tmp_path: Path) -> None:
    both = written(store, tmp_path / "both", SVG, PNG)
    alone = {
        **written(store, tmp_path / "svg", SVG),
        **written(store, tmp_path / "png", PNG),
    }
    assert alone.keys() == both.keys()
    assert [name for name, data in both.items() if alone[name] != data] == []
