"""What the program imports before its first trial is on the screen."""

import subprocess
import sys
from pathlib import Path

import pytest

from labeler.app.labeling.rules import ReadRulesRecord
from tests.e2e.driven_process import CODE, environment
from tests.e2e.first_answer import answer_first
from tests.e2e.study_to_kill import study_to_kill

_CHECKOUT = Path(__file__).parents[2]
_SLOW = {"torch", "timm", "pandas", "matplotlib", "nltk", "scipy", "numpy", "tqdm", "alembic"}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The top modules that a labeler who comes back waits for, until the image is painted."""
    root = tmp_path_factory.mktemp("start")
    study, home = study_to_kill(root, rounds=1), root / "home"
    answer_first(study, CODE)
    rules_read = home / "STATE" / "labeler" / "rules-read.json"
    ReadRulesRecord(rules_read).remember(study=str(study), code=CODE)
    run = subprocess.run(
        [sys.executable, "-m", "tests.e2e.first_trial", str(study), CODE],
        cwd=_CHECKOUT,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_the_first_trial_comes_with_a_window_and_a_database(imported: set[str]) -> None:
    assert {"PySide6", "sqlite3", "labeler"} <= imported


@pytest.mark.parametrize("module", sorted(_SLOW))
def test_the_first_trial_waits_for_no_slow_module(imported: set[str], module: str) -> None:
    assert module not in imported
