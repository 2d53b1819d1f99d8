"""The small study with training images, answered by its labelers as a test says."""

from datetime import timedelta
from pathlib import Path

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportReport
from labeler.core.study.entities import DatasetRole
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import SmallStudy, make_pictures
from tests.simulated_training import TrainedAnswer, training_images, write_answers


def add_training(study: SmallStudy, pictures: Path) -> dict[str, list[int]]:
    """Put two images of each class into the training pool; give their numbers by class."""
    make_pictures(pictures / "gossippool", each=2)
    request = DatasetRequest(
        name="gossippool", path=pictures / "gossippool", role=DatasetRole.TRAINING
    )
    with open_study(study.folder, clock=AdjustableClock()) as store:
        assert isinstance(import_dataset(store, request), ImportReport)
        images = training_images(store)
    by_class: dict[str, list[int]] = {}
    for image, wnid in images:
        by_class.setdefault(wnid, []).append(image)
    return by_class


def answer(study: SmallStudy, *answers: tuple[str, int, str], days: int = 0) -> None:
    """Write answers (code, image, class), a minute apart, some days before now."""
    clock = AdjustableClock()
    with open_study(study.folder, clock=clock) as store:
        first = clock.utc() - timedelta(days=days, hours=1)
        written = [
            TrainedAnswer(code, image, wnid, first + timedelta(minutes=minute))
            for minute, (code, image, wnid) in enumerate(answers)
        ]
        write_answers(store, written)
