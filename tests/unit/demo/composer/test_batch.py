"""Many pictures are composed to files, in order, with the truth of their plans."""

from pathlib import Path

import pytest
from PIL import Image

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.demo.composer.batch import ComposedFile, ComposeJob, compose_many
from labeler.demo.composer.cutouts import load_cutouts
from labeler.demo.composer.plan import visible_classes
from labeler.demo.composer.planner import plan_picture
from labeler.demo.composer.recipes import RECIPES, Difficulty
from labeler.locations import RESOURCES

DEMO = RESOURCES / "demo"
BALL, ORCA = "n04254680", "n02071294"


def jobs(folder: Path, count: int, difficulty: Difficulty = Difficulty.NEW) -> list[ComposeJob]:
    return [
        ComposeJob(
            path=folder / target / f"{number}.jpg",
            key=f"{target}/{number}",
            target=target,
            recipe=RECIPES[difficulty],
            seed=4,
        )
        for target in (BALL, ORCA)
        for number in range(count)
    ]


def test_files_are_written_in_order_with_the_truth_of_their_plans(tmp_path: Path) -> None:
    wanted = jobs(tmp_path, 4)
    cutouts = load_cutouts(DEMO)
    made = list(compose_many(wanted, DEMO, workers=1))
    assert [file.path for file in made] == [job.path for job in wanted]
    for job, file in zip(wanted, made, strict=True):
        plan = plan_picture(
            seed=job.seed, key=job.key, target=job.target, cutouts=cutouts, recipe=job.recipe
        )
        assert file == ComposedFile(job.path, visible_classes(plan))
        with Image.open(file.path) as image:
            assert (image.format, image.size) == ("JPEG", job.recipe.size)


def test_processes_make_the_same_bytes_as_one_alone(tmp_path: Path) -> None:
    many = jobs(tmp_path / "many", 45, Difficulty.REFERENCE)
    made = list(compose_many(many, DEMO, workers=2))
    assert {file.path for file in made} == {job.path for job in many}
    alone = jobs(tmp_path / "alone", 45, Difficulty.REFERENCE)[::-15]
    list(compose_many(alone, DEMO, workers=1))
    for job in alone:
        other = tmp_path / "many" / job.path.relative_to(tmp_path / "alone")
        assert job.path.read_bytes() == other.read_bytes()


def test_pictures_can_be_left_unfinished(tmp_path: Path) -> None:
    composing = compose_many(jobs(tmp_path, 2), DEMO, workers=1)
    first = next(composing)
    composing.close()
    assert first.path.exists()


def test_a_folder_that_cannot_be_written_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / BALL).write_text("a file where a folder should be")
    with pytest.raises(EnvironmentFault, match="can't be written"):
        list(compose_many(jobs(tmp_path, 1), DEMO, workers=1))


def test_a_folder_without_cutouts_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="is missing"):
        next(compose_many(jobs(tmp_path, 1), tmp_path))


def test_takes_of_one_scene_differ_and_share_its_truth(tmp_path: Path) -> None:
    recipe = RECIPES[Difficulty.REFERENCE]
    jobs = [
        ComposeJob(tmp_path / f"{take}.jpg", "scene", "n02129604", recipe, seed=1, take=take)
        for take in range(3)
    ]
    composed = list(compose_many(jobs, DEMO, workers=1))
    assert len({made.path.read_bytes() for made in composed}) == 3
    assert {made.truth for made in composed} == {composed[0].truth}


def test_a_take_does_not_depend_on_the_takes_before_it(tmp_path: Path) -> None:
    recipe = RECIPES[Difficulty.REFERENCE]
    alone = ComposeJob(tmp_path / "alone.jpg", "scene", "n02129604", recipe, seed=1, take=2)
    others = [
        ComposeJob(tmp_path / f"{take}.jpg", "scene", "n02129604", recipe, seed=1, take=take)
        for take in range(3)
    ]
    list(compose_many([alone], DEMO, workers=1))
    list(compose_many(others, DEMO, workers=1))
    assert alone.path.read_bytes() == (tmp_path / "2.jpg").read_bytes()
