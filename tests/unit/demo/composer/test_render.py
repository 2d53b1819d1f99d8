"""A plan becomes the same pixels every time, and each kind of scene can be painted."""

from functools import cache

import numpy as np
import pytest
from PIL import Image

from labeler.demo.composer.backgrounds import BACKDROP_SIZE, Backdrop, paint_background
from labeler.demo.composer.cutouts import Cutout, load_cutouts
from labeler.demo.composer.plan import PicturePlan
from labeler.demo.composer.planner import plan_picture
from labeler.demo.composer.recipes import RECIPES, Difficulty
from labeler.demo.composer.render import render_picture
from labeler.demo.composer.scenes import STAGING, SceneKind
from labeler.demo.composer.sprites import cutout_pixels
from labeler.locations import RESOURCES


@cache
def cutouts() -> tuple[Cutout, ...]:
    return load_cutouts(RESOURCES / "demo")


def plan(key: str, target: str, difficulty: Difficulty) -> PicturePlan:
    return plan_picture(
        seed=1, key=key, target=target, cutouts=cutouts(), recipe=RECIPES[difficulty]
    )


@pytest.mark.parametrize("difficulty", Difficulty)
def test_a_plan_is_drawn_the_same_twice_at_its_own_size(difficulty: Difficulty) -> None:
    drawn = plan("a", "n02391049", difficulty)
    first, second = render_picture(drawn, cutouts()), render_picture(drawn, cutouts())
    assert first.mode == "RGB"
    assert first.size == RECIPES[difficulty].size
    assert first.tobytes() == second.tobytes()


def test_another_key_gives_other_pixels() -> None:
    first = render_picture(plan("a", "n02391049", Difficulty.REFERENCE), cutouts())
    second = render_picture(plan("b", "n02391049", Difficulty.REFERENCE), cutouts())
    assert first.tobytes() != second.tobytes()


def test_drawing_leaves_shared_pictures_unchanged() -> None:
    drawn = plan("a", "n02391049", Difficulty.ORIGINAL)
    zebra = next(cutout for cutout in cutouts() if cutout.wnid == "n02391049")
    before = cutout_pixels(zebra.path).tobytes()
    render_picture(drawn, cutouts())
    assert cutout_pixels(zebra.path).tobytes() == before


def test_the_subject_is_drawn_where_the_plan_says() -> None:
    drawn = plan("a", "n04254680", Difficulty.REFERENCE)
    empty = PicturePlan(drawn.size, drawn.target, drawn.view, (), drawn.finish)
    difference = np.abs(
        np.asarray(render_picture(drawn, cutouts()), dtype=int)
        - np.asarray(render_picture(empty, cutouts()))
    ).sum(axis=2)
    pose = drawn.subject.pose
    rows, columns = np.nonzero(difference > 60)
    assert columns.mean() == pytest.approx(pose.x, abs=0.15 * pose.width)
    assert rows.mean() == pytest.approx(pose.y, abs=0.15 * pose.height)


@pytest.mark.parametrize("kind", SceneKind)
def test_every_scene_is_painted_the_same_twice_and_never_flat(kind: SceneKind) -> None:
    horizon = sum(STAGING[kind].horizon) / 2
    backdrop = Backdrop(kind, seed=5, horizon=horizon, clutter=0.5)
    picture = paint_background(backdrop)
    assert picture.size == BACKDROP_SIZE
    assert picture.tobytes() == paint_background(backdrop).tobytes()
    assert np.asarray(picture, dtype=float).std(axis=(0, 1)).min() > 3.0


def test_another_seed_paints_another_backdrop() -> None:
    first = paint_background(Backdrop(SceneKind.MEADOW, seed=1, horizon=0.5, clutter=0.0))
    second = paint_background(Backdrop(SceneKind.MEADOW, seed=2, horizon=0.5, clutter=0.0))
    assert first.tobytes() != second.tobytes()


def test_a_cut_edge_takes_its_colour_from_inside_the_object() -> None:
    """A white fringe around a dark object would shine on a dark background."""
    ball = next(cutout for cutout in cutouts() if cutout.file == "n04409515_tennis_ball.png")
    image = cutout_pixels(ball.path)
    rgba = np.asarray(image, dtype=float)
    edge = (rgba[..., 3] > 20) & (rgba[..., 3] < 200)
    inside = rgba[..., 3] > 250
    assert edge.any()
    assert rgba[edge][:, 2].mean() < rgba[inside][:, 2].mean() + 25
    assert isinstance(image, Image.Image)
