"""Missing system libraries are named, with what to install."""

import sys
from pathlib import Path

import pytest

from labeler.system_libraries import PACKAGES, has_display, main, missing_from, sentence

LISTING = """
        linux-vdso.so.1 (0x00007ffd)
        libxcb-icccm.so.4 => not found
        libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f00)
        libxcb-keysyms.so.1 => not found
        libxcb-icccm.so.4 => not found
"""


def test_what_the_loader_does_not_find_is_listed_once() -> None:
    assert missing_from(LISTING) == ("libxcb-icccm.so.4", "libxcb-keysyms.so.1")


def test_the_sentence_names_libraries_and_packages() -> None:
    message = sentence(missing_from(LISTING))
    assert "lacks libxcb-icccm.so.4 and libxcb-keysyms.so.1." in message
    assert "apt-get install libxcb-icccm4 libxcb-keysyms1." in message
    assert "dnf install xcb-util-keysyms xcb-util-wm." in message


def test_a_library_without_a_known_package_is_named_all_the_same() -> None:
    message = sentence(["libunheard.so.7"])
    assert "libunheard.so.7" in message
    assert "apt-get" not in message


@pytest.mark.parametrize("library", sorted(PACKAGES))
def test_every_known_library_leads_to_a_package_of_both_systems(library: str) -> None:
    debian, fedora = PACKAGES[library]
    assert debian in sentence([library])
    assert fedora in sentence([library])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere a screen is a given")
def test_a_display_is_what_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)
    assert not has_display()
    monkeypatch.setenv("DISPLAY", ":64999")  # no server answers there
    assert not has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()


def test_where_the_tests_can_draw_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out == ""


def test_the_module_itself_imports_no_qt() -> None:
    source = Path(sys.modules["labeler.system_libraries"].__file__ or "").read_text()
    assert "import PySide6" not in source
    assert "from PySide6" not in source
