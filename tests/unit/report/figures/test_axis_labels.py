"""The labels of axes are wrapped where they would be cut."""

import pytest

from labeler.report.figures.figure import FigureDraft, figure_style, make_axes, wrap_label


@pytest.mark.parametrize("text", ["accuracy, %", "top-1 accuracy where the main object differs, %"])
def test_a_label_stays_inside_the_figure_next_to_long_names(text: str) -> None:
    with figure_style():
        figure, axes = make_axes(5.2, 3.0)
        axes.set_yticks(range(2), ["vit_giant_patch14_clip_224.laion2b_ft, original"] * 2)
        axes.set(xlabel=text, ylabel=f"{text} {text}")
        FigureDraft(figure, "key", "title", "words").drawn([])
        boxes = [label.get_window_extent() for label in (axes.xaxis.label, axes.yaxis.label)]
    page = figure.bbox
    assert all(page.x0 <= box.x0 and box.x1 <= page.x1 for box in boxes)
    assert all(page.y0 <= box.y0 and box.y1 <= page.y1 for box in boxes)
    assert " ".join(axes.get_xlabel().split()) == text


def test_the_unit_stays_with_the_last_word() -> None:
    lines = wrap_label("on multi-label images, multi-label accuracy, %", 44).splitlines()
    assert lines[-1] == "accuracy,\N{NO-BREAK SPACE}%"
