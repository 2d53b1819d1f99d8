"""Whether torch and timm are there, without importing them."""

from importlib.util import find_spec

from labeler.core.scoring import NotInstalled

HOW_TO_INSTALL = (
    "Scoring needs torch and timm, which aren't installed: pip install 'labeler[models]'."
)


def is_installed() -> bool:
    return all(find_spec(module) is not None for module in ("torch", "torchvision", "timm"))


def require_extras() -> None:
    """Refuse to begin without torch and timm, telling how to install them."""
    if not is_installed():
        raise NotInstalled(HOW_TO_INSTALL)
