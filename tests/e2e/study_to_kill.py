"""A small study whose evaluation is open, for a labeler whose program is killed."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from labeler.cli import main
from tests.e2e.conftest import WNIDS, make_images
from tests.e2e.driven_process import CODE

# More than a hasty labeler answers in a round.
_TRIALS_PER_ROUND = 10


def study_to_kill(root: Path, *, rounds: int) -> Path:
    """Make a study with trials enough for so many rounds, and a few reference images."""
    study = root / "study"
    per_class = (rounds + 1) * _TRIALS_PER_ROUND // len(WNIDS)
    make_images(root / "val", per_class=per_class, seed=1)
    make_images(root / "train", per_class=3, seed=2)
    _run("new", study, "--name", "To be killed")
    _run("add-dataset", study, "original", root / "val")
    _run("references", study, root / "train", "--per-class", 3)
    _run("participants", study, "add", CODE, "--role", "labeler")
    _run("sample", study, "--per-class", per_class)
    _run("phase", study, "open", "evaluate")
    return study


def _run(*arguments: object) -> None:
    with redirect_stdout(StringIO()):
        assert main([str(argument) for argument in arguments]) == 0
