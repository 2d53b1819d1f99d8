"""A real study in a temporary folder, with the default taxonomy and a clock that obeys."""

import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from labeler.core.classes.taxonomy import load_default
from labeler.core.study.entities import DatasetRole
from labeler.locations import GUIDE
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.study_opening import create_study, open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.store.throwaway_server import Server

FISH = "n01440764"


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture(scope="session")
def empty_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study as it is made, to be copied by each test."""
    path = tmp_path_factory.mktemp("made") / "study"
    made_study(path).close()
    return path


@pytest.fixture
def make() -> Callable[..., StudyStore]:
    return made_study


@pytest.fixture
def path(empty_study: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(empty_study, tmp_path / "study"))


@pytest.fixture
def study_on_server(tmp_path: Path, server: Server) -> Path:
    """A study whose data is on a PostgreSQL server; tests let `path` return it."""
    made_study(tmp_path / "study", server=server.new_database()).close()
    return tmp_path / "study"


@pytest.fixture
def store(path: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    with open_study(path, clock=clock) as opened:
        yield opened


@pytest.fixture
def lead(store: StudyStore) -> "Lead":
    return Lead(store)


def made_study(path: Path, **changes: object) -> StudyStore:
    options: dict[str, object] = {
        "name": "Fish and dogs",
        "seed": 2020,
        "taxonomy": load_default(),
        "guide": GUIDE,
        "program_version": "test",
        "clock": AdjustableClock(),
    }
    return create_study(path, **{**options, **changes})


class Lead:
    """Fills a study with rows as an import would."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def image(self, name: str, target: str = FISH, *, content: str | None = None) -> NewImage:
        """A measured image; the same `content` is the same picture."""
        digest = sha256((content or name).encode()).digest()
        facts = {"width": 4, "height": 3, "format": "JPEG", "mode": "RGB"}
        return NewImage(
            name=name, target=target, content_hash=digest, byte_count=len(name), **facts
        )

    def add(
        self,
        name: str,
        *images: NewImage,
        role: DatasetRole = DatasetRole.EVALUATION,
        root: str | None = None,
    ) -> None:
        """Add a complete dataset with these images."""
        with self._store.write() as study:
            study.datasets.add(DatasetDefinition(name=name, role=role, root=root), complete=True)
            study.datasets.append(name, images)
