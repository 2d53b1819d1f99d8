"""Outputs stand for classes by wnid: mapped where that is certain, refused where it isn't."""

import random
from pathlib import Path

import pytest
import timm

from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import InputError, RefusedError
from labeler.scoring.class_lists import class_columns
from labeler.scoring.model_loader import LoadedModel

WNIDS = load_default().class_wnids


def model(outputs: int, *, published: bool = False) -> LoadedModel:
    return LoadedModel(timm.create_model("test_resnet", num_classes=outputs), "w", "h", published)


def listed(folder: Path, wnids: list[str]) -> str:
    file = folder / "classes.txt"
    file.write_text("".join(f"{wnid} some name\n" for wnid in wnids), encoding="utf-8")
    return str(file)


def test_a_thousand_outputs_are_the_sorted_wnids() -> None:
    columns = class_columns(model(1000), classes=None, wnids=WNIDS)
    assert columns.columns == tuple(range(1000))
    assert columns.is_identity


def test_a_larger_class_list_is_mapped_by_wnid() -> None:
    columns = class_columns(model(21842), classes=None, wnids=WNIDS)
    assert len(set(columns.columns)) == 1000
    assert columns.sentence == "1,000 of 21,842 outputs, mapped by wnid"


@pytest.mark.parametrize(("outputs", "lacking"), [(11221, 9), (11821, 7), (21841, 1), (21843, 1)])
def test_a_list_without_some_of_the_classes_is_refused(outputs: int, lacking: int) -> None:
    with pytest.raises(RefusedError, match=f"no output for {lacking} of the study's 1,000 classes"):
        class_columns(model(outputs), classes=None, wnids=WNIDS)


def test_a_study_of_fewer_classes_can_have_a_larger_model() -> None:
    bears = tuple(wnid for wnid in WNIDS if wnid != "n04399382")  # all but the teddy
    assert len(class_columns(model(21841), classes=None, wnids=bears).columns) == 999


def test_a_background_must_be_declared() -> None:
    with pytest.raises(RefusedError, match="use background-first as the class list") as refused:
        class_columns(model(1001), classes=None, wnids=WNIDS)
    assert "--classes background-first" in refused.value.typed
    columns = class_columns(model(1001), classes="background-first", wnids=WNIDS)
    assert columns.columns == tuple(range(1, 1001))
    with pytest.raises(RefusedError, match="this one has 1,000"):
        class_columns(model(1000), classes="background-first", wnids=WNIDS)


def test_an_unknown_number_of_outputs_needs_a_list(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="no class list of that length"):
        class_columns(model(7), classes=None, wnids=WNIDS[:7])
    given = listed(tmp_path, list(WNIDS[:7])[::-1])
    columns = class_columns(model(7), classes=given, wnids=WNIDS[:7])
    assert columns.columns == (6, 5, 4, 3, 2, 1, 0)


def test_a_permuted_list_contradicts_published_weights(tmp_path: Path) -> None:
    permuted = list(WNIDS)
    random.Random(5).shuffle(permuted)
    given = listed(tmp_path, permuted)
    with pytest.raises(RefusedError, match="another order"):
        class_columns(model(1000, published=True), classes=given, wnids=WNIDS)
    swapped = [*WNIDS[:40], WNIDS[41], WNIDS[40], *WNIDS[42:]]
    with pytest.raises(RefusedError, match=f"its line 41 is {WNIDS[41]}"):
        class_columns(model(1000, published=True), classes=listed(tmp_path, swapped), wnids=WNIDS)


def test_a_list_of_the_wrong_length_or_with_a_class_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="999 lines, but the model has 1,000"):
        class_columns(model(1000), classes=listed(tmp_path, list(WNIDS[1:])), wnids=WNIDS)
    twice = [*WNIDS[:-1], WNIDS[0]]
    with pytest.raises(RefusedError, match=f"{WNIDS[0]} twice"):
        class_columns(model(1000), classes=listed(tmp_path, twice), wnids=WNIDS)


def test_a_line_that_is_no_wnid_is_named(tmp_path: Path) -> None:
    file = tmp_path / "classes.txt"
    file.write_text("n01440764\ntench\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: 'tench'"):
        class_columns(model(7), classes=str(file), wnids=WNIDS)
