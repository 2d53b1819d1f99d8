"""The demo after a whole study with a small cast, made once for all tests."""

import shutil
from pathlib import Path

from labeler.app.progress import NoProgress
from labeler.app.study.people import change_roles
from labeler.core.study.entities import Role
from labeler.demo.finished_study import SIMULATED_GROUP, SimulatedGroup, run_all_phases
from labeler.demo.people.simulated_work import SimulatedCalendar
from labeler.store.study_opening import open_study
from tests.demo_once import demo_once
from tests.made_once import made_once

SMALL = SimulatedGroup(SIMULATED_GROUP.labelers[2:], SIMULATED_GROUP.reviewers[:2], days=1)


def finished_once() -> Path:
    """A study of 60 images that three simulated labelers answered; its pictures stay elsewhere."""
    return made_once("finished", _make)


def _make(folder: Path) -> None:
    leave = shutil.ignore_patterns("pictures", "thumbnails")
    take_once_more(Path(shutil.copytree(demo_once(), folder, ignore=leave)))


def take_once_more(study: Path) -> None:
    """Take the study through what is left of its phases."""
    calendar = SimulatedCalendar()
    with open_study(study, clock=calendar) as store:
        for code in ("A", "B"):  # they would be waited for
            change_roles(store, code, [Role.LEAD])
        run_all_phases(store, calendar, SMALL, NoProgress())
