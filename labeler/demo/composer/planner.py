"""Drawing a picture's plan from a seed, the same on every machine and in any order."""

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

_Staged = tuple[Cutout, Pose]


@dataclass(frozen=True, slots=True)
class _Staging:
    """Objects in their places from the farthest to the nearest, and the part seen of each."""

    staged: tuple[_Staged, ...]
    parts: tuple[float, ...]


def plan_picture(
    *, seed: int, key: str, target: str, cutouts: Sequence[Cutout], recipe: Recipe
) -> PicturePlan:
    """Decide everything about one picture of the target class."""
    rng = Random(_number(seed, "picture", key))
    subject = rng.choice(_of_class(target, cutouts))
    kind = rng.choice(subject.scenes)
    view = _view(rng, seed, kind, recipe)
    cast = _stage(rng, subject, cutouts, view, recipe)
    return PicturePlan(
        size=recipe.size,
        target=target,
        view=view,
        objects=_placed(rng, cast, recipe),
        finish=_post_processing(rng, recipe),
    )


def _number(seed: int, *words: object) -> int:
    """Turn a seed and some words into a number without any order to keep."""
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


def _stage(
    rng: Random, subject: Cutout, cutouts: Sequence[Cutout], view: BackdropView, recipe: Recipe
) -> _Staging:
    """Put the subject and perhaps others in their places."""
    main = (subject, place_subject(rng, subject, view, recipe))
    cast = _measure_visibility([main], recipe)
    while not _fits(cast, main, recipe):
        main = (subject, place_subject(rng, subject, view, replace(recipe, crop=0.0)))
        cast = _measure_visibility([main], recipe)
    others = _companions(subject, cutouts, view.backdrop.kind)
    for _ in range(recipe.most_objects - 1):
        if others and rng.random() < recipe.extra:
            other = _companion(rng, subject, others)
            others = [cutout for cutout in others if cutout.wnid != other.wnid]
            cast = _with_side(rng, cast, other, main=main, view=view, recipe=recipe)
    return cast


def _companions(subject: Cutout, cutouts: Sequence[Cutout], kind: SceneKind) -> list[Cutout]:
    """List the cut-outs of other classes that belong in the same scene."""
    return [
        cutout for cutout in cutouts if kind in cutout.scenes and not cutout.labels & subject.labels
    ]


def _companion(rng: Random, subject: Cutout, others: list[Cutout]) -> Cutout:
    """Choose among the things that are seen together with the subject, if there are any."""
    related = [cutout for cutout in others if cutout.theme == subject.theme]
    return rng.choice(related or others)


def _with_side(
    rng: Random, cast: _Staging, other: Cutout, *, main: _Staged, view: BackdropView, recipe: Recipe
) -> _Staging:
    """Add one more object where it leaves no doubt about what can be seen, or leave it out."""
    for _ in range(_TRIES):
        side = (other, place_side(rng, other, main, view, recipe))
        larger = _measure_visibility([*cast.staged, side], recipe)
        if _fits(larger, main, recipe):
            return larger
    return cast


def _measure_visibility(staged: Sequence[_Staged], recipe: Recipe) -> _Staging:
    """Order objects by the line on which they stand, and measure what can be seen of them."""
    if len(staged) == 1 and not recipe.crop:
        return _Staging(tuple(staged), (1.0,))
    ordered = sorted(staged, key=lambda item: item[1].y + item[1].height / 2)
    outlines = [(cutout_mask(cutout.path), pose) for cutout, pose in ordered]
    return _Staging(tuple(ordered), tuple(visible_parts(outlines, recipe.size)))


def _fits(cast: _Staging, main: _Staged, recipe: Recipe) -> bool:
    """Say whether the subject shows enough, and every other object clearly does or doesn't."""
    hidden_limit = _CLEARLY_HIDDEN if recipe.glimpses else -1.0
    # Counting on a grid is a little off, even for an object that nothing hides.
    needed = max(SUBJECT_PART, 0.98 - recipe.overlap - recipe.crop)
    return all(
        part >= needed if item is main else part >= _CLEARLY_VISIBLE or 0.0 < part <= hidden_limit
        for item, part in zip(cast.staged, cast.parts, strict=True)
    )


def _placed(rng: Random, cast: _Staging, recipe: Recipe) -> tuple[PlacedObject, ...]:
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
        for (cutout, pose), part in zip(cast.staged, cast.parts, strict=True)
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
