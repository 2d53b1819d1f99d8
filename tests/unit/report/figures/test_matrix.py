"""A matrix of counts has no empty row or column, and its cells know where they came from."""

import numpy as np

from labeler.report.figures.figure import figure_style
from labeler.report.figures.matrix import draw_matrix


def test_rows_and_columns_without_a_count_are_left_out() -> None:
    counts = np.array([[0, 0, 0], [0, 4, 1], [0, 0, 7]])
    with figure_style():
        figure, cells = draw_matrix(("dogs", "birds", "fish"), counts, columns="answered")
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["birds", "fish"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["birds", "fish"]
    assert {(c.row, c.column): c.images for c in cells} == {(1, 1): 4, (1, 2): 1, (2, 2): 7}
    assert {(c.x, c.y) for c in cells} == {(0, 0), (1, 0), (1, 1)}


def test_long_names_stay_within_the_picture() -> None:
    names = [f"Implements, containers, misc. objects {n}" for n in range(11)]
    with figure_style():
        figure, _cells = draw_matrix(names, np.eye(11, dtype=int), columns="answered")
        figure.draw_without_rendering()
        (axes,) = figure.axes
        labels = [axes.yaxis.label, axes.xaxis.label]
        boxes = [text.get_window_extent() for text in (*labels, *axes.get_xticklabels())]
        page = figure.bbox
    assert all(box.x0 >= page.x0 and box.x1 <= page.x1 for box in boxes)
    assert all(box.y0 >= page.y0 and box.y1 <= page.y1 for box in boxes)
