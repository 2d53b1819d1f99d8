"""The lead's results: shown once locked, filtered, and traced back to images."""

from pathlib import Path

import pytest
from sqlalchemy import select

from labeler.app.people import add_person
from labeler.app.presenters.results import CHOSEN, Filters, ResultsPresenter, ResultsView
from labeler.app.report.desk import NOT_YET, ResultsDesk
from labeler.app.sampling import freeze_sample
from labeler.app.studies import new_study
from labeler.core.clock import SystemClock
from labeler.core.metrics.vocabulary import Convention, Metric
from labeler.core.sampling import SampleRequest
from labeler.core.study import Occasion, Role
from labeler.store.exchange.importing import import_exchange
from labeler.store.opening import open_study
from labeler.store.schema import ExposureRow
from labeler.store.study import StudyStore
from tests.e2e.golden_study import write_golden
from tests.unit.app.late_runner import LateRunner


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> StudyStore:
    place = tmp_path_factory.mktemp("results")
    with new_study(place / "study", clock=SystemClock(), name="golden", seed=1) as made:
        import_exchange(made, write_golden(place / "files"))
    with open_study(place / "study", clock=SystemClock()) as opened:
        yield opened


class Looking:
    """A lead who looks, and what was shown last."""

    def __init__(self, store: StudyStore) -> None:
        self.runner = LateRunner()
        self.view = ResultsView()
        self.presenter = ResultsPresenter(
            lambda: ResultsDesk(store, "L"), runner=self.runner, told=str
        )
        self.presenter.listen(self._hear)
        self.presenter.open()
        self.runner.finish_all()

    def _hear(self, view: ResultsView) -> None:
        self.view = view

    def cells(self) -> dict[str, tuple[str, ...]]:
        assert self.view.table is not None
        return {row[0]: row[1:] for row in self.view.table.rows}


@pytest.fixture(scope="module")
def looking(store: StudyStore) -> Looking:
    return Looking(store)


def test_the_first_table_has_everybody_by_the_filters(looking: Looking) -> None:
    looking.presenter.choose(Filters())
    assert looking.view.places[0] == CHOSEN
    assert looking.cells()["A"][:3] == ("human", "100.0 [39.8, 100.0]", "4")
    looking.presenter.choose(Filters(metric=Metric.TOP1, subset="dogs"))
    assert looking.cells()["A"][1].startswith("50.0 [")
    looking.presenter.choose(Filters(convention=Convention.UNCLEAR_COUNTS))
    assert looking.cells()["B"][1].startswith("100.0 [")


def test_filters_that_fit_nobody_say_so(looking: Looking) -> None:
    looking.presenter.choose(Filters(metric=Metric.TOP5, convention=Convention.UNCLEAR_COUNTS))
    assert looking.cells() == {}
    assert "Nobody" in looking.view.note


def test_a_row_leads_to_its_images_with_answers_and_verdicts(looking: Looking) -> None:
    looking.presenter.choose(Filters(metric=Metric.TOP1))
    looking.presenter.look_behind("A")
    assert looking.view.images is not None
    first = looking.view.images.rows[0]
    assert first[-1] == "wrong"
    by_image = {row[1]: row for row in looking.view.images.rows}
    # Problematic and without a correct label: neither is in any accuracy.
    assert set(by_image) == {"o1", "o2", "o3", "o4", "n1", "n2", "n3"}
    assert by_image["o2"][2:] == ("beagle", "pug", "correct", "wrong")
    assert by_image["n1"][4:] == ("not judged", "wrong")


def test_figures_and_tables_are_places_to_look_at(looking: Looking) -> None:
    looking.presenter.look_at(len(looking.view.places) - 1)
    assert looking.view.table is None
    assert looking.view.figure is not None
    assert looking.view.figure.startswith(b"\x89PNG")
    looking.presenter.look_at(1)
    assert looking.view.title == "Datasets"


def test_a_further_subset_is_computed_and_chosen(store: StudyStore) -> None:
    looking = Looking(store)
    looking.presenter.add_subset("subtree:n02087122")
    looking.runner.finish_all()
    assert looking.view.filters.subset == "subtree:n02087122"
    assert looking.cells()["A"][1].startswith("100.0 [")
    looking.presenter.add_subset("subtree:n00000000")
    looking.runner.finish_all()
    assert "n00000000" in looking.view.told
    assert looking.view.ready


def test_the_report_is_exported(looking: Looking, tmp_path: Path) -> None:
    looking.presenter.export(tmp_path / "out")
    looking.runner.finish_all()
    assert looking.view.told.startswith("Wrote ")
    assert (tmp_path / "out" / "report.html").exists()


def test_nothing_is_shown_before_the_evaluation_is_locked(tmp_path: Path) -> None:
    with new_study(tmp_path / "study", clock=SystemClock(), name="open", seed=1) as store:
        view = Looking(store).view
    assert not view.ready
    assert view.sentence == NOT_YET


def test_a_lead_who_labels_counts_as_having_seen_the_sample(tmp_path: Path) -> None:
    with new_study(tmp_path / "study", clock=SystemClock(), name="golden", seed=1) as store:
        import_exchange(store, write_golden(tmp_path / "files"))
        add_person(store, "L", roles=[Role.LEAD, Role.LABELER])
        freeze_sample(store, SampleRequest(("original", "new"), 1, 1, 2), allow_shortage=True)
        for _ in range(2):
            ResultsDesk(store, "L").read(())
        with store.read() as study:
            seen = study.session.scalars(select(ExposureRow.occasion)).all()
            sampled = study.samples.size()
    assert seen == [Occasion.DECLARED] * sampled
    assert sampled > 0
