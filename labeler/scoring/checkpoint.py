"""Read weights and class lists from checkpoint files without running code in them."""

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
    """Return the wnid of each output if the checkpoint lists them as wnids, or None."""
    if not isinstance(contents, Mapping):
        return None
    for container in (contents, *(contents.get(name) for name in _CONTAINER_KEYS)):
        if isinstance(container, Mapping):
            found = _listed(container)
            if found is not None:
                return found
    return None


def metadata_classes(metadata: Mapping[str, str] | None) -> tuple[str, ...] | None:
    """Return the same from a safetensors file, whose metadata contain lists as JSON."""
    return checkpoint_classes({name: _plain(text) for name, text in (metadata or {}).items()})


def _listed(container: Mapping[Any, Any]) -> tuple[str, ...] | None:
    index = container.get(_CLASS_INDEX_KEY)
    if isinstance(index, Mapping) and sorted(index.values(), key=str) == sorted(
        range(len(index)), key=str
    ):
        return _wnids(sorted(index, key=lambda name: index[name]))
    for name in _CLASS_LIST_KEYS:
        found = _wnids(container.get(name))
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

# The keys under which training programs store the weights. Averaged weights are preferred, as in
# timm's own evaluation.
_STATE_DICT_KEYS = ("state_dict_ema", "model_ema", "state_dict", "model")
_WRAPPERS = ("module.", "_orig_mod.")
MORE_THAN_WEIGHTS = (
    "this checkpoint contains more than weights, and loading it could run code. Save only its "
    "state dict, preferably as .safetensors."
)
CHECKPOINT_MISSING = "this checkpoint file doesn't exist."
UNREADABLE_CHECKPOINT = (
    "torch and safetensors can't read this file. It isn't a checkpoint, or it is incomplete."
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Weights by name and, if the file contains them, the wnids of the outputs."""

    weights: Weights
    classes: tuple[str, ...] | None


def read_checkpoint(file: Path) -> Checkpoint:
    """Return the contents of a file; refuse a file that would run code."""
    contents, classes = _contents(file)
    weights = _find_state_dict(contents)
    if not weights or not all(isinstance(value, Tensor) for value in weights.values()):
        raise InputError("this file contains no named weights.", file=file)
    return Checkpoint({_strip_prefix(name): value for name, value in weights.items()}, classes)


def match_by_order(
    weights: Mapping[str, Tensor], *, names: Mapping[str, Tensor], file: Path
) -> Weights:
    """Return the weights under the model's names, if order and shapes match."""
    shapes = [tuple(value.shape) for value in weights.values()]
    if shapes != [tuple(value.shape) for value in names.values()]:
        raise InputError("the weights don't have the model's shapes.", file=file)
    return dict(zip(names, weights.values(), strict=True))


def hash_weights(weights: Mapping[str, Tensor]) -> str:
    """Return a hash of the weights that doesn't depend on the file format."""
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
            warnings.simplefilter("ignore")  # an unusual pickle can be loaded or is refused below
            contents = torch.load(file, map_location="cpu", weights_only=True)
            return contents, checkpoint_classes(contents)
    except FileNotFoundError as error:
        raise InputError(CHECKPOINT_MISSING, file=file) from error
    except pickle.UnpicklingError as error:
        # torch's message mentions a global only for a pickle that would run code.
        names_code = "global" in str(error).lower()
        raise InputError(
            MORE_THAN_WEIGHTS if names_code else UNREADABLE_CHECKPOINT, file=file
        ) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror or error}.") from error
    except (SafetensorError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(UNREADABLE_CHECKPOINT, file=file) from error


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
