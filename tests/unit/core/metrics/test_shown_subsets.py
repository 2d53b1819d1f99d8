"""Subsets that a table leaves out, and fits that no line is drawn for."""

import numpy as np
import pytest

from labeler.core.metrics.subsets import ShownSubsets, shown_subsets
from tests.unit.core.metrics.test_degenerate_studies import DOG, PLANE, TARGETS, dataset
from tests.unit.core.metrics.test_metrics_by_loops import numbers_of

TITLES = {"all": "All images", "dogs": "Dogs", "objects": "Objects", "fast": "Fast images"}
MEMBERS = {
    "all": np.array([True, True, False]),
    "dogs": np.array([False, False, False]),
    "objects": np.array([True, True, False]),
    "fast": np.array([True, False, False]),
}


def test_a_subset_without_images_or_like_an_earlier_one_is_left_out_with_a_sentence() -> None:
    shown = shown_subsets(TITLES, MEMBERS.__getitem__, TITLES)
    assert shown.keys == ("all", "fast")
    assert all(title in shown.sentence for title in ("Dogs", "Objects", "All images"))
    assert shown.sentence.count(". ") == 0, "it is one sentence"


def test_a_subset_like_one_besides_the_table_is_left_out_too() -> None:
    shown = shown_subsets(("objects", "fast"), MEMBERS.__getitem__, TITLES, besides=("all",))
    assert shown.keys == ("fast",)


def test_nothing_is_said_if_nothing_is_left_out() -> None:
    assert shown_subsets(("all", "fast"), MEMBERS.__getitem__, TITLES) == ShownSubsets(
        ("all", "fast"), ""
    )


@pytest.mark.parametrize(("models", "shown"), [(4, False), (5, True)])
def test_a_line_takes_five_models(models: int, shown: bool) -> None:
    answers = [[*TARGETS[:right], *[DOG, PLANE, DOG, PLANE][right:]] for right in range(models)]
    both = dataset(humans=[list(TARGETS)], models=answers)  # type: ignore[arg-type]
    fits = numbers_of([both, both]).fits
    assert fits
    assert {fit.is_shown for fit in fits if fit.subset == "all"} == {shown}
