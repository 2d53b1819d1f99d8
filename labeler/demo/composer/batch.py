"""Composes many demo images in parallel, and reports the classes visible in each."""

import multiprocessing
import os
import signal
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from itertools import groupby, zip_longest
from pathlib import Path
from random import Random

from PIL import Image

from labeler.core.errors import EnvironmentFault
from labeler.demo.composer.backgrounds import shared_painter
from labeler.demo.composer.cutouts import Cutout, load_cutouts
from labeler.demo.composer.plan import visible_classes
from labeler.demo.composer.planner import plan_picture
from labeler.demo.composer.recipes import Recipe
from labeler.demo.composer.render import render_picture

IntColour = tuple[int, int, int]

# How much of the scene a further take shows, in each direction.
_PART = 8 / 9
# The light of noon, evening, shade, haze, dusk and a lamp, and its range of strength.
_LIGHTS: tuple[IntColour, ...] = (
    (255, 250, 240),
    (255, 190, 120),
    (120, 150, 190),
    (205, 215, 225),
    (40, 45, 70),
    (250, 225, 170),
)
_FAINTEST, _STRONGEST = 0.02, 0.17


def photo_variant(picture: Image.Image, *, rng: Random, mirrored: bool) -> Image.Image:
    """Return another photograph of the same scene, which is faster than composing a new one."""
    width, height = round(picture.width * _PART), round(picture.height * _PART)
    left = rng.randint(0, picture.width - width)
    top = rng.randint(0, picture.height - height)
    part = picture.crop((left, top, left + width, top + height))
    turned = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if mirrored else part
    light = _solid_colour(turned.size, rng.choice(_LIGHTS))
    return Image.blend(turned, light, rng.uniform(_FAINTEST, _STRONGEST))


@lru_cache(maxsize=32)
def _solid_colour(size: tuple[int, int], colour: IntColour) -> Image.Image:
    return Image.new("RGB", size, colour)


_QUALITY = 88
_BATCH = 64
_NO_PATH = Path()


@dataclass(frozen=True, slots=True)
class ComposeJob:
    """One image to compose: its file, and what it is composed from.

    Take 0 is the whole scene. Jobs that differ only in `take` show the same scene shifted, mirrored
    and in other light, which is much faster than a new scene if they follow each other.
    """

    path: Path
    key: str
    target: str
    recipe: Recipe
    seed: int
    take: int = 0


@dataclass(frozen=True, slots=True)
class ComposedFile:
    """A composed image, and every class that is visible in it."""

    path: Path
    truth: frozenset[str]


def compose_many(
    jobs: Sequence[ComposeJob], cutouts_folder: Path, *, workers: int | None = None
) -> Iterator[ComposedFile]:
    """Compose images in several processes; yield each when its batch is done.

    Images of one call share painted backdrops, so one large call is the fastest.
    """
    load_cutouts(cutouts_folder)
    count = workers or os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="labeler-backdrops-") as shared:
        batches = _batches(jobs, cutouts_folder, Path(shared))
        if count == 1 or len(jobs) <= _BATCH:
            yield from _in_this_process(batches)
        else:
            yield from _in_processes(batches, count)


@dataclass(frozen=True, slots=True)
class _Batch:
    jobs: tuple[ComposeJob, ...]
    cutouts: Path
    backdrops: Path


def _batches(jobs: Sequence[ComposeJob], cutouts: Path, backdrops: Path) -> list[_Batch]:
    starts = range(0, len(jobs), _BATCH)
    return [_Batch(tuple(jobs[start : start + _BATCH]), cutouts, backdrops) for start in starts]


def _in_this_process(batches: Sequence[_Batch]) -> Iterator[ComposedFile]:
    try:
        for batch in batches:
            yield from _compose_batch(batch)
    finally:
        # The backdrops are large, and not needed any more.
        shared_painter.cache_clear()


def _in_processes(batches: Sequence[_Batch], workers: int) -> Iterator[ComposedFile]:
    """Give each process consecutive batches, because they share sprites and backdrops."""
    # A forked copy of a process that runs Qt or holds a database open is not safe to use.
    context = multiprocessing.get_context("spawn")
    share = -(-len(batches) // workers)
    with ExitStack() as stack:
        queues: list[list[Future[list[ComposedFile]]]] = []
        for start in range(0, len(batches), share):
            pool = ProcessPoolExecutor(1, mp_context=context, initializer=_leave_ctrl_c_to_parent)
            stack.callback(pool.shutdown, cancel_futures=True)
            queues.append([pool.submit(_compose_batch, b) for b in batches[start : start + share]])
        try:
            for batches_at_once in zip_longest(*queues):
                for future in filter(None, batches_at_once):
                    yield from future.result()
        except BrokenProcessPool:
            raise EnvironmentFault(
                "A process that composes images was killed, perhaps because the computer ran out "
                "of memory. Close other programs and try again."
            ) from None


def _leave_ctrl_c_to_parent() -> None:
    """Ignore Ctrl+C, which a terminal sends to every process; the parent handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _compose_batch(batch: _Batch) -> list[ComposedFile]:
    cutouts = _cutouts(batch.cutouts)
    painter = shared_painter(batch.backdrops)
    composed: list[ComposedFile] = []
    for scene, takes in groupby(batch.jobs, key=lambda job: replace(job, path=_NO_PATH, take=0)):
        plan = plan_picture(
            seed=scene.seed,
            key=scene.key,
            target=scene.target,
            cutouts=cutouts,
            recipe=scene.recipe,
        )
        picture = render_picture(plan, cutouts, painter=painter)
        for job in takes:
            _save(_take(job, picture), job.path)
            composed.append(ComposedFile(job.path, visible_classes(plan)))
    return composed


@lru_cache(maxsize=2)
def _cutouts(folder: Path) -> tuple[Cutout, ...]:
    return load_cutouts(folder)


def _take(job: ComposeJob, picture: Image.Image) -> Image.Image:
    if job.take == 0:
        return picture
    rng = Random(f"{job.seed} {job.key} {job.take}")
    return photo_variant(picture, rng=rng, mirrored=job.take % 2 == 1)


def _save(picture: Image.Image, path: Path) -> None:
    encoded = BytesIO()
    picture.save(encoded, "JPEG", quality=_QUALITY)
    try:
        _make_folder(path.parent)
        path.write_bytes(encoded.getbuffer())
    except OSError as error:
        raise EnvironmentFault(
            f"{path} can't be written: {error.strerror or error}. "
            "Free some space or choose another folder."
        ) from None


@lru_cache(maxsize=1)
def _make_folder(folder: Path) -> None:
    """Create the folder, once for consecutive images in it."""
    folder.mkdir(parents=True, exist_ok=True)
