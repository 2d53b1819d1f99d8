"""Whether torch and timm are there, without importing them."""

from importlib.util import find_spec

from labeler.core.models.scoring import NotInstalled

_LACK = "Models need the packages torch and timm, which aren't installed."
_COMMAND = "pip install 'labeler[models]'"
_IN_A_CHECKOUT = "pip install '.[models]' in a copy of its sources"
HOW_TO_INSTALL = f"Install them with {_COMMAND}, or {_IN_A_CHECKOUT}."
WITHOUT_THEM = (
    f"{_LACK} Close labeler, type {_COMMAND} at a terminal, or {_IN_A_CHECKOUT}, and open it "
    "again. Everything else works without them."
)


def is_installed() -> bool:
    return all(find_spec(module) is not None for module in ("torch", "torchvision", "timm"))


def require_extras() -> None:
    """Refuse to begin without torch and timm, telling how to install them."""
    if not is_installed():
        raise NotInstalled(_LACK, by_command=HOW_TO_INSTALL)
