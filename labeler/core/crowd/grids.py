"""Arrange the images to ask about into grids, with controls at random positions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.crowd.entities import GridImage, GridRole
from labeler.core.hash_order import shuffled
from labeler.core.study.entities import ImageKey

ImagesByClass = Mapping[str, Sequence[ImageKey]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRules:
    """How many images a grid has, and how many of them are controls."""

    images: int = 48
    positive: int = 3
    negative: int = 3

    @property
    def candidates(self) -> int:
        return self.images - self.positive - self.negative


# Tsipras et al. ask without negative controls.
MULTI_LABEL_RULES = GridRules(positive=5, negative=0)


@dataclass(frozen=True, slots=True)
class PlannedGrid:
    """A grid that isn't stored yet; its images are in the order of their positions, from 1."""

    label: str
    images: tuple[GridImage, ...]


def nearest_class_with_images(wnid: str, taxonomy: Taxonomy, images: ImagesByClass) -> str | None:
    """Return the nearest other class that has images, whose images are negative controls."""
    nearest = taxonomy.nearest_classes(wnid, len(taxonomy.class_wnids))
    return next((other for other in nearest if images.get(other)), None)


def plan_grids(
    requests: ImagesByClass,
    *,
    references: ImagesByClass,
    taxonomy: Taxonomy,
    rules: GridRules,
    seed: int,
    used: Mapping[ImageKey, int] | None = None,
) -> Iterator[PlannedGrid]:
    """Yield the grids that ask about all requested images, class by class in wnid order.

    Controls are drawn from `references`: those of the class are positive, those of its nearest
    class negative. The least used come first, also across classes, because no annotator is given
    two grids with the same control; `used` counts them in earlier rounds.
    """
    uses = Counter(used or {})
    for label in sorted(requests):
        asked = set(requests[label])
        opposite = nearest_class_with_images(label, taxonomy, references)
        yield from _ClassPlanner(
            label,
            requests[label],
            positives=[image for image in references.get(label, ()) if image not in asked],
            negatives=[i for i in references.get(opposite or "", ()) if i not in asked],
            rules=rules,
            seed=seed,
            uses=uses,
        ).grids()


class _ClassPlanner:
    """Plans the grids of one class."""

    def __init__(
        self,
        label: str,
        images: Sequence[ImageKey],
        *,
        positives: Sequence[ImageKey],
        negatives: Sequence[ImageKey],
        rules: GridRules,
        seed: int,
        uses: Counter[ImageKey],
    ) -> None:
        self._label, self._rules, self._seed = label, rules, seed
        self._uses = uses
        self._images = self._shuffled(dict.fromkeys(images), "grid candidates")
        self._positives = self._shuffled(positives, "positive controls")
        self._negatives = self._shuffled(negatives, "negative controls")

    def grids(self) -> Iterator[PlannedGrid]:
        size = self._rules.candidates
        for number, start in enumerate(range(0, len(self._images), size)):
            chunk = self._images[start : start + size]
            earlier = self._shuffled(self._images[:start], f"fill of grid {number}")
            filled = [*chunk, *earlier[: size - len(chunk)]]
            roles = dict.fromkeys(filled, GridRole.CANDIDATE)
            roles |= self._controls(missing=size - len(filled))
            ordered = self._shuffled(roles, f"positions of grid {number}")
            yield PlannedGrid(self._label, tuple(GridImage(i, roles[i]) for i in ordered))

    def _controls(self, missing: int) -> dict[ImageKey, GridRole]:
        """Return the controls; they also fill a grid that has too few candidates."""
        negative = missing // 2 if self._rules.negative else 0
        positives = self._take(self._positives, self._rules.positive + missing - negative)
        negatives = self._take(self._negatives, self._rules.negative + negative)
        return {
            **dict.fromkeys(positives, GridRole.POSITIVE),
            **dict.fromkeys(negatives, GridRole.NEGATIVE),
        }

    def _take(self, controls: Sequence[ImageKey], count: int) -> list[ImageKey]:
        """Return the least used controls, each at most once."""
        taken = sorted(controls, key=lambda image: self._uses[image])[:count]
        self._uses.update(taken)
        return taken

    def _shuffled(self, images: Iterable[ImageKey], purpose: str) -> list[ImageKey]:
        return shuffled(
            images,
            seed=self._seed,
            purpose=purpose,
            key=lambda image: (self._label, image.dataset, image.image),
        )
