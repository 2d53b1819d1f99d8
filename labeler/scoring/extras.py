"""Whether torch and timm are there, without importing them."""

from importlib.util import find_spec

from labeler.core.models.scoring import ScoringNotInstalledError

_NOT_INSTALLED = "Models need the packages torch and timm, which aren't installed."
_COMMAND = "pip install 'labeler[models]'"
_IN_A_CHECKOUT = "pip install '.[models]' in a copy of its sources"
INSTALL_HINT = f"Install them with {_COMMAND}, or {_IN_A_CHECKOUT}."
NOT_INSTALLED_NOTICE = (
    f"{_NOT_INSTALLED} Close labeler, type {_COMMAND} at a terminal, or {_IN_A_CHECKOUT}, and "
    "open it "
    "again. Everything else works without them."
)


def are_extras_installed() -> bool:
    return all(find_spec(module) is not None for module in ("torch", "torchvision", "timm"))


def require_extras() -> None:
    """Refuse to begin without torch and timm, telling how to install them."""
    if not are_extras_installed():
        raise ScoringNotInstalledError(_NOT_INSTALLED, by_command=INSTALL_HINT)
