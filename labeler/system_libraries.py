"""Which of the system's libraries Qt needs and the machine lacks: Qt itself names none of them."""

import ctypes
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

_DRAWING = ("QtGui.abi3.so", "QtWidgets.abi3.so", "Qt/plugins/platforms/libqoffscreen.so")
_WINDOW = ("Qt/plugins/platforms/libqxcb.so",)

# Debian's package, Fedora's package.
PACKAGES = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libOpenGL.so.0": ("libopengl0", "libglvnd-opengl"),
    "libGLX.so.0": ("libglx0", "libglvnd-glx"),
    "libX11.so.6": ("libx11-6", "libX11"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
    "libSM.so.6": ("libsm6", "libSM"),
    "libICE.so.6": ("libice6", "libICE"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}
_NOT_FOUND = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
_NAMED_BY_LOADER = re.compile(r"(\S+\.so[.\d]*): cannot open shared object file")


def missing() -> tuple[str, ...]:
    """The libraries that a window needs and the machine lacks; none elsewhere than on Linux."""
    return _missing((*_DRAWING, *_WINDOW))


def missing_for_tests() -> tuple[str, ...]:
    """The libraries that drawing without a screen needs and the machine lacks."""
    return _missing(_DRAWING)


def sentence(libraries: Iterable[str]) -> str:
    """What the machine lacks, and what to install."""
    names = sorted(libraries)
    text = f"The window can't open, since this machine lacks {_listed(names)}."
    known = [PACKAGES[name] for name in names if name in PACKAGES]
    if not known:
        return f"{text} Install what contains them, then start again."
    debian, fedora = (" ".join(sorted(set(packages))) for packages in zip(*known, strict=True))
    return (
        f"{text} On Debian or Ubuntu: sudo apt-get install {debian}. "
        f"On Fedora: sudo dnf install {fedora}. Then start again."
    )


def has_display() -> bool:
    """Whether there is a screen to open a window on, or one was chosen that needs none."""
    if not sys.platform.startswith("linux"):
        return True
    if any(os.environ.get(variable) for variable in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")):
        return True
    return bool(os.environ.get("DISPLAY")) and _x_server_answers()


def _x_server_answers() -> bool:
    """Ask before Qt does: it ends the program when it gets no answer."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # that the library is missing is reported elsewhere
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    answers = bool(xcb.xcb_connection_has_error(connection) == 0)
    xcb.xcb_disconnect(connection)
    return answers


def missing_from(listing: str) -> tuple[str, ...]:
    """The libraries that a listing of `ldd` says were not found."""
    return tuple(dict.fromkeys(_NOT_FOUND.findall(listing)))


def _missing(files: Iterable[str]) -> tuple[str, ...]:
    spec = find_spec("PySide6")
    if not sys.platform.startswith("linux") or spec is None or spec.origin is None:
        return ()
    folder = Path(spec.origin).parent
    found = [name for file in files for name in _missing_to_load(folder / file)]
    return tuple(dict.fromkeys(found))


def _missing_to_load(library: Path) -> tuple[str, ...]:
    """Loading is quick and nearly always works; only when it doesn't are all names looked up."""
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        return _listed_by_ldd(library) or tuple(_NAMED_BY_LOADER.findall(str(error)))
    return ()


def _listed_by_ldd(library: Path) -> tuple[str, ...]:
    try:
        listing = subprocess.run(["ldd", library], capture_output=True, text=True, check=False)
    except OSError:
        return ()
    return missing_from(listing.stdout)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def main() -> int:
    """Say what the tests lack, if anything."""
    libraries = missing_for_tests()
    if libraries:
        print(sentence(libraries).replace("The window can't open", "The tests can't draw"))
    return 1 if libraries else 0


if __name__ == "__main__":
    sys.exit(main())
