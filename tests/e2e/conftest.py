"""Running the real command line, in this process, as a person at a terminal would."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from labeler.cli import main

WNIDS = ("n01440764", "n01443537", "n02123045", "n02504458")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> object:
        return json.loads(self.out)


Labeler = Callable[..., Outcome]


@pytest.fixture
def labeler(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Labeler:
    """Run `labeler …` and give its exit code and what it printed."""
    for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run


def make_images(folder: Path, *, per_class: int, seed: int, wnids: tuple[str, ...] = WNIDS) -> None:
    """A folder laid out as ImageNet's, with small pictures that all differ."""
    noise = np.random.default_rng(seed)
    for wnid in wnids:
        (folder / wnid).mkdir(parents=True)
        for number in range(per_class):
            pixels = noise.integers(0, 255, (12, 16, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / wnid / f"{wnid}_{number}.JPEG")


@pytest.fixture
def imagenet(tmp_path: Path) -> Path:
    """Two evaluation folders, a training folder, all by wnid."""
    make_images(tmp_path / "val", per_class=3, seed=1)
    make_images(tmp_path / "v2", per_class=3, seed=2)
    make_images(tmp_path / "train", per_class=8, seed=3)
    return tmp_path
