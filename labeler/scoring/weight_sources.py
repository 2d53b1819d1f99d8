"""timm's hub: asked only where it answers, since its library tries for most of a minute."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from huggingface_hub import constants

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
    """Whether somebody takes a connection there within some seconds."""
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
