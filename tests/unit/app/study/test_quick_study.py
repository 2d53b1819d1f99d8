"""A study is made from a folder of images in one step, or not at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.progress import NoProgress
from labeler.app.study.check import check_study
from labeler.app.study.quick_study import (
    LABELER,
    LEAD,
    QuickStudyRequest,
    create_quick_study,
    images_per_class,
    prepare_references,
)
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study_opening import open_study
from tests.unit.app.conftest import DOG, FISH


def make(folder: Path, images: Path, clock, **more):
    request = QuickStudyRequest(folder=folder, images=images, **more)
    return create_quick_study(request, clock=clock, progress=NoProgress())


def test_a_folder_of_images_becomes_an_open_evaluation(tmp_path, pictures, clock) -> None:
    images = pictures("val").fill(FISH, DOG, each=3).path

    made = make(tmp_path / "study", images, clock)

    assert len(made.sample.draw.images) == 6
    with open_study(tmp_path / "study", clock=clock) as store, store.read() as study:
        assert {person.code for person in study.participants.all()} == {LABELER, LEAD}
        assert study.phases.states()[Phase.EVALUATE] is PhaseState.OPEN
        assert study.phases.facts().sample_images == 6
    assert check_study(tmp_path / "study", clock=clock) == []


def test_a_flat_folder_of_files_named_by_wnid_is_enough(tmp_path, pictures, clock) -> None:
    folder = pictures("flat")
    for name in (f"{FISH}_10026.JPEG", f"{DOG}_7.JPEG", "ILSVRC2012_val_00000293_n01440764.JPEG"):
        folder.add(name)
    folder.add("holiday.JPEG")

    made = make(tmp_path / "study", folder.path, clock)

    assert len(made.sample.draw.images) == 3
    assert set(made.sample.draw.classes) == {FISH, DOG}
    assert [odd.name for odd in made.images.odd_files] == ["holiday.JPEG"]


def test_references_are_prepared_and_never_sampled(tmp_path, pictures, clock) -> None:
    images = pictures("val").fill(FISH, DOG, each=8)
    images.add(f"{FISH}/same.JPEG", picture="shared")
    references = pictures("train").fill(FISH, DOG, each=15)
    references.add(f"{FISH}/copy.JPEG", picture="shared")

    made = make(tmp_path / "study", images.path, clock, references=references.path)
    sheets = prepare_references(tmp_path / "study", clock=clock, progress=NoProgress())

    assert f"{FISH}/same.JPEG" not in {key.image for key in made.sample.draw.images}
    assert len(made.sample.draw.images) == 16
    assert sheets.built == 2


def test_a_failure_leaves_nothing_behind(tmp_path, pictures, clock) -> None:
    images = pictures("val").fill(FISH, each=2).path
    target = tmp_path / "study"

    with pytest.raises(RefusedError):
        make(target, tmp_path / "nowhere", clock)
    with pytest.raises(RefusedError):
        make(target, images, clock, references=images)

    assert not target.exists()
    assert [entry.name for entry in tmp_path.iterdir()] == ["pictures"]


def test_stopping_leaves_nothing_behind(tmp_path, pictures, clock) -> None:
    class Stopping(NoProgress):
        def advance(self, steps: int = 1) -> None:  # noqa: ARG002
            raise KeyboardInterrupt

    images = pictures("val").fill(FISH, each=2).path
    request = QuickStudyRequest(folder=tmp_path / "study", images=images)
    with pytest.raises(KeyboardInterrupt):
        create_quick_study(request, clock=clock, progress=Stopping())

    assert [entry.name for entry in tmp_path.iterdir()] == ["pictures"]


def test_an_empty_folder_is_used_and_a_full_one_refused(tmp_path, pictures, clock) -> None:
    images = pictures("val").fill(FISH, each=2).path
    (tmp_path / "study").mkdir()

    make(tmp_path / "study", images, clock)

    with open_study(tmp_path / "study", clock=clock) as store:
        assert store.identity.name == "study"
    with pytest.raises(RefusedError):
        make(tmp_path / "study", images, clock)
    with pytest.raises(EnvironmentFault):
        make(images / FISH / "0.JPEG" / "study", images, clock)


@given(st.lists(st.integers(1, 5_000), min_size=1, max_size=1_500))
def test_the_sample_is_all_images_or_equally_many_of_each_class(sizes: list[int]) -> None:
    per_class = images_per_class(sizes)
    if per_class is None:
        assert sum(sizes) <= 2_000
    else:
        assert sum(sizes) > 2_000
        assert per_class == 1 or per_class * len(sizes) <= 2_000
