"""The numbers of images by their names, and the names by numbers."""

from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.schema import DatasetRow, ImageRow

MOST_PARAMETERS = 500


def keys_of(session: Session, ids: Collection[int]) -> dict[int, ImageKey]:
    """Return the names of these images."""
    numbers, keys = sorted(ids), {}
    for start in range(0, len(numbers), MOST_PARAMETERS):
        query = (
            select(ImageRow.id, DatasetRow.name, ImageRow.name)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(ImageRow.id.in_(numbers[start : start + MOST_PARAMETERS]))
        )
        for number, dataset, name in session.execute(query):
            keys[number] = ImageKey(dataset, name)
    return keys


def ids_of(session: Session, images: Collection[ImageKey]) -> dict[ImageKey, int]:
    """Return the numbers of some images, without reading those of all."""
    names: dict[str, list[str]] = defaultdict(list)
    for key in images:
        names[key.dataset].append(key.image)
    found = {}
    for dataset, of_dataset in names.items():
        for start in range(0, len(of_dataset), MOST_PARAMETERS):
            query = (
                select(ImageRow.name, ImageRow.id)
                .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
                .where(DatasetRow.name == dataset)
                .where(ImageRow.name.in_(of_dataset[start : start + MOST_PARAMETERS]))
            )
            for name, number in session.execute(query):
                found[ImageKey(dataset, name)] = number
    return found


def id_of(session: Session, image: ImageKey) -> int:
    """Return the number of an image, or refuse a name that the study doesn't have."""
    query = (
        select(ImageRow.id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.name == image.dataset, ImageRow.name == image.image)
    )
    found = session.scalar(query)
    if found is None:
        raise RefusedError(f"The study has no image {image.dataset}: {image.image}.")
    return found


def all_ids(session: Session) -> dict[ImageKey, int]:
    """Return the number of every image of the study."""
    query = select(DatasetRow.name, ImageRow.name, ImageRow.id).join(
        DatasetRow, DatasetRow.id == ImageRow.dataset_id
    )
    return {ImageKey(data, name): number for data, name, number in session.execute(query)}
