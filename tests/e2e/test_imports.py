"""PySide6 doesn't read the sources of what is imported after it."""

import subprocess
import sys

_CODE = """
import builtins
plain = builtins.__import__
from labeler.ui.plain_imports import import_plainly
import_plainly()
import PySide6.QtWidgets
print(builtins.__import__ is plain)
"""


def test_imports_are_pythons_own_once_the_window_is_there() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CODE], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout == "True\n"
