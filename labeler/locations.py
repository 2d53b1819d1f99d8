"""Where the files that ship with the program lie, in a checkout and in an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "_data"

_ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent

RESOURCES = _ROOT / "resources"
PRINT_TEMPLATES = RESOURCES / "printing"
GUIDE = _ROOT / "guide"
MIGRATIONS = _ROOT / "db"
