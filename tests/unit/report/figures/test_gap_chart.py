"""The figure of the gaps shows what its table says, and names as many models as have room."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from labeler.app.progress import NoProgress
from labeler.app.results.results_data import ResultsReader, StudyResults
from labeler.core.metrics.gap_intervals import GapGroup, GapStatistics
from labeler.core.metrics.subsets import ALL
from labeler.core.study.entities import ParticipantKind, Role
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.figures.figure import AxesLimits, figure_style
from labeler.report.figures.gap_chart import draw_gaps
from labeler.report.gap_tables import GROUP_TITLES, participants_table
from tests.results_study import golden_store


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyResults]:
    with golden_store(tmp_path_factory.mktemp("gaps")) as store:
        yield ResultsReader(store, "L", Role.LEAD).read(NoProgress())


def cells_with(results: StudyResults, statistics: GapStatistics) -> AccuracyIndex:
    contents = results.contents
    return AccuracyIndex(
        replace(contents, numbers=replace(contents.numbers, gap_statistics=statistics))
    )


def of_many_models(results: StudyResults, count: int) -> AccuracyIndex:
    """Models whose gaps are 0, 1, 2 … points, besides the humans."""
    statistics = results.contents.numbers.gap_statistics
    people = [p for p in statistics.participants if p.kind is ParticipantKind.HUMAN]
    model = next(
        p
        for p in statistics.participants
        if p.kind is ParticipantKind.MODEL and p.metric is results.cells.main_metric
    )
    models = (
        replace(model, participant=f"model {n:02}", gap=n / 100, ci_low=n / 110, ci_high=n / 90)
        for n in range(count)
    )
    return cells_with(results, replace(statistics, participants=(*people, *models)))


def test_every_row_has_the_gap_of_the_table_and_the_means_come_first(results: StudyResults) -> None:
    with figure_style():
        drawn = draw_gaps(results.cells)
    assert drawn is not None
    shown = [mark.words.split("\n") for mark in drawn.marks]
    means = set(GROUP_TITLES.values())
    assert [words for words in shown if words[0] not in means] == [
        [row[0], row[2]] for row in participants_table(results.cells).rows
    ]
    kinds = [words[0] for words in shown if words[0] in means]
    assert kinds == [GROUP_TITLES[GapGroup.HUMANS], GROUP_TITLES[GapGroup.MODELS]]
    assert shown[0][0] == kinds[0]
    means_drawn = {mark.words.split("\n")[0]: mark.x for mark in drawn.marks}
    for row in results.contents.numbers.gap_statistics.groups:
        if (row.metric, row.subset) == (results.cells.main_metric, ALL) and row.group in (
            GapGroup.HUMANS,
            GapGroup.MODELS,
        ):
            assert means_drawn[GROUP_TITLES[row.group]] == 100 * row.gap


def test_of_many_models_the_extremes_are_named_and_others_where_there_is_room(
    results: StudyResults,
) -> None:
    with figure_style():
        drawn = draw_gaps(of_many_models(results, 72))
        assert drawn is not None
        axes = drawn.figure.axes[0]
        extremes = {0, 1, 2, 69, 70, 71}
        named = [label.get_text() for label in axes.get_yticklabels()]
        assert {"A", "B", "C"} < set(named)
        assert {name for name in named if name.startswith("model")} == {
            f"model {n:02}" for n in extremes
        }
        assert drawn.figure.get_figheight() < 9
        middle = next(mark.y for mark in drawn.marks if mark.words.startswith("model 35"))
        axes.set(ylim=(middle + 1, middle - 1))
        drawn.rename(AxesLimits(-5, 80, middle + 1, middle - 1))
        assert "model 35" in [label.get_text() for label in axes.get_yticklabels()]


def test_without_gaps_nothing_is_drawn(results: StudyResults) -> None:
    assert draw_gaps(cells_with(results, GapStatistics())) is None
