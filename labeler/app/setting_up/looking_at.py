"""A folder of images before anything of it is added: how it would be read, and a few pictures."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path

from labeler.app.dataset_request import DatasetRequest, look_at
from labeler.app.progress import Progress, Unwatched
from labeler.core.errors import LabelerError, Refused
from labeler.core.naming import counted
from labeler.core.taxonomy import Taxonomy
from labeler.images.decode import decode_scaled
from labeler.images.layouts import Layout
from labeler.images.listing import list_images

_PICTURES = 5
_SIZE = 160
# Names that are counted; a folder may hold a million.
_COUNTED = 100_000
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class FolderSeen:
    """How the folder would be read, and a few of its pictures with their targets, as JPEG."""

    layout: Layout
    sentence: str
    pictures: tuple[tuple[str, bytes], ...]


def see_folder(
    request: DatasetRequest, *, taxonomy: Taxonomy, progress: Progress | None = None
) -> FolderSeen:
    """Recognise the folder's layout, count its images, and show some of its first classes."""
    watching = progress or Unwatched()
    recognised = look_at(request)
    watching.start("Counting images", None)
    listed = list_images(
        request.path,
        recognised.layout,
        labels=request.labels,
        classes=taxonomy.class_wnids,
        on_ignored=lambda _ignored: None,
    )
    paths: dict[str, Path] = {}
    images = 0
    for image in islice(listed, _COUNTED + 1):
        images += 1
        if len(paths) < 2 * _PICTURES:
            paths.setdefault(image.target, image.path)
        watching.advance(0)
    if not images:
        raise Refused(f"There is no image in {request.path}.")
    pictures = tuple(islice(_pictures(paths, taxonomy), _PICTURES))
    sentence = f"{_counted(images)} recognised: {recognised.sentence}"
    return FolderSeen(recognised.layout, sentence, pictures)


def _counted(images: int) -> str:
    return counted(images, "image") if images <= _COUNTED else f"More than {_COUNTED:,} images"


def _pictures(paths: dict[str, Path], taxonomy: Taxonomy) -> Iterator[tuple[str, bytes]]:
    """Those that can be read; the import tells of the others."""
    for target, path in paths.items():
        try:
            image = decode_scaled(path, size=(_SIZE, _SIZE))
        except (LabelerError, OSError):
            continue
        written = BytesIO()
        image.save(written, "JPEG", quality=_QUALITY)
        yield taxonomy.display_names[target], written.getvalue()
