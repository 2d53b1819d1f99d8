"""What simulated people know of a picture that nobody else may know: what is in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.study.entities import ImageKey
from labeler.demo.identity import DEMO_SEED

_ORGANISM = "n00004475"
_HARDER_NEW, _HARDER_ORGANISM = 0.35, 0.45


def seeded_chance(*about: str) -> Random:
    """The same luck for the same person and thing, on every machine."""
    return Random(" ".join((str(DEMO_SEED), *about)))


@dataclass(frozen=True, slots=True)
class PictureContents:
    """A picture with its subject, everything visible in it, and how hard it is to tell."""

    key: str
    target: str
    truth: frozenset[str]
    hardness: float

    @property
    def others(self) -> list[str]:
        return sorted(self.truth - {self.target})


class PictureReader:
    """Knows a picture by its file: the demo's folders are named after the targets."""

    def __init__(self, truth: Mapping[ImageKey, frozenset[str]], taxonomy: Taxonomy) -> None:
        self._truth = truth
        self._taxonomy = taxonomy

    def look_at(self, file: Path) -> PictureContents:
        dataset, target, name = file.parts[-3:]
        image = ImageKey(dataset, f"{target}/{name}")
        key = f"{dataset}/{image.image}"
        truth = self._truth.get(image, frozenset({target}))
        return PictureContents(key, target, truth, self._hardness(key, dataset, target))

    def _hardness(self, key: str, dataset: str, target: str) -> float:
        """The same for everybody, so that some pictures are hard for all."""
        organism = self._taxonomy.is_under(target, _ORGANISM)
        harder = _HARDER_NEW * (dataset == "new") + _HARDER_ORGANISM * organism
        return seeded_chance("hardness", key).gauss(0.0, 1.0) + harder
