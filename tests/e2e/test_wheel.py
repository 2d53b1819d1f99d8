"""The wheel is enough: installed into an empty environment, away from the checkout, it runs."""

import os
import subprocess
import sys
import venv
import zipfile
from email import message_from_bytes
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from labeler.core.clock import SystemClock
from labeler.demo.commands import DEMO_READY
from labeler.store.study_opening import open_study
from tests.shared_demo import shared_demo

_CHECKOUT = Path(__file__).parents[2]


def _run(*command: str | Path, cwd: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "DISPLAY")}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder)
    _run(*build, _CHECKOUT, cwd=folder)
    (wheel,) = folder.glob("labeler-*.whl")
    return wheel


@pytest.fixture(scope="module")
def required(wheel: Path) -> dict[str, Distribution]:
    """What the wheel's metadata asks for, and what that asks for, without extras."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        asked = message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])
    found: dict[str, Distribution] = {}
    waiting = [(line, "") for line in asked]
    while waiting:
        line, extra = waiting.pop()
        requirement = Requirement(line)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        one = distribution(requirement.name)
        assert requirement.specifier.contains(one.version, prereleases=True), line
        name = canonicalize_name(one.name)
        known = name in found
        found[name] = one
        if not known or requirement.extras:
            waiting.extend(
                (each, of) for each in one.requires or () for of in ("", *requirement.extras)
            )
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, required: dict[str, Distribution]) -> Path:
    """The folder of an environment that holds the wheel and what it asks for, nothing else.

    What it asks for is linked from this environment, into which `make test` has installed it.
    """
    environment = wheel.parent / "environment"
    venv.create(environment)
    (site,) = environment.glob("lib/python*/site-packages")
    for one in required.values():
        for name in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            if not (site / name).exists():
                (site / name).symlink_to(Path(str(one.locate_file(name))))
    # What isn't run needn't be compiled, and the installer needn't be installed.
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin/python")
    _run(*pip, "install", "--quiet", "--no-compile", "--no-deps", wheel, cwd=wheel.parent)
    return environment


def test_the_demo_runs_from_an_installed_wheel_and_is_the_same_everywhere(
    installed: Path, tmp_path: Path
) -> None:
    out = _run(installed / "bin/labeler", "demo", "tour", "--no-gui", cwd=tmp_path)
    assert DEMO_READY.format(folder="tour") in out
    _run(installed / "bin/labeler", "check", "tour", cwd=tmp_path)
    tour, demo = tmp_path / "tour", shared_demo()
    (tour / "guide/README.md").read_text(encoding="utf-8")
    assert any((tour / "guide/schematics").glob("*.svg"))
    assert (tour / "truth.csv").read_bytes() == (demo / "truth.csv").read_bytes()
    with (
        open_study(tour, clock=SystemClock()) as second,
        open_study(demo, clock=SystemClock()) as first,
        second.read() as there,
        first.read() as here,
    ):
        assert there.samples.images() == here.samples.images()


def test_the_base_install_brings_no_torch(
    installed: Path, required: dict[str, Distribution], tmp_path: Path
) -> None:
    assert "pyside6-essentials" in required
    assert not {"torch", "timm", "onnxruntime"} & set(required)
    code = "import importlib.util as u; print(u.find_spec('torch'), u.find_spec('timm'))"
    assert _run(installed / "bin/python", "-c", code, cwd=tmp_path).split() == ["None", "None"]
