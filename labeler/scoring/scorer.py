"""One loaded model on one device: chunks of images in, ranked labels out."""

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

# A single CPU thread gains nothing beyond 32 images; a GPU is tried up to its memory.
_CPU_SIZES = (8, 16, 32)
_GPU_SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
_PROBE_BATCH = 32
# torch watches a graph's first runs and then makes it again.
_WARM_UP_RUNS = 3

_ASSUMED_ORDER = (
    "{weights} doesn't say which output is which class: ImageNet's order is taken for granted. If "
    "all were mixed up it would be noticed, if only some were it wouldn't. A class list makes sure."
)

NoticeCallback = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PendingChunk:
    """A chunk whose images may be being decoded already."""

    chunk: ScoringChunk
    images: PendingImages


class Scorer:
    """Loads what the setup asks for, and scores; `say` hears what a lead should know meanwhile."""

    def __init__(self, setup: ScoringSetup, device: str, *, say: NoticeCallback) -> None:
        self._setup = setup
        self._say = say
        self._device = torch.device(device)
        configure_device(self._device)
        self._model = load_model(setup.spec)
        self._columns = class_columns(self._model, classes=setup.spec.classes, wnids=setup.wnids)
        if is_order_assumed(self._model, classes=setup.spec.classes):
            say(_ASSUMED_ORDER.format(weights=self._model.weights))
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
        """Have the chunk's images decoded, now or when they are needed."""
        return PendingChunk(chunk, self._decoding.begin(chunk))

    def finish(self, pending: PendingChunk) -> ScoredChunk:
        """Score a chunk that was begun; unreadable images are reported, not replaced."""
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
        """Compute in the batches of the whole crew, as far as they fit here.

        In others the same image would get other last digits, and small chunks be filled up.
        """
        size = min(wanted or self._batch_size, self._largest_fitting or sys.maxsize)
        if size != self._batch_size:
            self._batch_size = size
            self._warm_up()

    def _rank(self, images: list[Tensor]) -> RankedBatch:
        def halved(size: int) -> None:
            self._largest_fitting = size
            self._say(f"Out of memory: going on with batches of {size}.")

        ranked, self._batch_size = with_smaller_batches(
            lambda size: self._batches.rank(images, size), self._batch_size, halved=halved
        )
        return ranked

    def _choose_precision(self) -> tuple[Precision, BatchRunner]:
        """The precision to compute in: half of it only on a GPU, and where no label changes."""
        wanted = self._setup.precision
        if wanted in DTYPES and self._device.type == "cpu":
            # Some processors announce half precision and die of it; none gains by it here.
            raise RefusedError(
                "Half precision is for GPUs: compute in full precision here.",
                by_command="`--precision float32` does, or `--device cuda` where there is one.",
            )
        if wanted is not Precision.AUTO:
            return wanted, self._make_runner(wanted)
        full = self._make_runner(Precision.FLOAT32)
        if self._device.type != "cuda" or not self._setup.probe:
            return Precision.FLOAT32, full
        half = self._make_runner(Precision.FLOAT16)
        changed, images = self._changed_labels(full, half)
        if changed:
            self._say(f"Half precision changes {changed} of {images} labels: full precision.")
            return Precision.FLOAT32, full
        return Precision.FLOAT16, half

    def _changed_labels(self, full: BatchRunner, half: BatchRunner) -> tuple[int, int]:
        probe = tuple(ImageToScore(n, path) for n, path in enumerate(self._setup.probe))
        images = _tensors(self._decoding.begin(ScoringChunk(0, probe, apply_exif=False))())
        if not images:
            return 0, 0
        (one, other), _size = with_smaller_batches(
            lambda size: (full.rank(images, size), half.rank(images, size)),
            min(_PROBE_BATCH, len(images)),
            halved=lambda _size: None,
        )
        return int((one.labels[:, 0] != other.labels[:, 0]).sum()), len(images)

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
        # Next to other programs the time of day would blame the batch for what they do.
        seconds = time.process_time if self._device.type == "cpu" else time.perf_counter
        return fastest_batch_size(
            lambda size: self._batches.rank([blank] * size, size), sizes, seconds=seconds
        )

    def _warm_up(self) -> None:
        """Have a graph settle on its kernels, so that the first images get the same numbers."""
        blank = torch.zeros(self._transform.input_size, dtype=torch.uint8)
        for _ in range(_WARM_UP_RUNS):
            self._rank([blank] * self._batch_size)


def library_versions() -> dict[str, str]:
    """What a prediction may depend on besides the model."""
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
    """Decoders next to a GPU: the cores, shared among the machine's GPUs."""
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
