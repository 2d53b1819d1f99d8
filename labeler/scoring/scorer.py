"""Score chunks of images with one model on one device."""

import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import PIL
import timm
import torch
import torchvision
from torch import Tensor

from labeler import __version__
from labeler.core.errors import RefusedError
from labeler.core.models.scoring import (
    ImageToScore,
    ModelFacts,
    Precision,
    ScoredChunk,
    ScoringChunk,
    ScoringSetup,
    UnreadableFile,
)
from labeler.scoring.batch_size import fastest_batch_size, with_smaller_batches
from labeler.scoring.class_lists import class_columns, is_order_assumed
from labeler.scoring.devices import configure_device, describe_device
from labeler.scoring.inference import DTYPES, BatchRunner, RankedBatch, optimized_forward
from labeler.scoring.model_loader import load_model
from labeler.scoring.preprocessing import ChunkDecoder, DecodedImage, PendingImages, model_transform

# A single CPU thread is no faster with more than 32 images; a GPU is tried up to its memory.
_CPU_SIZES = (8, 16, 32)
_GPU_SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
_PROBE_BATCH = 32
# torch profiles the first runs of a graph and then compiles it again.
_WARM_UP_RUNS = 3

ASSUMED_ORDER = (
    "{weights} doesn't contain the order of the classes, so ImageNet's order is assumed. An order "
    "that is wrong throughout would be detected, a few swapped classes would not. Give a class "
    "list to be sure."
)
SMALLER_BATCHES = "Memory ran out. Continuing with a batch size of {size}."
HALF_PRECISION_DIFFERS = (
    "Half precision changes {changed} of {images} labels, so full precision is used."
)
HALF_PRECISION_ON_CPU = "Half precision needs a GPU. Choose full precision."
HALF_PRECISION_ON_CPU_COMMAND = "Use `--precision float32`, or `--device cuda` if there is a GPU."

NoticeCallback = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PendingChunk:
    """A chunk whose images may already be being decoded."""

    chunk: ScoringChunk
    images: PendingImages


