"""Check whether torch and timm are installed, without importing them."""

from importlib.util import find_spec

from labeler.core.models.scoring import ScoringNotInstalledError

_NOT_INSTALLED = "Scoring models needs the packages torch and timm, which aren't installed."
_COMMAND = "pip install 'labeler[models]'"
_IN_A_CHECKOUT = "pip install '.[models]' in a copy of the source code"
INSTALL_HINT = f"Install them with {_COMMAND}, or {_IN_A_CHECKOUT}."
NOT_INSTALLED_NOTICE = (
    f"{_NOT_INSTALLED} Close labeler, run {_COMMAND} in a terminal, or {_IN_A_CHECKOUT}, and open "
    "labeler again. Everything else works without them."
)


def are_extras_installed() -> bool:
    return all(find_spec(module) is not None for module in ("torch", "torchvision", "timm"))


def require_extras() -> None:
    """Raise an error that says how to install torch and timm if they are missing."""
    if not are_extras_installed():
        raise ScoringNotInstalledError(_NOT_INSTALLED, by_command=INSTALL_HINT)
