"""In which order predictions made elsewhere stand: declared, never guessed."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from labeler.core.errors import RefusedError


class ImageOrder(StrEnum):
    """The orders that have a name; any other is given as a file of image names."""

    STUDY = "study"
    NAMES = "names"
    NUMBERS = "numbers"


def ordinals_in_order(names: Sequence[str], order: ImageOrder) -> list[int]:
    """The ordinals of a dataset's images in an order; `names` stand by ordinal.

    `names` goes by folder and file as text, as image folders of most libraries do. `numbers` takes
    the folders as numbers, as ImageNetV2's 0…999 are meant.
    """
    match order:
        case ImageOrder.STUDY:
            return list(range(len(names)))
        case ImageOrder.NAMES:
            return sorted(range(len(names)), key=lambda n: names[n].split("/"))
        case ImageOrder.NUMBERS:
            return sorted(range(len(names)), key=lambda n: _by_number(names[n]))


def ordinals_by_list(names: Sequence[str], listed: Sequence[str]) -> list[int]:
    """The ordinals of a dataset's images as a list names them: all, and each once."""
    places = {name: ordinal for ordinal, name in enumerate(names)}
    for line, name in enumerate(listed, start=1):
        if name not in places:
            raise RefusedError(f"Line {line} of the order, '{name}', is no image of the dataset.")
    twice = [name for name, count in Counter(listed).items() if count > 1]
    if twice:
        raise RefusedError(f"The order names '{twice[0]}' twice.")
    require_image_count(len(listed), len(names), what="The order")
    return [places[name] for name in listed]


def require_image_count(given: int, images: int, *, what: str) -> None:
    """Refuse what isn't exactly as long as the dataset."""
    if given != images:
        raise RefusedError(
            f"{what} has {given:,} entries, but the dataset has {images:,} images: they can't be "
            "brought together. Nothing was imported."
        )


def _by_number(name: str) -> tuple[int, list[str]]:
    folder, _, rest = name.partition("/")
    if not folder.isdigit() or not rest:
        raise RefusedError(
            f"The order 'numbers' needs folders 0, 1, 2 …, but there is '{name}': say in which "
            "other order the predictions stand.",
            by_command="`--order` says it.",
        )
    return int(folder), rest.split("/")
