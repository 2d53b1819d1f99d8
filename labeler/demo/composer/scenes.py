"""The kinds of scene a demo picture can show, and how things are placed in each."""

from dataclasses import dataclass
from enum import Enum


class Posture(Enum):
    """How an object is held in a scene."""

    STANDS = "stands"
    LIES = "lies"
    FLOATS = "floats"


class SceneKind(Enum):
    """A kind of background."""

    MEADOW = "meadow"
    SAVANNA = "savanna"
    FOREST = "forest"
    SHORE = "shore"
    BEACH = "beach"
    SNOW = "snow"
    DESERT = "desert"
    STREET = "street"
    TABLE = "table"
    ROOM = "room"
    TILES = "tiles"
    STUDIO = "studio"
    PLANKS = "planks"
    LINEN = "linen"
    STONE = "stone"
    SOIL = "soil"
    LEAF = "leaf"
    SKY = "sky"
    UNDERWATER = "underwater"


@dataclass(frozen=True, slots=True)
class Staging:
    """Where the horizon may lie, how far below it feet may be, and what is soft underfoot.

    Heights are fractions of the picture's height; `near` and `far` say where between the horizon
    (0) and the lower edge (1) an object's foot may stand.
    """

    posture: Posture
    horizon: tuple[float, float] = (0.0, 0.0)
    far: float = 0.0
    near: float = 1.0
    tufts: bool = False
    haze: float = 0.05


STAGING: dict[SceneKind, Staging] = {
    SceneKind.MEADOW: Staging(Posture.STANDS, (0.4, 0.56), far=0.3, near=0.9, tufts=True),
    SceneKind.SAVANNA: Staging(Posture.STANDS, (0.4, 0.56), far=0.3, near=0.9, tufts=True),
    SceneKind.FOREST: Staging(
        Posture.STANDS, (0.46, 0.6), far=0.35, near=0.9, tufts=True, haze=0.08
    ),
    SceneKind.SHORE: Staging(Posture.STANDS, (0.32, 0.42), far=0.55, near=0.92),
    SceneKind.BEACH: Staging(Posture.STANDS, (0.34, 0.46), far=0.5, near=0.9),
    SceneKind.SNOW: Staging(Posture.STANDS, (0.4, 0.56), far=0.3, near=0.9),
    SceneKind.DESERT: Staging(Posture.STANDS, (0.4, 0.56), far=0.3, near=0.9),
    SceneKind.STREET: Staging(Posture.STANDS, (0.46, 0.58), far=0.3, near=0.85),
    SceneKind.TABLE: Staging(Posture.STANDS, (0.42, 0.56), far=0.35, near=0.85),
    SceneKind.ROOM: Staging(Posture.STANDS, (0.52, 0.64), far=0.35, near=0.88),
    SceneKind.TILES: Staging(Posture.STANDS, (0.52, 0.64), far=0.35, near=0.88),
    SceneKind.STUDIO: Staging(Posture.STANDS, (0.5, 0.62), far=0.35, near=0.85, haze=0.03),
    SceneKind.PLANKS: Staging(Posture.LIES),
    SceneKind.LINEN: Staging(Posture.LIES),
    SceneKind.STONE: Staging(Posture.LIES),
    SceneKind.SOIL: Staging(Posture.LIES),
    SceneKind.LEAF: Staging(Posture.LIES),
    SceneKind.SKY: Staging(Posture.FLOATS, haze=0.1),
    SceneKind.UNDERWATER: Staging(Posture.FLOATS, haze=0.24),
}

assert set(STAGING) == set(SceneKind)
