"""Previewing a folder of images: how it would be read, and a few of its images."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice

from labeler.app.datasets.import_request import (
    DatasetRequest,
    detect_dataset_layout,
    require_other_images,
)
from labeler.app.progress import NoProgress, ProgressReporter
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import LabelerError, RefusedError
from labeler.core.text import count_noun, join_some
from labeler.images.dataset_files import ListedImage
from labeler.images.decoder import decode_scaled
from labeler.images.listing import list_images

_PICTURES = 4
_SIZE = 320
# Counting stops here, since a folder may hold a million images.
_COUNTED = 100_000
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class FolderPreview:
    """How the folder would be read, and a few images with their targets, as JPEG.

    `sizes` are the numbers of images per class; `complete` is false if counting stopped early.
    """

    sentence: str
    pictures: tuple[tuple[str, bytes], ...]
    sizes: tuple[int, ...] = ()
    complete: bool = True

    def summary(self, per_class: int | None) -> str:
        """Describe what would be read with at most this many images per class."""
        if per_class is None or not self.complete:
            return self.sentence
        drawn = sum(min(size, per_class) for size in self.sizes)
        if drawn == sum(self.sizes):
            return self.sentence
        return f"{self.sentence} {drawn:,} of them would be drawn."


def preview_folder(
    request: DatasetRequest,
    *,
    taxonomy: Taxonomy,
    to_classify: Mapping[str, str] | None = None,
    progress: ProgressReporter | None = None,
) -> FolderPreview:
    """Recognise the folder's layout, count its images, and read a few of them.

    References are refused if they are among the images `to_classify`.
    """
    watching = progress or NoProgress()
    recognised = detect_dataset_layout(request)
    watching.start("Counting images", None)
    listed = list_images(
        request.path,
        recognised.layout,
        labels=request.labels,
        classes=taxonomy.class_wnids,
        on_ignored=lambda _ignored: None,
    )
    seen = _PreviewCounts()
    for image in islice(listed, _COUNTED + 1):
        seen.note(image, to_classify or {})
        watching.advance(0)
    images = sum(seen.sizes.values())
    if not images:
        raise RefusedError(f"There is no image in {request.path}.")
    require_other_images(seen.to_classify, images=images)
    pictures = list(islice(_pictures(seen.first, taxonomy), _PICTURES))
    sentence = recognised.with_example(pictures[0][0].name) if pictures else recognised.sentence
    complete = images <= _COUNTED
    bare = _empty_sentence(recognised.folders, seen.folders) if complete else ""
    return FolderPreview(
        f"{_counted(images)} recognised by name: {sentence}{bare}",
        tuple((name, jpeg) for _image, name, jpeg in pictures),
        tuple(seen.sizes.values()),
        complete,
    )


class _PreviewCounts:
    """The images listed so far: counts per class, the first of some classes, and folders."""

    def __init__(self) -> None:
        self.sizes: Counter[str] = Counter()
        self.first: dict[str, ListedImage] = {}
        self.folders: set[str] = set()
        self.to_classify: list[str] = []

    def note(self, image: ListedImage, to_classify: Mapping[str, str]) -> None:
        self.sizes[image.target] += 1
        self.folders.add(image.name.partition("/")[0])
        if len(self.first) < 2 * _PICTURES:
            self.first.setdefault(image.target, image)
        if image.place in to_classify:
            self.to_classify.append(to_classify[image.place])


def _empty_sentence(folders: Sequence[str], met: set[str]) -> str:
    empty = [name for name in folders if name not in met]
    if not empty:
        return ""
    return f" {count_noun(len(empty), 'folder has', 'folders have')} no images: {join_some(empty)}."


def _counted(images: int) -> str:
    return count_noun(images, "image") if images <= _COUNTED else f"More than {_COUNTED:,} images"


def _pictures(
    first: Mapping[str, ListedImage], taxonomy: Taxonomy
) -> Iterator[tuple[ListedImage, str, bytes]]:
    """Yield readable images; the import reports the others."""
    for target, listed in first.items():
        try:
            image = decode_scaled(listed.path, size=(_SIZE, _SIZE))
        except (LabelerError, OSError):
            continue
        written = BytesIO()
        image.save(written, "JPEG", quality=_QUALITY)
        yield listed, taxonomy.display_names[target], written.getvalue()
