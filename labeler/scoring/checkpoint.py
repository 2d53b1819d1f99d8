"""A model's weights: from a checkpoint, an installed package, or timm's hub; never from code."""

import hashlib
import json
import pickle
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor

from labeler.core.errors import EnvironmentFault, InputError
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


Weights = dict[str, Tensor]

# Where training programs put the weights inside a checkpoint; averaged ones are preferred, as
# timm's own evaluation does.
_STATE_DICT_KEYS = ("state_dict_ema", "model_ema", "state_dict", "model")
_WRAPPERS = ("module.", "_orig_mod.")
_MORE_THAN_WEIGHTS = (
    "this checkpoint holds more than weights, and loading it could run code. Save its state dict "
    "alone, best as .safetensors."
)
_UNREADABLE = "this is no checkpoint that torch or safetensors can read, or it is cut short."


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Weights by name and, where the file says it, the wnid of each output."""

    weights: Weights
    classes: tuple[str, ...] | None


def read_checkpoint(file: Path) -> Checkpoint:
    """What is in a file; one that would run code is refused."""
    contents, classes = _contents(file)
    weights = _find_state_dict(contents)
    if not weights or not all(isinstance(value, Tensor) for value in weights.values()):
        raise InputError("no weights by name are in this file.", file=file)
    return Checkpoint({_strip_prefix(name): value for name, value in weights.items()}, classes)


def match_by_order(
    weights: Mapping[str, Tensor], *, names: Mapping[str, Tensor], file: Path
) -> Weights:
    """Weights that carry other names than the model's, but stand in its order and shapes."""
    shapes = [tuple(value.shape) for value in weights.values()]
    if shapes != [tuple(value.shape) for value in names.values()]:
        raise InputError("the weights don't have the model's shapes.", file=file)
    return dict(zip(names, weights.values(), strict=True))


def hash_weights(weights: Mapping[str, Tensor]) -> str:
    """One hash for the same weights, whatever file they came from."""
    digest = hashlib.sha256()
    for name in sorted(weights):
        value = weights[name].detach().cpu().contiguous()
        digest.update(f"{name}:{value.dtype}:{tuple(value.shape)};".encode())
        digest.update(value.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _contents(file: Path) -> tuple[Any, tuple[str, ...] | None]:
    try:
        if file.suffix == ".safetensors":
            with safe_open(file, framework="pt") as opened:
                return load_file(file), metadata_classes(opened.metadata())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unusual pickle loads, or is refused below
            contents = torch.load(file, map_location="cpu", weights_only=True)
            return contents, checkpoint_classes(contents)
    except FileNotFoundError as error:
        raise InputError("there is no such checkpoint.", file=file) from error
    except pickle.UnpicklingError as error:
        # torch says of a pickle that it names a global, of anything else that it is no pickle.
        names_code = "global" in str(error).lower()
        raise InputError(_MORE_THAN_WEIGHTS if names_code else _UNREADABLE, file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror or error}.") from error
    except (SafetensorError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(_UNREADABLE, file=file) from error


def _find_state_dict(contents: Any) -> dict[str, Any]:
    if not isinstance(contents, dict):
        return {}
    for name in _STATE_DICT_KEYS:
        if isinstance(contents.get(name), dict):
            return dict(contents[name])
    return contents


def _strip_prefix(name: str) -> str:
    for wrapper in _WRAPPERS:
        name = name.removeprefix(wrapper)
    return name
