"""The finished demo with few people, built once for all tests."""

import shutil
from pathlib import Path

from labeler.app.progress import NoProgress
from labeler.app.study.people import change_roles
from labeler.core.study.entities import Role
from labeler.demo.finished_study import SIMULATED_GROUP, SimulatedGroup, run_all_phases
from labeler.demo.people.simulated_work import SimulatedCalendar
from labeler.store.study_opening import open_study
from tests.shared_copy import shared_copy
from tests.shared_demo import shared_demo

SMALL = SimulatedGroup(SIMULATED_GROUP.labelers[2:], SIMULATED_GROUP.reviewers[:2], days=1)


def shared_finished_demo() -> Path:
    """A study of 60 images that three simulated labelers answered; its pictures stay elsewhere."""
    return shared_copy("finished", _make)


def _make(folder: Path) -> None:
    leave = shutil.ignore_patterns("pictures", "thumbnails")
    take_once_more(Path(shutil.copytree(shared_demo(), folder, ignore=leave)))


def take_once_more(study: Path) -> None:
    """Take the study through what is left of its phases."""
    calendar = SimulatedCalendar()
    with open_study(study, clock=calendar) as store:
        for code in ("A", "B"):  # they would be waited for
            change_roles(store, code, [Role.LEAD])
        run_all_phases(store, calendar, SMALL, NoProgress())
