"""Places objects: at a size that fits their distance, and on the ground."""

from random import Random

from labeler.demo.composer.cutouts import Cutout
from labeler.demo.composer.geometry import rotated_extent
from labeler.demo.composer.plan import BackdropView, Pose
from labeler.demo.composer.recipes import Recipe
from labeler.demo.composer.scenes import STAGING, Posture

_ENLARGED = 2.4
_MARGIN = 0.03
_LENS = 0.2
_RATIO = (0.25, 1.5)
_ALIKE = 0.7
_ELONGATED = 1.6


def place_subject(rng: Random, cutout: Cutout, view: BackdropView, recipe: Recipe) -> Pose:
    """Place the main subject near the centre, within the limits of the recipe."""
    drawn = rng if recipe.poses is None else Random(f"{cutout.file} {rng.randrange(recipe.poses)}")
    rotation = _rotation(drawn, cutout, view, recipe)
    wide, tall = rotated_extent(cutout.width, cutout.height, rotation)
    part = drawn.uniform(*recipe.subject)
    scale = part * min(recipe.size[0] / wide, recipe.size[1] / tall)
    scale = min(scale, _ENLARGED)
    foot = _subject_ground(rng, tall * scale, view, recipe)
    x = _across(rng, wide * scale, recipe, middle=recipe.crop < 0.1)
    return _pose(rng, cutout, scale=scale, x=x, foot=foot, rotation=rotation)


def place_side(
    rng: Random, cutout: Cutout, main: tuple[Cutout, Pose], view: BackdropView, recipe: Recipe
) -> Pose:
    """Place another object, scaled by its real size and distance relative to the subject."""
    subject, anchor = main
    rotation = _rotation(rng, cutout, view, recipe)
    low, high = _ground_range(view, recipe)
    foot = rng.uniform(low, high)
    wide, tall = rotated_extent(cutout.width, cutout.height, rotation)
    ratio = min(max((cutout.size_cm / subject.size_cm) ** _ALIKE, _RATIO[0]), _RATIO[1])
    longest = max(anchor.width, anchor.height) * ratio * rng.uniform(*recipe.side)
    longest *= _nearness(foot, view, recipe) / _nearness(_ground_row(anchor), view, recipe)
    scale = min(longest / max(cutout.width, cutout.height), _ENLARGED)
    scale = min(scale, 0.9 * recipe.size[1] / tall)
    x = _across(rng, wide * scale, recipe, middle=False)
    return _pose(rng, cutout, scale=scale, x=x, foot=foot, rotation=rotation)


def _pose(
    rng: Random, cutout: Cutout, *, scale: float, x: float, foot: float, rotation: float
) -> Pose:
    width, height = cutout.width * scale, cutout.height * scale
    tall = rotated_extent(width, height, rotation)[1]
    return Pose(
        x=x,
        y=foot - tall / 2,
        width=width,
        height=height,
        flip=rng.random() < 0.5,
        rotation=rotation,
    )


def _rotation(rng: Random, cutout: Cutout, view: BackdropView, recipe: Recipe) -> float:
    """Return a random rotation: small for standing objects, larger for floating ones, else any."""
    posture = STAGING[view.backdrop.kind].posture
    if posture is Posture.LIES:
        return _lying_rotation(rng, cutout)
    return rng.uniform(-1.0, 1.0) * recipe.tilt * (3.0 if posture is Posture.FLOATS else 0.6)


def _lying_rotation(rng: Random, cutout: Cutout) -> float:
    """Rotate long objects along the longer side of the image."""
    if cutout.height > _ELONGATED * cutout.width:
        return rng.choice((-90.0, 90.0)) + rng.uniform(-40.0, 40.0)
    if cutout.width > _ELONGATED * cutout.height:
        return rng.choice((0.0, 180.0)) + rng.uniform(-40.0, 40.0)
    return rng.uniform(-180.0, 180.0)


def _ground_range(view: BackdropView, recipe: Recipe) -> tuple[float, float]:
    """Return the range of rows for the lower edge of an object; all rows without a ground."""
    staging = STAGING[view.backdrop.kind]
    height = recipe.size[1]
    if staging.posture is not Posture.STANDS:
        return 0.3 * height, 0.97 * height
    depth = 1.0 - view.horizon
    far, near = view.horizon + staging.far * depth, view.horizon + staging.near * depth
    return far * height, min(near, 0.97) * height


def _subject_ground(rng: Random, tall: float, view: BackdropView, recipe: Recipe) -> float:
    """Place a large subject near the viewer, so that its head stays in the image."""
    low, high = _ground_range(view, recipe)
    low = max(low, tall + _MARGIN * recipe.size[1])
    return rng.uniform(low, max(low, high))


def _across(rng: Random, wide: float, recipe: Recipe, *, middle: bool) -> float:
    width = recipe.size[0]
    low, high = wide * (0.5 - recipe.crop), width - wide * (0.5 - recipe.crop)
    if low >= high:
        return width / 2
    return rng.triangular(low, high, width / 2) if middle else rng.uniform(low, high)


def _ground_row(pose: Pose) -> float:
    return pose.y + rotated_extent(pose.width, pose.height, pose.rotation)[1] / 2


def _nearness(foot: float, view: BackdropView, recipe: Recipe) -> float:
    """Return the scale for a lower edge this far below the horizon."""
    if STAGING[view.backdrop.kind].posture is not Posture.STANDS:
        return 1.0
    return max(foot / recipe.size[1] - view.horizon, 0.0) + _LENS
