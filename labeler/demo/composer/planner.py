"""Plans an image from a seed, the same on every machine and in any order."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from labeler.core.errors import RefusedError
from labeler.demo.composer.backgrounds import BACKDROP_SIZE, Backdrop
from labeler.demo.composer.cutouts import Cutout
from labeler.demo.composer.geometry import unoccluded_area, visible_parts
from labeler.demo.composer.placement import place_side, place_subject
from labeler.demo.composer.plan import (
    SUBJECT_PART,
    VISIBLE_PART,
    BackdropView,
    ColourShift,
    PicturePlan,
    PlacedObject,
    Pose,
    PostProcessing,
)
from labeler.demo.composer.recipes import Recipe
from labeler.demo.composer.scenes import STAGING, Posture, SceneKind
from labeler.demo.composer.sprites import cutout_mask

_TRIES = 12
_CLEARLY_VISIBLE = VISIBLE_PART + 0.1
_CLEARLY_HIDDEN = VISIBLE_PART - 0.15
# Few steps of zoom, so that backdrops already scaled can be used again.
_ZOOMS = {
    Posture.STANDS: (1.08, 1.16, 1.26),
    Posture.LIES: (1.1, 1.35, 1.6),
    Posture.FLOATS: (1.1, 1.25, 1.4),
}

_PosedCutout = tuple[Cutout, Pose]


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """Posed cut-outs from the farthest to the nearest, and the visible part of each."""

    cutouts: tuple[_PosedCutout, ...]
    parts: tuple[float, ...]


def plan_picture(
    *, seed: int, key: str, target: str, cutouts: Sequence[Cutout], recipe: Recipe
) -> PicturePlan:
    """Decide everything about one picture of the target class."""
    rng = Random(_number(seed, "picture", key))
    subject = rng.choice(_of_class(target, cutouts))
    kind = rng.choice(subject.scenes)
    view = _view(rng, seed, kind, recipe)
    arrangement = _arrange(rng, subject, cutouts, view, recipe)
    return PicturePlan(
        size=recipe.size,
        target=target,
        view=view,
        objects=_placed(rng, arrangement, recipe),
        finish=_post_processing(rng, recipe),
    )


def _number(seed: int, *words: object) -> int:
    """Hash a seed and texts to a number."""
    text = "\x1f".join(str(word) for word in (seed, *words))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def _of_class(target: str, cutouts: Sequence[Cutout]) -> list[Cutout]:
    found = [cutout for cutout in cutouts if cutout.wnid == target]
    if not found:
        raise RefusedError(f"No cut-out shows the class {target}; choose one that the demo has.")
    return found


def _view(rng: Random, seed: int, kind: SceneKind, recipe: Recipe) -> BackdropView:
    """Choose a backdrop, and the part of it that the picture shows."""
    number = _number(seed, kind.value, rng.randrange(recipe.backdrops), recipe.clutter)
    backdrop = Backdrop(
        kind=kind,
        seed=number,
        horizon=Random(number).uniform(*STAGING[kind].horizon),
        clutter=Random(number).uniform(*recipe.clutter),
    )
    width, height = BACKDROP_SIZE
    wide = min(width, height * recipe.size[0] / recipe.size[1]) / _zoom(rng, kind)
    tall = wide * recipe.size[1] / recipe.size[0]
    left, top = rng.uniform(0, width - wide), rng.uniform(0, height - tall)
    return BackdropView(
        backdrop=backdrop,
        crop=(left, top, left + wide, top + tall),
        flip=rng.random() < 0.5,
        horizon=(backdrop.horizon * height - top) / tall,
        light=rng.choice((-1.0, 1.0)) * rng.uniform(0.3, 1.0),
    )


def _zoom(rng: Random, kind: SceneKind) -> float:
    return rng.choice(_ZOOMS[STAGING[kind].posture])


def _arrange(
    rng: Random, subject: Cutout, cutouts: Sequence[Cutout], view: BackdropView, recipe: Recipe
) -> _Arrangement:
    """Place the subject, and perhaps other objects."""
    main = (subject, place_subject(rng, subject, view, recipe))
    arrangement = _measure_visibility([main], recipe)
    while not _fits(arrangement, main, recipe):
        main = (subject, place_subject(rng, subject, view, replace(recipe, crop=0.0)))
        arrangement = _measure_visibility([main], recipe)
    others = _companions(subject, cutouts, view.backdrop.kind)
    for _ in range(recipe.most_objects - 1):
        if others and rng.random() < recipe.extra:
            other = _companion(rng, subject, others)
            others = [cutout for cutout in others if cutout.wnid != other.wnid]
            arrangement = _with_side(rng, arrangement, other, main=main, view=view, recipe=recipe)
    return arrangement


def _companions(subject: Cutout, cutouts: Sequence[Cutout], kind: SceneKind) -> list[Cutout]:
    """List the cut-outs of other classes that belong in the same scene."""
    return [
        cutout for cutout in cutouts if kind in cutout.scenes and not cutout.labels & subject.labels
    ]


def _companion(rng: Random, subject: Cutout, others: list[Cutout]) -> Cutout:
    """Choose an object of the subject's theme, if there are any."""
    related = [cutout for cutout in others if cutout.theme == subject.theme]
    return rng.choice(related or others)


