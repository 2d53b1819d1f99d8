"""The class list that a checkpoint may carry: what training programs write beside the weights."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from labeler.core.models.class_outputs import BACKGROUND

_CLASS_LIST_KEYS = ("classes", "CLASSES", "label_names")
_CLASS_INDEX_KEY = "class_to_idx"
_CONTAINER_KEYS = ("meta", "args")
_WNID = re.compile(r"n\d{8}")


def checkpoint_classes(contents: object) -> tuple[str, ...] | None:
    """The wnid of each output, where the checkpoint says it; names that are no wnids don't."""
    if not isinstance(contents, Mapping):
        return None
    for place in (contents, *(contents.get(name) for name in _CONTAINER_KEYS)):
        if isinstance(place, Mapping):
            found = _listed(place)
            if found is not None:
                return found
    return None


def metadata_classes(metadata: Mapping[str, str] | None) -> tuple[str, ...] | None:
    """The same in a safetensors file, whose metadata are texts: lists stand in it as JSON."""
    return checkpoint_classes({name: _plain(text) for name, text in (metadata or {}).items()})


def _listed(place: Mapping[Any, Any]) -> tuple[str, ...] | None:
    index = place.get(_CLASS_INDEX_KEY)
    if isinstance(index, Mapping) and sorted(index.values(), key=str) == sorted(
        range(len(index)), key=str
    ):
        return _wnids(sorted(index, key=lambda name: index[name]))
    for name in _CLASS_LIST_KEYS:
        found = _wnids(place.get(name))
        if found is not None:
            return found
    return None


def _wnids(listed: object) -> tuple[str, ...] | None:
    if not isinstance(listed, Sequence) or isinstance(listed, str) or not listed:
        return None
    if all(isinstance(one, str) and (one == BACKGROUND or _WNID.fullmatch(one)) for one in listed):
        return tuple(listed)
    return None


def _plain(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