class Scorer:
    """Loads the model of a setup and scores; `notify` receives messages for the lead."""

    def __init__(self, setup: ScoringSetup, device: str, *, notify: NoticeCallback) -> None:
        self._setup = setup
        self._notify = notify
        self._device = torch.device(device)
        configure_device(self._device)
        self._model = load_model(setup.spec)
        self._columns = class_columns(self._model, classes=setup.spec.classes, wnids=setup.wnids)
        if is_order_assumed(self._model, classes=setup.spec.classes):
            notify(ASSUMED_ORDER.format(weights=self._model.weights))
        self._transform = model_transform(self._model.module)
        self._decoding = ChunkDecoder(self._transform, threads=_decoding_threads(self._device))
        self._precision, self._batches = self._choose_precision()
        self._largest_fitting: int | None = None
        self._batch_size = setup.spec.batch_size or self._find_batch_size()
        self._warm_up()

    @property
    def facts(self) -> ModelFacts:
        return ModelFacts(
            architecture=self._setup.spec.model,
            weights=self._model.weights,
            weights_hash=self._model.weights_hash,
            parameters=self._model.parameters,
            classes=self._columns.sentence,
            transform=self._transform.facts,
            precision=self._precision.value,
            device=describe_device(self._device),
            batch_size=self._batch_size,
            versions=library_versions(),
        )

    def begin(self, chunk: ScoringChunk) -> PendingChunk:
        """Decode the images of the chunk, now or when they are needed."""
        return PendingChunk(chunk, self._decoding.begin(chunk))

    def finish(self, pending: PendingChunk) -> ScoredChunk:
        """Score a chunk that was begun; unreadable images are listed in the result."""
        decoded = pending.images()
        unreadable = tuple(item for item in decoded if isinstance(item, UnreadableFile))
        refused = {file.ordinal for file in unreadable}
        ordinals = tuple(i.ordinal for i in pending.chunk.images if i.ordinal not in refused)
        if not ordinals:
            return _empty(pending.chunk, unreadable, self._setup)
        self._use_batch_size(pending.chunk.batch_size)
        ranked = self._rank(_tensors(decoded))
        logits = ranked.logits if self._setup.wants_logits else None
        return ScoredChunk(
            pending.chunk.number, ordinals, ranked.labels, ranked.scores, unreadable, logits
        )

    def score(self, chunk: ScoringChunk) -> ScoredChunk:
        return self.finish(self.begin(chunk))

    def close(self) -> None:
        self._decoding.close()

    def _use_batch_size(self, wanted: int | None) -> None:
        """Use the batch size of all workers, if it fits into this device's memory.

        With another size the last digits of the scores would differ, and small chunks be padded.
        """
        size = min(wanted or self._batch_size, self._largest_fitting or sys.maxsize)
        if size != self._batch_size:
            self._batch_size = size
            self._warm_up()

    def _rank(self, images: list[Tensor]) -> RankedBatch:
        def halved(size: int) -> None:
            self._largest_fitting = size
            self._notify(SMALLER_BATCHES.format(size=size))

        ranked, self._batch_size = with_smaller_batches(
            lambda size: self._batches.rank(images, size), self._batch_size, halved=halved
        )
        return ranked

    def _choose_precision(self) -> tuple[Precision, BatchRunner]:
        """Choose the precision: half only on a GPU, and only if no label changes."""
        wanted = self._setup.precision
        if wanted in DTYPES and self._device.type == "cpu":
            # Some processors claim to support half precision and crash; none is faster with it.
            raise RefusedError(HALF_PRECISION_ON_CPU, by_command=HALF_PRECISION_ON_CPU_COMMAND)
        if wanted is not Precision.AUTO:
            return wanted, self._make_runner(wanted)
        full = self._make_runner(Precision.FLOAT32)
        if self._device.type != "cuda" or not self._setup.probe:
            return Precision.FLOAT32, full
        half = self._make_runner(Precision.FLOAT16)
        changed, images = self._changed_labels(full, half)
        if changed:
            self._notify(HALF_PRECISION_DIFFERS.format(changed=changed, images=images))
            return Precision.FLOAT32, full
        return Precision.FLOAT16, half

    def _changed_labels(self, full: BatchRunner, half: BatchRunner) -> tuple[int, int]:
        probe = tuple(ImageToScore(n, path) for n, path in enumerate(self._setup.probe))
        images = _tensors(self._decoding.begin(ScoringChunk(0, probe, apply_exif=False))())
        if not images:
            return 0, 0
        (in_full, in_half), _size = with_smaller_batches(
            lambda size: (full.rank(images, size), half.rank(images, size)),
            min(_PROBE_BATCH, len(images)),
            halved=lambda _size: None,
        )
        return int((in_full.labels[:, 0] != in_half.labels[:, 0]).sum()), len(images)

    def _make_runner(self, precision: Precision) -> BatchRunner:
        forward = optimized_forward(
            self._model.module,
            device=self._device,
            size=self._transform.input_size,
            precision=precision,
        )
        return BatchRunner(
            forward,
            self._transform,
            self._columns,
            device=self._device,
            ranks=self._setup.ranks,
        )

    def _find_batch_size(self) -> int:
        blank = torch.zeros(self._transform.input_size, dtype=torch.uint8)
        sizes = _CPU_SIZES if self._device.type == "cpu" else _GPU_SIZES
        # Wall-clock time would include the time that other programs use.
        seconds = time.process_time if self._device.type == "cpu" else time.perf_counter
        return fastest_batch_size(
            lambda size: self._batches.rank([blank] * size, size), sizes, seconds=seconds
        )

    def _warm_up(self) -> None:
        """Run some batches until the graph is final, so that the first images get equal numbers."""
        blank = torch.zeros(self._transform.input_size, dtype=torch.uint8)
        for _ in range(_WARM_UP_RUNS):
            self._rank([blank] * self._batch_size)


def library_versions() -> dict[str, str]:
    """Return the versions of everything that a prediction depends on besides the model."""
    return {
        "labeler": __version__,
        "torch": torch.__version__,
        "torchvision": torchvision.__version__,
        "timm": timm.__version__,
        "Pillow": PIL.__version__,
        "Python": platform.python_version(),
    }


def _tensors(decoded: list[DecodedImage]) -> list[Tensor]:
    return [item for item in decoded if isinstance(item, Tensor)]


def _decoding_threads(device: torch.device) -> int:
    """Return the number of decoding threads per GPU: the cores divided by the GPUs."""
    if device.type == "cpu":
        return 0
    cores = os.cpu_count() or 1
    gpus = torch.cuda.device_count() if device.type == "cuda" else 1
    return max(2, cores // max(gpus, 1))


def _empty(
    chunk: ScoringChunk, unreadable: tuple[UnreadableFile, ...], setup: ScoringSetup
) -> ScoredChunk:
    nothing = torch.empty(0, min(setup.ranks, len(setup.wnids))).numpy()
    return ScoredChunk(chunk.number, (), nothing.astype("uint16"), nothing, unreadable)
