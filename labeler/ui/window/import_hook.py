"""Imports as they were before PySide6 took a look at each of them.

PySide6 reads the source of every module that is imported after it, to learn whether it may want
Qt's names in another spelling. No one here does, and it takes a tenth of the program's start.
"""

import builtins


def disable_pyside_import_hook() -> None:
    """Import PySide6, then all that follows as if it weren't there."""
    import PySide6.QtCore  # noqa: F401  (for what it does to imports)

    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
