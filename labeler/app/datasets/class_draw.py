"""Drawing so many images of each class from a folder that may hold a thousand times as many."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from labeler.core.datasets.sampling import draw_per_class
from labeler.images.listed import ListedImage

ClassDraws = Mapping[str, tuple[ListedImage, ...]]

# Unreadable files are rare: so many more than wanted are kept at hand to replace them.
_SPARE_AT_LEAST = 10


def draw_by_class(listed: Iterable[ListedImage], *, per_class: int, seed: int) -> ClassDraws:
    """Of each class the wanted images and some spare ones, in the order of the draw.

    Only the names of one class are in memory at a time where a listing goes class by class.
    """
    kept = 2 * per_class + _SPARE_AT_LEAST
    draws: dict[str, tuple[ListedImage, ...]] = {}
    for wnid, images in groupby(listed, key=lambda image: image.target):
        by_name = {image.name: image for image in (*draws.get(wnid, ()), *images)}
        names = draw_per_class(by_name, count=kept, seed=seed, wnid=wnid)
        draws[wnid] = tuple(by_name[name] for name in names)
    return draws


def next_images_to_read(
    draws: ClassDraws, *, per_class: int, readable: Counter[str], tried: set[str]
) -> Iterator[ListedImage]:
    """The images to read next: as many of each class as it still lacks, if it has more."""
    for wnid, images in draws.items():
        lacking = per_class - readable[wnid]
        waiting = (image for image in images if image.name not in tried)
        for image, _place in zip(waiting, range(lacking), strict=False):
            yield image


def drawn_image_names(
    draws: ClassDraws, stored: set[str], *, per_class: int
) -> dict[str, list[str]]:
    """Of each class the names that were drawn and turned out to be readable, in order."""
    return {
        wnid: [image.name for image in images if image.name in stored][:per_class]
        for wnid, images in draws.items()
    }
