"""A dataset is said to lie elsewhere only where its files are found, by name and by contents."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from labeler.app.datasets import relocation
from labeler.app.datasets.relocation import OTHER_CONTENTS, preview_relocation, relocate_dataset
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.conftest import DOG, FISH


@pytest.fixture
def ready(healthy: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    with open_study(healthy, clock=clock) as store:
        yield store


@pytest.fixture
def root(ready: StudyStore) -> Callable[[], str | None]:
    """Where the study says that val is."""

    def read() -> str | None:
        with ready.read() as study:
            found = study.datasets.find("val")
        assert found is not None
        return found.root

    return read


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """All files of val at another place."""
    return shutil.copytree(tmp_path / "pictures" / "val", tmp_path / "copy")


def test_a_folder_with_every_file_is_taken(
    ready: StudyStore, copy: Path, root: Callable[[], str | None]
) -> None:
    assert relocate_dataset(ready, "val", copy).complete
    assert root() == str(copy)


def test_a_folder_with_none_of_the_files_is_refused(
    ready: StudyStore, copy: Path, root: Callable[[], str | None]
) -> None:
    before = root()
    with pytest.raises(RefusedError, match=rf"No file of val is in .*: there is no {FISH}/.* for"):
        relocate_dataset(ready, "val", copy.parent, partly=True)
    assert root() == before


def paint_anew(files: Iterable[Path]) -> None:
    """Other pictures under the same names."""
    for number, file in enumerate(sorted(files)):
        Image.new("RGB", (40, 30), (90, number * 20, 10)).save(file)


def test_a_folder_with_other_pictures_of_the_same_names_is_refused(
    ready: StudyStore, copy: Path, root: Callable[[], str | None]
) -> None:
    paint_anew(copy.rglob("*.JPEG"))
    before = root()
    with pytest.raises(RefusedError, match=OTHER_CONTENTS):
        relocate_dataset(ready, "val", copy, partly=True)
    assert root() == before


def test_a_file_of_the_right_name_and_size_is_read(ready: StudyStore, copy: Path) -> None:
    changed = sorted(copy.rglob("*.JPEG"))[0]
    content = bytearray(changed.read_bytes())
    content[-3] ^= 1
    changed.write_bytes(content)
    there = preview_relocation(ready, "val", copy)
    assert (there.found, there.others) == (5, 1)


def test_what_is_no_more_the_same_picture_is_reported(ready: StudyStore, copy: Path) -> None:
    paint_anew((copy / DOG).iterdir())
    with pytest.raises(RefusedError) as refusal:
        relocate_dataset(ready, "val", copy)
    assert str(refusal.value).startswith(
        "Found only 3 of 6 files. 3 more files have the right name but other contents."
    )


def test_a_folder_with_a_part_is_taken_only_when_that_will_do(
    ready: StudyStore, copy: Path, root: Callable[[], str | None]
) -> None:
    shutil.rmtree(copy / DOG)
    before = root()
    with pytest.raises(RefusedError, match=r"Found only 3 of 6 files\. Nothing was changed\.$"):
        relocate_dataset(ready, "val", copy)
    assert root() == before
    there = relocate_dataset(ready, "val", copy, partly=True)
    assert (there.found, there.searched, there.files) == (3, 6, 6)
    assert root() == str(copy)


def test_of_very_many_files_an_even_part_is_looked_for(
    ready: StudyStore, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relocation, "_AT_MOST", 4)
    shutil.rmtree(copy / DOG)
    there = preview_relocation(ready, "val", copy)
    assert (there.found, there.searched, there.files) == (2, 4, 6)
    assert there.sentence == "Found only 2 of 4 files searched; the dataset has 6."


def test_images_without_a_file_are_not_looked_for(ready: StudyStore, copy: Path) -> None:
    with ready.write() as study:
        study.datasets.add(
            DatasetDefinition(name="listed", role=DatasetRole.EVALUATION), complete=True
        )
        name = next(copy.rglob("*.JPEG")).relative_to(copy).as_posix()
        study.datasets.append(
            "listed",
            [NewImage(name=name, target=FISH), NewImage(name="no/file", target=FISH, path="")],
        )
    assert relocate_dataset(ready, "listed", copy).files == 1
