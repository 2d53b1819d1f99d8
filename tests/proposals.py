"""A study in which humans and models gave labels to images, for tests of the review."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from labeler.app.study.people import add_person
from labeler.core.study.entities import Role
from labeler.core.study.exchange_format import DATASETS, PARTICIPANTS, PREDICTIONS, ExchangeFile
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_store import StudyStore

DATASET = "original"
ELEPHANT, TUSKER, INDIAN = "n02504458", "n01871265", "n02504013"
DOG, FISH, PANDA = "n02099601", "n01440764", "n02510455"

Labels = Mapping[str, str]

TARGETS = {"a.jpg": ELEPHANT, "b.jpg": DOG, "c.jpg": FISH}
MODELS = {
    "m1": {"a.jpg": TUSKER, "b.jpg": DOG, "c.jpg": FISH},
    "m2": {"a.jpg": ELEPHANT, "b.jpg": PANDA, "c.jpg": FISH},
}
HUMANS = {
    "A": {"a.jpg": INDIAN, "b.jpg": DOG, "c.jpg": PANDA},
    "B": {"a.jpg": TUSKER, "b.jpg": FISH, "c.jpg": PANDA},
}


def propose(
    store: StudyStore,
    folder: Path,
    *,
    targets: Labels = TARGETS,
    models: Mapping[str, Labels] = MODELS,
    humans: Mapping[str, Labels] = HUMANS,
    reviewers: Iterable[str] = ("R", "S"),
    paths: Labels | None = None,
) -> None:
    """Import the images, the people and what everyone answered; then add the reviewers."""
    folder.mkdir(parents=True, exist_ok=True)
    where = paths or {}
    _write(
        folder,
        DATASETS,
        [(DATASET, image, label, where.get(image, ""), "") for image, label in targets.items()],
    )
    kinds = {**dict.fromkeys(models, "model"), **dict.fromkeys(humans, "human")}
    _write(folder, PARTICIPANTS, [(code, kind, "") for code, kind in kinds.items()])
    _write(
        folder,
        PREDICTIONS,
        [
            (code, DATASET, image, "1", label, "", "", "", "", "0", "")
            for code, answers in {**models, **humans}.items()
            for image, label in answers.items()
        ],
    )
    import_exchange(store, folder)
    for code in reviewers:
        add_person(store, code, roles=[Role.REVIEWER])


def _write(folder: Path, file: ExchangeFile, rows: Sequence[Sequence[str]]) -> None:
    with (folder / file.name).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(file.columns)
        writer.writerows(rows)
