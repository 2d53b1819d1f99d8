"""The lead imports how often classes are confused; a bad file changes nothing."""

from pathlib import Path

import pytest

from labeler.app.classes.confusion_import import import_confusions, remove_confusions
from labeler.core.errors import InputError, RefusedError

BEAVER, MARMOT, TIGER = "n02363005", "n02361337", "n02129604"


def write(folder: Path, *rows: str, header: str = "wnid_a,wnid_b,count") -> Path:
    file = folder / "confusions.csv"
    file.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return file


def stored(store) -> dict[tuple[str, str], int]:
    with store.read() as study:
        return {tuple(sorted(pair)): count for pair, count in study.confusions.all().items()}


def test_pairs_are_stored_once_with_both_directions_summed(store, tmp_path: Path) -> None:
    file = write(tmp_path, f"{BEAVER},{MARMOT},3", f"{MARMOT},{BEAVER},4", f"{TIGER},{BEAVER},0")
    import_confusions(store, file, outside_study=True)
    assert stored(store) == {(MARMOT, BEAVER): 7}


def test_another_file_replaces_the_one_before_and_it_can_be_removed(store, tmp_path: Path) -> None:
    import_confusions(store, write(tmp_path, f"{BEAVER},{MARMOT},3"), outside_study=True)
    import_confusions(store, write(tmp_path, f"{BEAVER},{TIGER},2"), outside_study=True)
    assert stored(store) == {(TIGER, BEAVER): 2}
    remove_confusions(store)
    assert stored(store) == {}


def test_a_bad_row_is_named_and_nothing_changes(store, tmp_path: Path) -> None:
    import_confusions(store, write(tmp_path, f"{BEAVER},{MARMOT},3"), outside_study=True)
    with pytest.raises(InputError) as refused:
        import_confusions(store, write(tmp_path, f"{BEAVER},{TIGER},many"), outside_study=True)
    assert "line 2, column count" in str(refused.value)
    assert stored(store) == {(MARMOT, BEAVER): 3}


def test_counts_of_this_study_s_images_are_refused(store, tmp_path: Path) -> None:
    with pytest.raises(RefusedError):
        import_confusions(store, write(tmp_path, f"{BEAVER},{MARMOT},3"), outside_study=False)
    assert stored(store) == {}
