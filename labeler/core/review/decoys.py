"""Decoys: plausible labels that no model or human proposed, mixed into a blind review."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from labeler.core.classes.look_alikes import find_look_alikes
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.hash_order import hash_key, shuffled
from labeler.core.review.blinding import ImageLabelPair
from labeler.core.study.entities import ImageKey

# A decoy becomes an added label when this many reviewers accept it.
ACCEPTED_BY = 2

# As many look-alikes of a label, and as many labels of similar scenes, can become decoys.
_LOOK_ALIKES = 8
_SCENE_LABELS = 8


class DecoyCandidates:
    """Finds decoys for an image.

    A decoy is a look-alike of one of the image's labels, by the guide and the taxonomy, or a label
    that was proposed together with one of them on other images. The label it resembles is drawn
    from all labels of the image, decoys included: otherwise the label that all others resemble
    would be the proposed one.
    """

    def __init__(
        self,
        *,
        taxonomy: Taxonomy,
        guide_pairs: Collection[tuple[str, str]],
        proposals: Iterable[ImageLabelPair],
        seed: int,
    ) -> None:
        self._taxonomy, self._guide_pairs, self._seed = taxonomy, guide_pairs, seed
        self._proposed = _labels_by_image(proposals)
        self._scenes = _labels_proposed_together(self._proposed.values())
        self._related: dict[str, tuple[str, ...]] = {}

    def is_proposed(self, pair: ImageLabelPair) -> bool:
        return pair.label in self._proposed.get(pair.image, ())

    def of_image(
        self, image: ImageKey, labels: Collection[str], *, excluded: Collection[str], count: int
    ) -> tuple[str, ...]:
        """Return up to `count` decoys; a smaller count gives the first of them."""
        taken = {*labels, *excluded, *self._proposed.get(image, ())}
        resembled = sorted(labels)
        decoys: list[str] = []
        while resembled and len(decoys) < count:
            found = self._resembling_one(image, resembled, taken, number=len(decoys))
            if found is None:
                break
            decoys.append(found)
            resembled.append(found)
            taken.add(found)
        return tuple(decoys)

    def _resembling_one(
        self, image: ImageKey, resembled: Sequence[str], taken: Collection[str], *, number: int
    ) -> str | None:
        """Return a class that resembles one of the labels, drawn at random, or None."""
        parts = (image.dataset, image.image, str(number))
        drawn = shuffled(
            resembled, seed=self._seed, purpose="label to resemble", key=lambda w: (*parts, w)
        )
        for wnid in drawn:
            related = [other for other in self._related_to(wnid) if other not in taken]
            # A class that occurs nowhere else would be recognized as a decoy.
            free = [other for other in related if other in self._scenes] or related
            if free:
                turn = int.from_bytes(hash_key(self._seed, "decoy", *parts, wnid)[:4])
                return free[turn % len(free)]
        return None

    def _related_to(self, wnid: str) -> tuple[str, ...]:
        known = self._related.get(wnid)
        if known is None:
            alike = find_look_alikes(
                wnid,
                taxonomy=self._taxonomy,
                guide_pairs=self._guide_pairs,
                confusions={},
                count=_LOOK_ALIKES,
            )
            scene = _most_common(self._scenes.get(wnid, Counter()))
            # A dict keeps the order and drops duplicates.
            names = dict.fromkeys(chain((a.wnid for a in alike), scene))
            known = self._related[wnid] = tuple(names)
        return known


def _most_common(labels: Counter[str]) -> list[str]:
    """Return the most common labels; equally common ones by wnid, so that a seed gives one plan."""
    return sorted(labels, key=lambda wnid: (-labels[wnid], wnid))[:_SCENE_LABELS]


def _labels_by_image(pairs: Iterable[ImageLabelPair]) -> dict[ImageKey, set[str]]:
    labels: dict[ImageKey, set[str]] = defaultdict(set)
    for pair in pairs:
        labels[pair.image].add(pair.label)
    return dict(labels)


def _labels_proposed_together(images: Iterable[Collection[str]]) -> Mapping[str, Counter[str]]:
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for labels in images:
        ordered = sorted(labels)
        for wnid in ordered:
            # A class without others is in the mapping, too.
            together[wnid].update(other for other in ordered if other != wnid)
    return together
