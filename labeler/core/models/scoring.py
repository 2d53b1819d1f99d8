"""What scoring speaks of: a model with its weights, images to score, and what came out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from labeler.core.errors import RefusedError


class WeightsLocation(StrEnum):
    """Where a model's published weights are."""

    INSTALLED = "installed"
    HUB = "hub"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """A model of timm's: its name with the tag of its weights, its size and its outputs."""

    name: str
    architecture: str
    input_size: int
    outputs: int
    weights: WeightsLocation
    parameters: int | None = None


def find_models(entries: Iterable[CatalogueEntry], words: Sequence[str]) -> list[CatalogueEntry]:
    """The models whose names hold every word, those that begin with the first before others."""
    wanted = [word.lower() for word in words]
    holding = [e for e in entries if all(word in e.name.lower() for word in wanted)]
    if not wanted:
        return holding
    return sorted(holding, key=lambda e: not e.name.lower().startswith(wanted[0]))


Labels = npt.NDArray[np.uint16]
Scores = npt.NDArray[np.float32]
Logits = npt.NDArray[np.float32]


class Precision(StrEnum):
    """In which numbers a model computes; `auto` takes half ones where no label changes."""

    AUTO = "auto"
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"


class ScoringNotInstalledError(RefusedError):
    """Scoring was asked for without torch and timm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """A model of timm's and, where given, a checkpoint and a class list of the user's own."""

    model: str
    name: str
    checkpoint: str | None = None
    classes: str | None = None
    batch_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSetup:
    """All that a scoring process must know before it sees an image.

    `probe` are the images on which half precision must give the same labels; every process of a
    run gets the same ones, so that all decide alike.
    """

    spec: ModelSpec
    wnids: tuple[str, ...]
    ranks: int = 5
    device: str = "auto"
    precision: Precision = Precision.AUTO
    wants_logits: bool = False
    probe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What a loaded model turned out to be; the first half decides what it predicts."""

    architecture: str
    weights_hash: str
    classes: str
    transform: Mapping[str, object]
    precision: str
    weights: str
    parameters: int
    device: str
    batch_size: int
    versions: Mapping[str, str]

    @property
    def identity(self) -> dict[str, object]:
        """Two runs with one identity give the same labels, so one can go on where another ended."""
        return {
            "architecture": self.architecture,
            "weights_hash": self.weights_hash,
            "classes": self.classes,
            "transform": dict(self.transform),
            "precision": self.precision,
        }


@dataclass(frozen=True, slots=True)
class ImageToScore:
    """An image's place in its dataset, and its file with the hash of what it held when added."""

    ordinal: int
    path: str
    content_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class ScoringChunk:
    """Some images of one dataset, scored and stored together.

    `batch_size` is the one that the first process found best; without it each takes its own.
    """

    number: int
    images: tuple[ImageToScore, ...]
    apply_exif: bool
    batch_size: int | None = None


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """An image that the decoder refused, and why."""

    ordinal: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class ScoredChunk:
    """What came out for a chunk: class indices and probabilities by image and rank."""

    number: int
    ordinals: tuple[int, ...]
    labels: Labels
    scores: Scores
    unreadable: tuple[UnreadableFile, ...] = ()
    logits: Logits | None = None

    def __len__(self) -> int:
        return len(self.ordinals) + len(self.unreadable)
