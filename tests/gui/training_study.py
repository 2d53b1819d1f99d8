"""A small study whose training is open: rodents and a tiger in the pool, with references."""

from pathlib import Path

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportReport
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.app.study.studies import new_study
from labeler.core.study.entities import DatasetRole, Role
from labeler.core.study.phases import Phase
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import STUDY_NAME, make_pictures

POOLED = 2


def make_training_study(place: Path) -> Path:
    """A study with an open training, and no evaluation yet."""
    with new_study(place / "study", clock=AdjustableClock(), name=STUDY_NAME, seed=2020) as store:
        for name, role, each in (
            ("tattledataset", DatasetRole.TRAINING, POOLED),
            ("snitchreferences", DatasetRole.REFERENCE, 12),
        ):
            make_pictures(place / name, each=each)
            request = DatasetRequest(name=name, path=place / name, role=role)
            assert isinstance(import_dataset(store, request), ImportReport)
        for code in ("A", "B"):
            add_person(store, code, roles=[Role.LABELER])
        prepare_sheets(store)
        open_phase(store, Phase.TRAIN)
    return place / "study"
