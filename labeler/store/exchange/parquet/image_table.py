"""Write the images of a dataset as a Parquet table that Hugging Face datasets shows."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from labeler.store.exchange.parquet.library import load_pyarrow

_ROWS_PER_GROUP = 256
_VALUE = {"dtype": "string", "_type": "Value"}
_LIST = {"feature": _VALUE, "_type": "Sequence"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRecord:
    """An image with its labels; `picture` is the contents of its file, if they are included."""

    image: str
    target: str
    target_name: str
    problematic: tuple[str, ...]
    correct_labels: tuple[str, ...]
    wrong_labels: tuple[str, ...]
    unclear_labels: tuple[str, ...]
    picture: bytes | None = None


def write_image_table(path: Path, records: Iterable[ImageRecord], *, pictures: bool) -> int:
    """Write the images, with their pictures if asked for, and return how many there are."""
    pa, pq = load_pyarrow()
    texts, lists = pa.string(), pa.list_(pa.string())
    fields = {
        "image": texts,
        "target": texts,
        "target_name": texts,
        "problematic": lists,
        "correct_labels": lists,
        "wrong_labels": lists,
        "unclear_labels": lists,
    }
    features: dict[str, object] = {
        name: _VALUE if kind == texts else _LIST for name, kind in fields.items()
    }
    if pictures:
        fields["picture"] = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
        features["picture"] = {"_type": "Image"}
    described = json.dumps({"info": {"features": features}})
    schema = pa.schema(list(fields.items()), metadata={"huggingface": described})
    count = 0
    with path.open("xb") as stream:
        with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
            for group in _groups(records):
                writer.write_table(pa.Table.from_pylist(group, schema=schema))
                count += len(group)
        stream.flush()
        os.fsync(stream.fileno())
    return count


def _groups(records: Iterable[ImageRecord]) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(records)
    while group := [_values(record) for record in islice(remaining, _ROWS_PER_GROUP)]:
        yield group


def _values(record: ImageRecord) -> dict[str, Any]:
    picture = record.picture and {"bytes": record.picture, "path": Path(record.image).name}
    return {
        "image": record.image,
        "target": record.target,
        "target_name": record.target_name,
        "problematic": list(record.problematic),
        "correct_labels": list(record.correct_labels),
        "wrong_labels": list(record.wrong_labels),
        "unclear_labels": list(record.unclear_labels),
        "picture": picture or None,
    }
