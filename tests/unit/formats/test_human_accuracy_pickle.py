"""The paper's pickle in rows of the exchange format, and a sentence for what is wrong in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from labeler.core.errors import InputError
from labeler.core.study.exchange_format import (
    DATASETS,
    MULTILABELS,
    PARTICIPANTS,
    PREDICTIONS,
    REVIEWS,
)
from labeler.formats.human_accuracy_pickle import translate_human_accuracy_pickle
from labeler.formats.nested_values import (
    DICTIONARY_EXPECTED,
    ITEM_NOT_A_STRING,
    REPEATED_ITEM,
    STRING_EXPECTED,
    STRINGS_EXPECTED,
)
from labeler.formats.translation import Translation
from tests.unit.formats.paper import (
    BEAVER,
    MARMOT,
    NEW_1,
    NEW_2,
    TENCH,
    VAL_1,
    VAL_2,
    answered,
    paper,
    written,
)

CLASSES = (MARMOT, BEAVER, TENCH)


def translated(folder: Path, content: object) -> Translation:
    return translate_human_accuracy_pickle(written(folder, content), CLASSES)


def test_the_images_become_two_datasets_with_targets_and_problems(tmp_path: Path) -> None:
    assert list(translated(tmp_path, paper()).rows[DATASETS]) == [
        ("imagenet", VAL_1, MARMOT, "", ""),
        ("imagenet", VAL_2, MARMOT, "", "target_wrong"),
        ("imagenetv2", NEW_1, BEAVER, "", ""),
        ("imagenetv2", NEW_2, TENCH, "", ""),
    ]


def test_people_are_told_from_models_and_votes_are_left_out(tmp_path: Path) -> None:
    codes = [(row[0], row[1]) for row in translated(tmp_path, paper()).rows[PARTICIPANTS]]
    assert codes == [("human_a", "human"), ("resnet50", "model"), ("reviewers", "human")]


def test_wall_clock_times_are_kept_as_such(tmp_path: Path) -> None:
    rows = list(translated(tmp_path, paper()).rows[PREDICTIONS])
    stamp = "2019-12-01T10:00:00.250000Z"
    assert rows[0][:8] == ("human_a", "imagenet", VAL_1, 1, MARMOT, "", "", "25.750")
    assert str(rows[0][8])[:19] == stamp[:19]
    assert rows[4] == ("resnet50", "imagenet", VAL_1, 1, BEAVER, "", "", "", "", 0, "")


def test_an_answer_that_ends_before_it_begins_has_no_time(tmp_path: Path) -> None:
    content = paper()
    times = {"start_time": "2019-12-01T10:00:00", "end_time": "2019-12-01T09:00:00"}
    content["annot_data"]["human_a"] = {VAL_1: {"label": MARMOT, "extra_info": times}}
    found = translated(tmp_path, content)
    assert next(iter(found.rows[PREDICTIONS]))[7] == ""
    assert "Answers that end before they begin, imported without a time: 1." in found.notes


def test_a_time_that_can_not_be_read_is_left_out_and_told(tmp_path: Path) -> None:
    content = paper()
    times = {"start_time": "2019-12-01T10:00:00", "end_time": "soon"}
    content["annot_data"]["human_a"] = {VAL_1: {"label": MARMOT, "extra_info": times}}
    found = translated(tmp_path, content)
    assert next(iter(found.rows[PREDICTIONS]))[7:9] == ("", "2019-12-01T10:00:00.000Z")
    result = "Answers whose times can't be read, imported without a time: 1, for example 'soon'."
    assert result in found.notes


def test_an_image_without_a_target_is_left_out_unless_people_were_to_label_it(
    tmp_path: Path,
) -> None:
    content = paper()
    for part in ("image_labels", "initial_annots"):
        content[part]["elsewhere"] = {"correct": [MARMOT]}
    content["annot_data"]["resnet50"]["nowhere"] = answered(TENCH)
    found = translated(tmp_path, content)
    assert "Images without a target in wnid_map, left out: 2." in found.notes
    for rows in found.rows.values():
        assert not [row for row in rows if {"elsewhere", "nowhere"} & set(map(str, row))]


def test_what_was_judged_becomes_both_stages_and_the_multi_labels(tmp_path: Path) -> None:
    found = translated(tmp_path, paper())
    reviews = [(row[2], row[3], row[4], row[6]) for row in found.rows[REVIEWS]]
    assert reviews[:3] == [
        (VAL_1, MARMOT, "correct", "initial"),
        (VAL_1, BEAVER, "wrong", "initial"),
        (VAL_1, MARMOT, "correct", "final"),
    ]
    assert ("imagenetv2", NEW_1, MARMOT, "unclear") in list(found.rows[MULTILABELS])


def test_without_initial_labels_there_are_no_reviews(tmp_path: Path) -> None:
    content = paper()
    del content["initial_annots"]
    found = translated(tmp_path, content)
    assert list(found.rows[REVIEWS]) == []
    assert "reviewers" not in [row[0] for row in found.rows[PARTICIPANTS]]


def put(*way: str, value: Any) -> Callable[[dict[str, Any]], object]:
    def change(content: dict[str, Any]) -> None:
        inner = content
        for key in way[:-1]:
            inner = inner[key]
        inner[way[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c.pop("image_labels"), "at the top level: 'image_labels' is missing."),
        (lambda c: c["wnid_map"].pop(VAL_2), f"wnid_map: '{VAL_2}' is missing."),
        (
            put("wnid_map", VAL_1, value="n1"),
            f"wnid_map › {VAL_1}: 'n1' isn't a class of the study.",
        ),
        (put("annot_data", value=[]), f"annot_data: {DICTIONARY_EXPECTED}."),
        (
            put("annot_data", "resnet50", VAL_1, value={}),
            f"annot_data › resnet50 › {VAL_1}: 'label' is missing.",
        ),
        (
            put("annot_data", "resnet50", VAL_1, "label", value=7),
            f"annot_data › resnet50 › {VAL_1} › label: {STRING_EXPECTED}.",
        ),
        (
            put("image_labels", VAL_1, "wrong", value=[MARMOT]),
            f"image_labels › {VAL_1}: '{MARMOT}' is both correct and wrong.",
        ),
        (
            put("image_labels", VAL_1, "correct", value=[MARMOT, MARMOT]),
            f"image_labels › {VAL_1} › correct: {REPEATED_ITEM}.",
        ),
        (
            put("image_labels", VAL_1, "correct", value="marmot"),
            f"image_labels › {VAL_1} › correct: {STRINGS_EXPECTED}.",
        ),
        (
            put("image_labels", VAL_1, "correct", value=[1]),
            f"image_labels › {VAL_1} › correct: {ITEM_NOT_A_STRING}.",
        ),
        (put("image_labels", 7, value={}), "image_labels: the key 7 isn't a string."),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    content = paper()
    content["annot_data"]["human_a"] = {
        VAL_1: {"label": MARMOT, "extra_info": {"start_time": "2019-12-01", "end_time": None}}
    }
    change(content)
    with pytest.raises(InputError) as raised:
        translated(tmp_path, content)
    assert str(raised.value) == f"{tmp_path / 'human_accuracy.pickle'}: {sentence}"
