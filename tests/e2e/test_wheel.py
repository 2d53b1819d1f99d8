"""The wheel is enough: installed into an empty environment, away from the checkout, it runs."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from labeler.demo.commands import DEMO_READY

_CHECKOUT = Path(__file__).parents[2]


def _run(*command: str | Path, cwd: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "DISPLAY")}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment that holds the wheel and what it asks for, nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder)
    _run(*build, _CHECKOUT, cwd=folder)
    (wheel,) = folder.glob("labeler-*.whl")
    environment = folder / "environment"
    venv.create(environment)
    # What isn't run needn't be compiled, and the installer needn't be installed.
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin/python")
    _run(*pip, "install", "--quiet", "--no-compile", wheel, cwd=folder)
    return environment


def test_the_demo_runs_from_an_installed_wheel(installed: Path, tmp_path: Path) -> None:
    out = _run(installed / "bin/labeler", "demo", "tour", "--no-gui", cwd=tmp_path)
    assert DEMO_READY.format(folder="tour") in out
    _run(installed / "bin/labeler", "check", "tour", cwd=tmp_path)
    (tmp_path / "tour/guide/README.md").read_text(encoding="utf-8")
    assert any((tmp_path / "tour/guide/schematics").glob("*.svg"))


def test_the_base_install_brings_no_torch(installed: Path, tmp_path: Path) -> None:
    code = "import importlib.util as u; print(u.find_spec('torch'), u.find_spec('timm'))"
    assert _run(installed / "bin/python", "-c", code, cwd=tmp_path).split() == ["None", "None"]
