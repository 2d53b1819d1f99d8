"""What a training was asked for, as its row keeps it."""

from labeler.core.training.request import TrainingRequest
from labeler.store.schema import TrainingRow


def training_request(row: TrainingRow) -> TrainingRequest:
    return TrainingRequest(
        source=row.source,
        subject=tuple(row.subject.split("\n")) if row.subject else (),
        length=row.length,
        order=row.ordering,
        seed=row.seed,
    )
