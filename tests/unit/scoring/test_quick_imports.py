"""What the window and the terminal import brings neither torch nor timm along."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "labeler.ui.models.models_controller",
        "labeler.app.models.scoring_run",
        "labeler.commands.models",
    ],
)
def test_torch_stays_in_its_own_processes(module: str) -> None:
    program = f"import sys, {module}; sys.exit(bool({{'torch', 'timm'}} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", program], check=True)
