"""A training from the command line on: opened, killed in the middle, gone on with."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from labeler.app.training.session import TrainingLabelingSession
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
from tests.e2e.conftest import WNIDS, Labeler, make_images
from tests.e2e.driven_process import environment

_CHECKOUT = Path(__file__).parents[2]
# Answers two images, leaves the third half done, and is gone.
_TRAINS_AND_DIES = """
import os, signal, sys, uuid
from pathlib import Path
from labeler.app.training.session import TrainingLabelingSession
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.clock import SystemClock, stamp
from labeler.core.training.request import TrainingRequest
from labeler.core.labeling.answers import AnswerDraft
from labeler.store.study_opening import open_study

clock = SystemClock()
store = open_study(Path(sys.argv[1]), clock=clock)
session = TrainingLabelingSession(store, "A", TrainingRequest(seed=3))
start = session.begin()
now = stamp(clock.utc())
for trial in session.trials()[:2]:
    answer = CommittedAnswer(
        answer_id=str(uuid.uuid4()), trial_id=trial.trial_id, session_id=start.session_id,
        label=sys.argv[2], shown_at=now, submitted_at=now, active_ms=1, wall_ms=1,
    )
    session.answers.commit(answer)
    trials = session.feedback(trial.trial_id).trials
waiting = next(trial for trial in trials if trial.waits)
session.keep(waiting.trial_id, AnswerDraft(label=sys.argv[2], shown_at=now, query="half"))
print(waiting.trial_id, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def study(labeler: Labeler, tmp_path: Path) -> Path:
    """A study with a training pool, opened to labeler A by commands alone."""
    make_images(tmp_path / "pool", per_class=2, seed=1)
    study = tmp_path / "study"
    for command in (
        ("new", study),
        ("add-dataset", study, "pool", tmp_path / "pool", "--role", "training"),
        ("participants", study, "add", "A", "--role", "labeler"),
        ("phase", study, "open", "train"),
    ):
        assert labeler(*command).code == 0
    return study


def test_a_killed_training_continues_at_the_same_image(study: Path, own_folders: Path) -> None:
    died = subprocess.run(
        [sys.executable, "-c", _TRAINS_AND_DIES, str(study), WNIDS[0]],
        cwd=_CHECKOUT,
        env=environment(own_folders),
        capture_output=True,
        text=True,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr

    with open_study(study, clock=SystemClock()) as store:
        session = TrainingLabelingSession(store, "A")
        start = session.begin()
        kept = session.open_trial(start.first).draft
        trials = session.trials()
        session.end()

    assert (start.first, start.resumed) == (died.stdout.strip(), True)
    assert (kept.label, kept.query) == (WNIDS[0], "half")
    assert sum(trial.answered for trial in trials) == 2
