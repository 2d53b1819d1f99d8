"""The demo after a whole study with a small cast, made once for all tests of a process."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from labeler.app.progress import NoProgress
from labeler.app.study.people import change_roles
from labeler.core.study.entities import Role
from labeler.demo.finished_study import DEMO_CAST, DemoCast, run_all_phases
from labeler.demo.people.simulated_work import SimulatedCalendar
from labeler.store.study_opening import open_study
from tests.demo_once import demo_once

SMALL = DemoCast(DEMO_CAST.labelers[2:], DEMO_CAST.reviewers[:2], days=1)


@cache
def finished_once() -> Path:
    """A study of 60 images that three simulated labelers answered; its pictures stay elsewhere."""
    place = Path(tempfile.mkdtemp(prefix="labeler-finished-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    leave = shutil.ignore_patterns("pictures", "thumbnails")
    study = Path(shutil.copytree(demo_once(), place / "finished", ignore=leave))
    take_once_more(study)
    return study


def take_once_more(study: Path) -> None:
    """Take the study through what is left of its phases."""
    calendar = SimulatedCalendar()
    with open_study(study, clock=calendar) as store:
        for code in ("A", "B"):  # they would be waited for
            change_roles(store, code, [Role.LEAD])
        run_all_phases(store, calendar, SMALL, NoProgress())
