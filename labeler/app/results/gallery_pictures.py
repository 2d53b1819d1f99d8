"""Small pictures of the galleries' images, for those whose files are there."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from labeler.app.progress import ProgressReporter
from labeler.core.study.entities import ImageKey
from labeler.images.decoder import decode_scaled
from labeler.images.unreadable import UnreadableImage
from labeler.store.study_store import StudyStore

_SIZE = (224, 224)
_QUALITY = 80


def gallery_pictures(
    store: StudyStore, keys: Iterable[ImageKey], watched: ProgressReporter
) -> dict[ImageKey, bytes]:
    """JPEGs by image; one without a readable file has none, and the gallery says so."""
    wanted = dict.fromkeys(keys)
    watched.start("Reading the pictures", len(wanted))
    made: dict[ImageKey, bytes] = {}
    for dataset in dict.fromkeys(key.dataset for key in wanted):
        with store.read() as study:
            known = study.datasets.find(dataset)
            places = {image.name: image.path for image in study.model_predictions.images(dataset)}
        for key in wanted:
            if key.dataset != dataset:
                continue
            watched.advance()
            if places.get(key.image):
                picture = _picture(Path(places[key.image]), bool(known and known.apply_exif))
                if picture is not None:
                    made[key] = picture
    return made


def _picture(file: Path, apply_exif: bool) -> bytes | None:
    try:
        image = decode_scaled(file, size=_SIZE, apply_exif=apply_exif)
    except UnreadableImage:
        return None
    data = BytesIO()
    image.save(data, format="JPEG", quality=_QUALITY)
    return data.getvalue()
