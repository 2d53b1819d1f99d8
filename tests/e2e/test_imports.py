"""PySide6 doesn't read the sources of what is imported after it."""

import subprocess
import sys

import pytest

_CODE = """
{prepare}
import PySide6.QtWidgets
import colorsys
import __feature__
print("colorsys" in __feature__.pyside_feature_dict)
"""
_PLAINLY = """
from labeler.ui.window.import_hook import disable_pyside_import_hook
disable_pyside_import_hook()
"""


@pytest.mark.parametrize(("prepare", "is_read"), [(_PLAINLY, "False"), ("", "True")])
def test_a_module_is_imported_plainly_after_the_window_is_there(prepare: str, is_read: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CODE.format(prepare=prepare)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert done.stdout.strip() == is_read