def _with_side(
    rng: Random,
    arrangement: _Arrangement,
    other: Cutout,
    *,
    main: _PosedCutout,
    view: BackdropView,
    recipe: Recipe,
) -> _Arrangement:
    """Add an object if everything remains clearly visible or clearly hidden; else leave it out."""
    for _ in range(_TRIES):
        side = (other, place_side(rng, other, main, view, recipe))
        larger = _measure_visibility([*arrangement.cutouts, side], recipe)
        if _fits(larger, main, recipe):
            return larger
    return arrangement


def _measure_visibility(cutouts: Sequence[_PosedCutout], recipe: Recipe) -> _Arrangement:
    """Order objects by their lower edge, and measure how much of each is visible."""
    if len(cutouts) == 1 and not recipe.crop:
        return _Arrangement(tuple(cutouts), (1.0,))
    ordered = sorted(cutouts, key=lambda item: item[1].y + item[1].height / 2)
    outlines = [(cutout_mask(cutout.path), pose) for cutout, pose in ordered]
    return _Arrangement(tuple(ordered), tuple(visible_parts(outlines, recipe.size)))


def _fits(arrangement: _Arrangement, main: _PosedCutout, recipe: Recipe) -> bool:
    """Return whether the subject shows enough, and every other object clearly does or doesn't."""
    hidden_limit = _CLEARLY_HIDDEN if recipe.glimpses else -1.0
    # Counting on a grid is inexact, even for an object that isn't hidden.
    needed = max(SUBJECT_PART, 0.98 - recipe.overlap - recipe.crop)
    return all(
        part >= needed if item is main else part >= _CLEARLY_VISIBLE or 0.0 < part <= hidden_limit
        for item, part in zip(arrangement.cutouts, arrangement.parts, strict=True)
    )


def _placed(rng: Random, arrangement: _Arrangement, recipe: Recipe) -> tuple[PlacedObject, ...]:
    whole = recipe.size[0] * recipe.size[1]
    return tuple(
        PlacedObject(
            file=cutout.file,
            wnid=cutout.wnid,
            labels=cutout.labels,
            pose=pose,
            colour=_colour(rng, 0.6 * recipe.colour),
            visible=part,
            area=unoccluded_area(cutout_mask(cutout.path), pose) / whole,
        )
        for (cutout, pose), part in zip(arrangement.cutouts, arrangement.parts, strict=True)
    )


def _colour(rng: Random, strength: float) -> ColourShift:
    return ColourShift(
        brightness=1.0 + strength * rng.uniform(-0.5, 0.7),
        contrast=1.0 + strength * rng.uniform(-0.6, 0.6),
        saturation=1.0 + strength * rng.uniform(-1.0, 0.8),
        warmth=strength * rng.uniform(-0.5, 0.5),
    )


def _post_processing(rng: Random, recipe: Recipe) -> PostProcessing:
    return PostProcessing(
        grade=_colour(rng, recipe.colour),
        vignette=rng.uniform(0.05, 0.22),
        blur=rng.uniform(*recipe.blur),
        noise=rng.uniform(*recipe.noise),
        noise_seed=rng.getrandbits(32),
    )
