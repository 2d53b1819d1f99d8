"""ReaL accuracy goes by the number in a validation file's name."""

import pytest

from labeler.core.errors import InputError
from labeler.core.models.real_labels import (
    VALIDATION_IMAGES,
    parse_real_labels,
    real_accuracy,
    validation_number,
)


def real(**labels: list[int]) -> list[list[int]]:
    document: list[list[int]] = [[] for _ in range(VALIDATION_IMAGES)]
    for name, accepted in labels.items():
        document[int(name[1:]) - 1] = accepted
    return document


def test_images_are_found_by_their_number_and_not_by_their_place() -> None:
    labels = parse_real_labels(real(n1=[5], n3=[7, 8], n4=[9]), file="real.json")
    names = ["x/ILSVRC2012_val_00000003.JPEG", "ILSVRC2012_val_00000001.JPEG", "dog.jpg"]
    found = real_accuracy([*names, "ILSVRC2012_val_00000004.JPEG"], [8, 4, 5, None], labels)
    assert (found.right, found.images, found.excluded, found.accuracy) == (1, 2, 0, 0.5)


def test_images_without_a_reassessed_label_are_excluded_and_counted() -> None:
    found = real_accuracy(
        ["ILSVRC2012_val_00000002.JPEG"], [4], parse_real_labels(real(), file="real.json")
    )
    assert (found.images, found.excluded, found.accuracy) == (0, 1, None)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("val/n01440764/ILSVRC2012_val_00000293.JPEG", 293),
        ("ilsvrc2012_val_00050000.jpeg", 50_000),
        ("ILSVRC2012_val_00050001.JPEG", None),
        ("ILSVRC2012_val_00000000.JPEG", None),
        ("n01440764_10026.JPEG", None),
    ],
)
def test_the_number_of_a_validation_file(name: str, number: int | None) -> None:
    assert validation_number(name) == number


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({}, "a list of 50,000 lists"),
        ([], "a list of 50,000 lists"),
        ([[0]] * 7 + [[1000]] + [[]] * (VALIDATION_IMAGES - 8), "entry 8 is not a list"),
        ([[True]] + [[]] * (VALIDATION_IMAGES - 1), "entry 1 is not a list"),
    ],
)
def test_a_file_of_another_form_is_refused(document: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        parse_real_labels(document, file="real.json")
