"""What the marks of the report's figures stand for: as many images as they say."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from labeler.app.progress import NoProgress
from labeler.app.results.results_data import ResultsReader, StudyResults
from labeler.core.metrics.definitions import Outcome
from labeler.core.metrics.report_contents import LearningPoint, TrainedImage
from labeler.core.study.entities import ImageKey, Role
from labeler.report.figures.charts import draw_learning
from labeler.report.figures.figure import (
    FEWEST_IMAGES,
    AxesLimits,
    RenderedFigure,
    figure_style,
)
from labeler.store.study_store import StudyStore
from tests.results_study import golden_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyStore]:
    with golden_store(tmp_path_factory.mktemp("figures")) as made:
        yield made


@pytest.fixture(scope="module")
def results(store: StudyStore) -> StudyResults:
    return ResultsReader(store, "L", Role.LEAD).read(NoProgress())


@pytest.fixture(scope="module")
def figures(results: StudyResults) -> dict[str, RenderedFigure]:
    return {drawn.key: drawn for drawn in results.figures()}


def test_every_figure_has_marks_and_every_mark_leads_to_images(
    results: StudyResults, figures: dict[str, RenderedFigure]
) -> None:
    for drawn in figures.values():
        assert drawn.marks, drawn.key
        for mark in drawn.marks:
            assert mark.source is not None, drawn.key
            assert len(results.images(mark.source)), (drawn.key, mark.words)


def test_a_bar_of_the_histogram_leads_to_as_many_images_as_it_is_high(
    results: StudyResults, figures: dict[str, RenderedFigure]
) -> None:
    bars = figures["time-histogram"].marks
    assert sum(bar.height for bar in bars) == sum(results.contents.numbers.timing.counts)
    for bar in bars:
        assert bar.source is not None
        assert len(results.images(bar.source)) == bar.height


def test_a_cell_of_a_confusion_leads_to_as_many_images_as_it_counts(
    results: StudyResults, figures: dict[str, RenderedFigure]
) -> None:
    for found, key in zip(
        results.contents.numbers.confusions, ("confusion-1", "confusion-2"), strict=True
    ):
        # Rows and columns without a count are left out of the figure.
        counts = np.array(found.counts)
        counts = counts[counts.any(axis=1)][:, counts.any(axis=0)]
        result = 0
        for mark in figures[key].marks:
            count = counts[round(mark.y), round(mark.x)]
            assert mark.source is not None
            assert len(results.images(mark.source)) == count
            result += count
        assert result == sum(map(sum, found.counts))


def test_a_pooled_point_leads_to_the_answers_that_it_pools(
    results: StudyResults, figures: dict[str, RenderedFigure]
) -> None:
    for mark in figures["accuracy-by-time"].marks:
        assert mark.source is not None
        images = results.images(mark.source)
        counted = [
            one.outcome == "correct"
            for image in images
            for one in image.answers
            if one.outcome in ("correct", "wrong")
        ]
        result = re.search(r"([\d.]+) %, ([\d,]+) answers", mark.words)
        assert result is not None
        assert int(result[2]) == len(counted)
        assert float(result[1]) == pytest.approx(100 * sum(counted) / len(counted), abs=0.05)


def test_galleries_lead_to_all_of_their_images(results: StudyResults) -> None:
    assert results.galleries
    for gallery in results.galleries:
        wanted = {image.key for image in gallery.images}
        listed = {image.key for image in results.images(gallery.source)}
        assert wanted <= listed
        if gallery.key != "contested":
            assert len(listed) == gallery.total


def test_a_part_of_a_figure_is_drawn_with_its_frame_where_it_was(
    figures: dict[str, RenderedFigure],
) -> None:
    drawn = figures["time-histogram"]
    left, right, bottom, top = drawn.limits
    narrow = AxesLimits(left, left + (right - left) / 4, bottom, bottom + (top - bottom) / 4)
    part = drawn.redraw(narrow, 520)
    assert part.startswith(b"\x89PNG")
    assert part != drawn.redraw(drawn.limits, 520)
    # The same limits give the same picture again: nothing of the part stays behind.
    assert drawn.redraw(drawn.limits, 520) == drawn.redraw(drawn.limits, 520)


def test_a_day_of_a_learning_curve_leads_to_what_was_answered_then(
    results: StudyResults, store: StudyStore
) -> None:
    key = ImageKey("pool", "p1.jpg")
    answers = tuple(
        TrainedImage(
            participant="A", day=day, image=key, target=0, label=label, right=right, accepted=()
        )
        for day, label, right in (("2026-01-01", 1, False), ("2026-01-02", 0, True))
    )
    points = tuple(
        LearningPoint(
            participant="A",
            day=answer.day,
            correct=FEWEST_IMAGES * answer.right,
            total=FEWEST_IMAGES,
        )
        for answer in answers
    )
    trained = StudyResults(
        replace(results.contents, trained=answers, learning=points), store.taxonomy
    )
    with figure_style():
        drawn = draw_learning(trained.cells)
    assert drawn is not None
    first, second = drawn.marks
    assert (first.y, second.y) == (0.0, 100.0)
    assert first.source is not None
    (image,) = trained.images(first.source)
    assert image.key == key
    assert [one.outcome for one in image.answers] == [Outcome.WRONG]
    assert trained.key_of(image.number) == key
    assert [said.judged for said in trained.answers_to_image(image.number)] == [
        "wrong, 2026-01-01",
        "right, 2026-01-02",
    ]


def test_a_day_with_few_images_is_no_point_of_a_learning_curve(
    results: StudyResults, store: StudyStore
) -> None:
    points = tuple(
        LearningPoint(participant="A", day=day, correct=0, total=total)
        for day, total in (("2026-01-01", FEWEST_IMAGES), ("2026-01-02", 1), ("2026-01-03", 9))
    )
    trained = StudyResults(replace(results.contents, learning=points), store.taxonomy)
    with figure_style():
        drawn = draw_learning(trained.cells)
    assert drawn is not None
    assert [mark.x for mark in drawn.marks] == [FEWEST_IMAGES, FEWEST_IMAGES + 1 + 9]
