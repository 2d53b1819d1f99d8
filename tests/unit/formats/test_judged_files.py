"""Labels that others judged come to the images of a study that they speak of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from labeler.core.errors import InputError
from labeler.core.models.real_labels import parse_real_labels
from labeler.core.study.entities import ProblemReason
from labeler.core.study.exchange_format import MULTILABELS
from labeler.formats.human_accuracy_json import (
    NO_IMAGE_OF_THE_STUDY,
    ImportedVerdicts,
    translate_human_accuracy_json,
)
from labeler.formats.nested_values import DICTIONARY_EXPECTED
from labeler.formats.real_json import translate_real
from labeler.formats.translation import KnownImage
from tests.unit.formats.paper import BEAVER, MARMOT, NEW_1, TENCH, VAL_1, VAL_2

CLASSES = (TENCH, MARMOT, BEAVER)
FILE = Path("human_accuracy_v3.0.0.json")
IMAGES = (
    KnownImage("val", f"{MARMOT}/{VAL_1}", MARMOT),
    KnownImage("val", f"{MARMOT}/{VAL_2}", MARMOT),
    KnownImage("v2", f"1/{NEW_1}.jpeg", BEAVER),
)


def judged(document: object, images: Sequence[KnownImage] = IMAGES) -> ImportedVerdicts:
    return translate_human_accuracy_json(document, images, CLASSES, file=FILE)


def test_images_are_found_by_file_name_with_or_without_its_extension() -> None:
    found = judged({"initial_annots": {VAL_1: {"correct": [MARMOT]}, NEW_1: {"wrong": [TENCH]}}})
    assert list(found.translated.rows[MULTILABELS]) == [
        ("val", f"{MARMOT}/{VAL_1}", MARMOT, "correct"),
        ("v2", f"1/{NEW_1}.jpeg", TENCH, "wrong"),
    ]
    assert found.translated.notes == ("Images of the study that this file judges: 2 of 3.",)


def test_an_image_that_stands_in_two_datasets_is_judged_in_both() -> None:
    copy = KnownImage("again", VAL_1, MARMOT)
    found = judged({"initial_annots": {VAL_1: {"unclear": [BEAVER]}}}, (*IMAGES, copy))
    assert [row[0] for row in found.translated.rows[MULTILABELS]] == ["val", "again"]


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("This is a painting", ProblemReason.DRAWING),
        ("Photo was EDITED", ProblemReason.EDITED),
        ("offensive", ProblemReason.INAPPROPRIATE),
        ("The original label is wrong", ProblemReason.TARGET_WRONG),
        (None, ProblemReason.TARGET_WRONG),
    ],
)
def test_reasons_in_words_become_ours(result: str | None, reason: ProblemReason) -> None:
    about = {} if result is None else {"reason": result}
    found = judged({"initial_annots": {}, "problematic_images": {VAL_2: about}})
    assert found.problematic == {IMAGES[1]: reason}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({}, "at the top level: 'initial_annots' is missing."),
        ([], f"at the top level: {DICTIONARY_EXPECTED}."),
        ({"initial_annots": []}, f"initial_annots: {DICTIONARY_EXPECTED}."),
        (
            {"initial_annots": {VAL_1: {"correct": ["marmot"]}}},
            f"initial_annots › {VAL_1}: 'marmot' isn't a class of the study.",
        ),
        (
            {"initial_annots": {VAL_1: {"correct": [MARMOT], "unclear": [MARMOT]}}},
            f"initial_annots › {VAL_1}: '{MARMOT}' is both correct and unclear.",
        ),
        (
            {"initial_annots": {VAL_1: []}},
            f"initial_annots › {VAL_1}: {DICTIONARY_EXPECTED}.",
        ),
        (
            {"initial_annots": {}, "problematic_images": [VAL_1]},
            f"problematic_images: {DICTIONARY_EXPECTED}.",
        ),
        (
            {"initial_annots": {"other.JPEG": {}}},
            f"at the top level: {NO_IMAGE_OF_THE_STUDY}.",
        ),
    ],
)
def test_what_is_wrong_in_judged_labels_is_told_with_its_place(
    document: object, sentence: str
) -> None:
    with pytest.raises(InputError) as raised:
        judged(document)
    assert str(raised.value) == f"{FILE}: {sentence}"


def real(first: object, *, count: int = 50_000) -> list[Any]:
    return [first, *([] for _ in range(count - 1))]


@pytest.mark.parametrize("document", [real([1], count=49_999), real("1"), real([1000]), real([-1])])
def test_what_is_wrong_in_real_json_is_told_with_the_file(document: object) -> None:
    with pytest.raises(InputError, match=r"^real\.json"):
        parse_real_labels(document, file="real.json")


def test_real_json_says_nothing_of_images_of_other_names() -> None:
    labels = parse_real_labels(real([1]), file="real.json")
    with pytest.raises(InputError, match="no image of the study has the name of an ImageNet"):
        translate_real(labels, IMAGES[2:], CLASSES, file=Path("real.json"))
