"""A real study, picture folders laid out as ImageNet's, and a clock that obeys."""

import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import text

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportReport
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.study.people import add_person
from labeler.app.study.studies import new_study
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import DatasetRole, Role
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner

FISH, DOG = "n01440764", "n02085620"
_DATASETS = (
    ("val", DatasetRole.EVALUATION, 3),
    ("training", DatasetRole.TRAINING, 2),
    ("references", DatasetRole.REFERENCE, 4),
)


class PictureFolder:
    """A dataset's folder with small real JPEGs; the same `picture` is the same contents."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, *, picture: str | None = None) -> Path:
        return self.write(name, jpeg(picture or f"{self.path.name}/{name}"))

    def write(self, name: str, contents: bytes) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(contents)
        return file

    def fill(self, *wnids: str, each: int) -> "PictureFolder":
        for wnid in wnids:
            for number in range(each):
                self.add(f"{wnid}/{number}.JPEG")
        return self


def jpeg(picture: str) -> bytes:
    """A small photograph-like JPEG that depends on the text alone."""
    digest = sha256(picture.encode()).digest()
    buffer = BytesIO()
    Image.frombytes("RGB", (4, 2), digest[:24]).resize((24, 16)).save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture(scope="session")
def empty_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study as it is made, to be copied by each test."""
    path = tmp_path_factory.mktemp("made") / "study"
    new_study(path, clock=AdjustableClock(), name="Fish and dogs", seed=2020).close()
    return path


@pytest.fixture
def path(empty_study: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(empty_study, tmp_path / "study"))


@pytest.fixture
def store(path: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    with open_study(path, clock=clock) as opened:
        yield opened


@pytest.fixture
def pictures(tmp_path: Path) -> Callable[[str], PictureFolder]:
    """Makes folders for pictures, each by its name."""
    return lambda name: PictureFolder(tmp_path / "pictures" / name)


@pytest.fixture(scope="session")
def healthy_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete small study with nothing wrong, next to its pictures."""
    place = tmp_path_factory.mktemp("healthy")
    with new_study(place / "study", clock=AdjustableClock(), name="Fish and dogs", seed=2020) as s:
        for name, role, each in _DATASETS:
            folder = PictureFolder(place / "pictures" / name).fill(FISH, DOG, each=each)
            request = DatasetRequest(name=name, path=folder.path, role=role)
            assert isinstance(import_dataset(s, request), ImportReport)
        add_person(s, "A", roles=[Role.LABELER])
        add_person(s, "R", roles=[Role.REVIEWER])
        freeze_sample(s, SampleRequest(("val",), per_class=2, seed=1))
        prepare_sheets(s)
    return place


@pytest.fixture
def healthy(healthy_once: Path, tmp_path: Path, clock: AdjustableClock) -> Path:
    """The test's own copy of a complete study and of its pictures."""
    shutil.copytree(healthy_once, tmp_path, dirs_exist_ok=True)
    with open_study(tmp_path / "study", clock=clock) as store, store.write() as study:
        for name, _role, _each in _DATASETS:
            study.datasets.relocate(name, str(tmp_path / "pictures" / name))
    return tmp_path / "study"


@pytest.fixture
def imported() -> Callable[..., ImportReport]:
    """Imports a folder, and expects it to come to its end."""

    def take_in(store: StudyStore, name: str, folder: Path, **options: Any) -> ImportReport:
        report = import_dataset(store, DatasetRequest(name=name, path=folder, **options))
        assert isinstance(report, ImportReport)
        return report

    return take_in


@pytest.fixture
def rows() -> Callable[[StudyStore], list[object]]:
    """Reads everything that imports wrote."""

    def read(store: StudyStore) -> list[object]:
        with store.read() as study:
            return [row for query in _WRITTEN for row in study.session.execute(text(query))]

    return read


_WRITTEN = (
    "SELECT id, name, role, layout, root, labels, apply_exif, per_class, seed, complete"
    " FROM dataset ORDER BY id",
    "SELECT * FROM image ORDER BY id",
    "SELECT * FROM odd_file ORDER BY id",
    "SELECT * FROM training_pool ORDER BY 1",
    "SELECT * FROM reference ORDER BY 1, 2",
)


@pytest.fixture
def runner() -> LateRunner:
    return LateRunner()


@pytest.fixture
def new_runner() -> type[LateRunner]:
    return LateRunner
