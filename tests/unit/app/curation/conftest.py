"""A study with a small candidate pool whose candidates annotators have answered about."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.app.curation.pool_import import PoolRequest, import_candidates
from labeler.app.study.people import add_person
from labeler.core.crowd.entities import ImageLabel, SelectionFrequency
from labeler.core.study.entities import ImageKey, Role
from labeler.store.study_store import StudyStore
from tests.unit.app.conftest import DOG, FISH, PictureFolder

POOL = "pool"


def set_frequencies(store: StudyStore, selected: dict[ImageKey, int], *, shown: int = 10) -> None:
    """Store selection frequencies of images for their own class."""
    with store.write() as study:
        targets = study.crowd.targets(selected)
        known = study.crowd.frequencies()
        known |= {
            ImageLabel(key, targets[key]): SelectionFrequency(count, shown)
            for key, count in selected.items()
        }
        study.crowd.replace_frequencies(known)


@pytest.fixture
def pool(store: StudyStore, pictures: Callable[[str], PictureFolder]) -> dict[str, ImageKey]:
    """Four candidates of each of two classes, all selected by 10 of 10; by name."""
    folder = pictures("flickr").fill(FISH, DOG, each=4)
    import_candidates(store, PoolRequest(pool=POOL, path=folder.path))
    add_person(store, "R", roles=[Role.REVIEWER])
    with store.read() as study:
        keys = [each.image for each in study.pools.candidates(POOL)]
    set_frequencies(store, dict.fromkeys(keys, 10))
    return {key.image: key for key in keys}


def read_rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))
