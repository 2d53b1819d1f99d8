"""Labels of images by verdict, as `{image: {"correct": […], "wrong": […], "unclear": […]}}`."""

from collections.abc import Collection, Mapping

from labeler.core.study.entities import Verdict
from labeler.core.study.exchange_values import quoted
from labeler.formats.nested_values import NestedValue

LabelStates = Mapping[str, Verdict]


def parse_label_states(images: NestedValue, classes: Collection[str]) -> dict[str, LabelStates]:
    """The verdict on each label of each image; a verdict that nothing got may be left out."""
    return {image: _states(given, classes) for image, given in images.items()}


def _states(given: NestedValue, classes: Collection[str]) -> LabelStates:
    states: dict[str, Verdict] = {}
    for verdict in Verdict:
        for label in given.get(verdict, ()).texts():
            if label not in classes:
                raise given.wrong(f"{quoted(label)} is no class of the study")
            if states.setdefault(label, verdict) is not verdict:
                raise given.wrong(f"{quoted(label)} is both {states[label]} and {verdict}")
    return states
