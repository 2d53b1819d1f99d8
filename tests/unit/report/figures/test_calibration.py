"""The figures of confidence and probability show each step and bin, and name their images."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from labeler.app.progress import NoProgress
from labeler.app.results.results_data import ResultsReader, StudyResults
from labeler.core.metrics.calibration import ConfidenceStep, ReliabilityBin
from labeler.core.study.entities import Role
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.figures.calibration import draw_confidence, draw_reliability
from labeler.report.figures.figure import FEWEST_IMAGES, figure_style
from tests.results_study import golden_store


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyResults]:
    with golden_store(tmp_path_factory.mktemp("calibration")) as store:
        yield ResultsReader(store, "L", Role.LEAD).read(NoProgress())


def cells_with(results: StudyResults, **changes: object) -> AccuracyIndex:
    contents = results.contents
    numbers = replace(contents.numbers, **changes)  # type: ignore[arg-type]
    return AccuracyIndex(replace(contents, numbers=numbers))


def step(results: StudyResults, confidence: int, total: int) -> ConfidenceStep:
    return ConfidenceStep(
        dataset=results.cells.datasets[0],
        metric=results.cells.main_metric,
        confidence=confidence,
        assigned_probability=0.2 * confidence,
        people=2,
        correct=total // 2,
        total=total,
        accuracy=(total // 2) / total,
        ci_low=0.1,
        ci_high=0.9,
    )


def bin_of(results: StudyResults, model: str, tenth: int, total: int) -> ReliabilityBin:
    return ReliabilityBin(
        participant=model,
        dataset=results.cells.datasets[0],
        metric=results.cells.main_metric,
        above=tenth / 10,
        up_to=(tenth + 1) / 10,
        correct=total // 2,
        total=total,
        mean_probability=tenth / 10 + 0.05,
        accuracy=(total // 2) / total,
        ci_low=0.1,
        ci_high=0.9,
    )


def test_each_step_with_enough_answers_is_a_point(results: StudyResults) -> None:
    steps = (step(results, 1, FEWEST_IMAGES - 1), step(results, 3, 10), step(results, 5, 20))
    with figure_style():
        drawn = draw_confidence(cells_with(results, confidence_steps=steps))
    assert drawn is not None
    assert [(mark.x, mark.y) for mark in drawn.marks] == [(3, 50), (5, 50)]
    assert all(mark.source is not None for mark in drawn.marks)
    labels = drawn.figure.axes[0].get_legend_handles_labels()[1]
    assert "assigned in advance" in labels


@pytest.mark.parametrize("models", [2, 72])
def test_each_bin_of_a_model_is_a_point_and_many_models_have_a_line_together(
    results: StudyResults, models: int
) -> None:
    code = results.contents.numbers.study.models[0]
    bins = tuple(
        bin_of(results, f"{code}{n}" if n else code, tenth, 10)
        for n in range(models)
        for tenth in (2, 7)
    )
    with figure_style():
        drawn = draw_reliability(cells_with(results, reliability=bins))
    assert drawn is not None
    assert len(drawn.marks) == 2 * models
    assert {(mark.x, mark.y) for mark in drawn.marks} == {(25, 50), (75, 50)}
    # The diagonal, the models, and all models together if there are many.
    assert len(drawn.figure.axes[0].lines) == 1 + models + (models > 2)


def test_nothing_is_drawn_where_confidence_was_not_asked(results: StudyResults) -> None:
    cells = cells_with(results, confidence_steps=(), reliability=())
    assert draw_confidence(cells) is None
    assert draw_reliability(cells) is None
