"""The complete description of an image, made before it is rendered."""

from dataclasses import dataclass

from labeler.demo.composer.backgrounds import Backdrop

VISIBLE_PART = 0.35
"""An object of which less can be seen is not part of the picture's truth."""

VISIBLE_AREA = 0.004
"""An object that covers less of the picture is not part of its truth."""

SUBJECT_PART = 0.6
"""At least this much of the main subject can always be seen."""

CropBox = tuple[float, float, float, float]
"""Left, top, right and lower edge."""


@dataclass(frozen=True, slots=True)
class ColourShift:
    """A change of light: factors around 1, and warmth around 0."""

    brightness: float = 1.0
    contrast: float = 1.0
    saturation: float = 1.0
    warmth: float = 0.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Where an object is: its centre and unrotated size in pixels, mirroring and rotation."""

    x: float
    y: float
    width: float
    height: float
    flip: bool
    rotation: float


@dataclass(frozen=True, slots=True)
class PlacedObject:
    """One cut-out in a picture; `visible` is the part of it that can be seen."""

    file: str
    wnid: str
    labels: frozenset[str]
    pose: Pose
    colour: ColourShift
    visible: float
    area: float


@dataclass(frozen=True, slots=True)
class BackdropView:
    """The part of a backdrop that a picture shows, and the light that falls on it."""

    backdrop: Backdrop
    crop: CropBox
    flip: bool
    horizon: float
    light: float


@dataclass(frozen=True, slots=True)
class PostProcessing:
    """What the camera adds to the whole picture."""

    grade: ColourShift
    vignette: float
    blur: float
    noise: float
    noise_seed: int


@dataclass(frozen=True, slots=True)
class PicturePlan:
    """A whole picture: objects are listed from the farthest to the nearest."""

    size: tuple[int, int]
    target: str
    view: BackdropView
    objects: tuple[PlacedObject, ...]
    finish: PostProcessing

    @property
    def subject(self) -> PlacedObject:
        """The object that the picture's target names."""
        return next(placed for placed in self.objects if placed.wnid == self.target)


def is_visible(placed: PlacedObject) -> bool:
    """Return whether enough of an object shows for its classes to be right for the picture."""
    return placed.visible >= VISIBLE_PART and placed.visible * placed.area >= VISIBLE_AREA


def visible_classes(plan: PicturePlan) -> frozenset[str]:
    """Return every class that is visible in the image."""
    seen = (placed.labels for placed in plan.objects if is_visible(placed))
    return plan.subject.labels.union(*seen)
