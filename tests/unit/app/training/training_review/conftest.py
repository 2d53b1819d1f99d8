"""A real study with two labelers who trained on fish and dogs, and a lead who looks on."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from labeler.app.study.people import add_person
from labeler.app.training.training_review import TrainingReview
from labeler.app.training.viewer import TrainingViewer
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.simulated_training import TrainedAnswer, training_images, write_answers

FISH, DOG, CAT = "n01440764", "n02085620", "n02123045"


class Training:
    """Writes answers, and lets people look back at them."""

    def __init__(self, store: StudyStore) -> None:
        self.store = store
        self.images = {
            target: [image for image, wnid in training_images(store) if wnid == target]
            for target in (FISH, DOG)
        }

    def answer(self, code: str, image: int, label: str, *, days: int = 0, minutes: int = 0) -> None:
        at = self.store.clock.utc() - timedelta(days=days) + timedelta(minutes=minutes)
        write_answers(self.store, [TrainedAnswer(code, image, label, at)])

    def review(self, code: str = "A", role: Role = Role.LABELER) -> TrainingReview:
        return TrainingReview(self.store, TrainingViewer(code, role))


@pytest.fixture
def store(healthy: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    with open_study(healthy, clock=clock) as opened:
        add_person(opened, "B", roles=[Role.LABELER])
        add_person(opened, "L", roles=[Role.LEAD, Role.LABELER])
        yield opened


@pytest.fixture
def training(store: StudyStore) -> Training:
    return Training(store)
