"""How hard the pictures of a demo dataset are to recognise."""

from dataclasses import dataclass
from enum import Enum

FloatRange = tuple[float, float]


class Difficulty(Enum):
    """The kinds of image in the demo."""

    REFERENCE = "reference"
    TRAINING = "training"
    ORIGINAL = "original"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Recipe:
    """The limits between which a picture is drawn at random.

    `subject` is the part of the picture's width or height that the main subject takes, and `side`
    the size of further objects as a factor of what their real size and distance give. `extra` is
    the chance of each further object, up to `most_objects` in all. `overlap` is the largest part
    of the subject that may be hidden, `crop` the largest part beyond the edge. `colour`, `clutter`
    and `tilt` (in degrees) say how far light, background and stance may stray; `blur` (pixels)
    and `noise` (grey levels) spoil the finished picture. `backdrops` counts the backgrounds of
    each kind that the pictures share, and `poses` the sizes and turns of one cut-out that they
    share (mirrored or not, at any place); without it every pose is drawn again.
    """

    size: tuple[int, int]
    subject: FloatRange
    side: FloatRange = (0.6, 0.9)
    most_objects: int = 1
    extra: float = 0.0
    overlap: float = 0.0
    crop: float = 0.0
    colour: float = 0.1
    clutter: FloatRange = (0.0, 0.0)
    tilt: float = 3.0
    blur: FloatRange = (0.0, 0.0)
    noise: FloatRange = (0.0, 0.0)
    glimpses: bool = False
    backdrops: int = 2
    poses: int | None = None


RECIPES: dict[Difficulty, Recipe] = {
    Difficulty.REFERENCE: Recipe(
        size=(288, 216), subject=(0.54, 0.8), colour=0.14, tilt=4.0, poses=9
    ),
    # With one object alone: the feedback knows the target, and a second would be called wrong.
    Difficulty.TRAINING: Recipe(
        size=(500, 375),
        subject=(0.4, 0.82),
        crop=0.04,
        colour=0.16,
        clutter=(0.0, 0.5),
        noise=(0.0, 3.0),
    ),
    Difficulty.ORIGINAL: Recipe(
        size=(500, 375),
        subject=(0.5, 0.82),
        most_objects=2,
        extra=0.4,
        overlap=0.1,
        crop=0.04,
        colour=0.16,
        noise=(0.0, 3.0),
    ),
    Difficulty.NEW: Recipe(
        size=(500, 375),
        subject=(0.28, 0.5),
        side=(0.75, 1.15),
        most_objects=4,
        extra=0.72,
        overlap=0.35,
        crop=0.22,
        colour=0.28,
        clutter=(0.9, 0.9),
        tilt=6.0,
        blur=(0.0, 1.1),
        noise=(1.0, 6.0),
        glimpses=True,
        backdrops=2,
    ),
}

assert set(RECIPES) == set(Difficulty)
