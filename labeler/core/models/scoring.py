"""Types of scoring: a model with its weights, the images to score, and the results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from labeler.core.errors import RefusedError


class WeightsLocation(StrEnum):
    """Where the published weights of a model are."""

    INSTALLED = "installed"
    HUB = "hub"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """A timm model: its name with the tag of its weights, its size and its outputs."""

    name: str
    architecture: str
    input_size: int
    outputs: int
    weights: WeightsLocation
    parameters: int | None = None


def find_models(entries: Iterable[CatalogueEntry], words: Sequence[str]) -> list[CatalogueEntry]:
    """Return the models whose names contain every word; prefix matches of the first word first."""
    lowered = [word.lower() for word in words]
    matching = [e for e in entries if all(word in e.name.lower() for word in lowered)]
    if not lowered:
        return matching
    return sorted(matching, key=lambda e: not e.name.lower().startswith(lowered[0]))


Labels = npt.NDArray[np.uint16]
Scores = npt.NDArray[np.float32]
Logits = npt.NDArray[np.float32]


class Precision(StrEnum):
    """The numeric precision of a model; `auto` uses half precision if no label changes."""

    AUTO = "auto"
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"


class ScoringNotInstalledError(RefusedError):
    """Scoring was requested without torch and timm installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """A timm model and, optionally, the user's checkpoint and class list."""

    model: str
    name: str
    checkpoint: str | None = None
    classes: str | None = None
    batch_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSetup:
    """What a scoring process must know before it gets images.

    `probe` are the images on which half precision must give the same labels; every process of a run
    gets the same ones, so that all make the same decision.
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
    """Facts about a loaded model; the first half determines its predictions."""

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
        """Runs with the same identity give the same labels, so one can continue another."""
        return {
            "architecture": self.architecture,
            "weights_hash": self.weights_hash,
            "classes": self.classes,
            "transform": dict(self.transform),
            "precision": self.precision,
        }


@dataclass(frozen=True, slots=True)
class ImageToScore:
    """An image's ordinal in its dataset, its file, and the content hash when it was added."""

    ordinal: int
    path: str
    content_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class ScoringChunk:
    """Images of one dataset that are scored and stored together.

    `batch_size` is the one that the first process found best; otherwise each process chooses.
    """

    number: int
    images: tuple[ImageToScore, ...]
    apply_exif: bool
    batch_size: int | None = None


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """An image that couldn't be decoded, and why."""

    ordinal: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class ScoredChunk:
    """The result of a chunk: class indices and probabilities by image and rank."""

    number: int
    ordinals: tuple[int, ...]
    labels: Labels
    scores: Scores
    unreadable: tuple[UnreadableFile, ...] = ()
    logits: Logits | None = None

    def __len__(self) -> int:
        return len(self.ordinals) + len(self.unreadable)
