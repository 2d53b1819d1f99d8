"""A real small study for the window: real files with names that would tell, a store, people."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from PIL import Image

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportReport
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.app.study.studies import new_study
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import DatasetRole, Role
from labeler.core.study.phases import Phase
from tests.adjustable_clock import AdjustableClock

STUDY_NAME = "A study of rodents"
BEAVER, MARMOT, TIGER, HAMSTER = "n02363005", "n02361337", "n02129604", "n02342885"
EVALUATED = (BEAVER, MARMOT, TIGER)
TRIALS = 6
TELL_TALES = ("tattledataset", "snitchreferences", "blabbing_file")


@dataclass(frozen=True)
class StoredAnswer:
    """What the database holds of one revision of an answer."""

    position: int
    revision: int
    label: str
    alternative: str | None
    note: str


@dataclass(frozen=True)
class SmallStudy:
    """A study's folder, looked into past the program's own code."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "study.db"

    def answers(self, code: str = "A") -> list[StoredAnswer]:
        rows = self.read(
            "SELECT trial.position, revision, class.wnid, other.wnid, note FROM prediction"
            " JOIN trial ON trial.id = trial_id JOIN class ON class.id = class_id"
            " JOIN participant ON participant.id = trial.participant_id"
            " LEFT JOIN class AS other ON other.id = alternative_id"
            " WHERE participant.code = ? ORDER BY trial.position, revision",
            code,
        )
        return [StoredAnswer(*row) for row in rows]

    def labels(self, code: str = "A") -> list[tuple[int, str]]:
        """Each answer's position and label, all revisions."""
        return [(answer.position, answer.label) for answer in self.answers(code)]

    def intervals(self, position: int = 1) -> list[tuple[str, int]]:
        """The places of attention of a trial, in order, with their milliseconds."""
        return self.read(
            "SELECT place, ended_ms - started_ms FROM attention_interval"
            " JOIN trial ON trial.id = trial_id WHERE position = ? ORDER BY number",
            position,
        )

    def inputs(self, position: int = 1) -> dict[str, int]:
        """How many inputs each place of a trial got."""
        counted: dict[str, int] = {}
        for place, packed in self.read(
            "SELECT place, inputs FROM attention_interval JOIN trial ON trial.id = trial_id"
            " WHERE position = ?",
            position,
        ):
            counted[place] = counted.get(place, 0) + len(packed) // 8
        return counted

    def read(self, query: str, *values: object) -> list[tuple]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(query, values).fetchall()

    def targets(self) -> dict[int, str]:
        """The target at each position of labeler A's order, which only a test may know."""
        rows = self.read(
            "SELECT position, wnid FROM trial JOIN image ON image.id = image_id"
            " JOIN class ON class.id = target_id"
        )
        return dict(rows)


def make_study(place: Path) -> Path:
    """A study with an open evaluation of six images, three classes with references."""
    with new_study(place / "study", clock=AdjustableClock(), name=STUDY_NAME, seed=2020) as store:
        for name, role, each in (
            ("tattledataset", DatasetRole.EVALUATION, 2),
            ("snitchreferences", DatasetRole.REFERENCE, 12),
        ):
            make_pictures(place / name, each=each)
            request = DatasetRequest(name=name, path=place / name, role=role)
            assert isinstance(import_dataset(store, request), ImportReport)
        for code in ("A", "B"):
            add_person(store, code, roles=[Role.LABELER])
        add_person(store, "L", roles=[Role.LEAD, Role.LABELER])
        freeze_sample(store, SampleRequest(("tattledataset",), per_class=2, seed=1))
        prepare_sheets(store)
        open_phase(store, Phase.EVALUATE)
    _damage_sheet(place / "study" / "thumbnails", TIGER)
    return place / "study"


def copied(study: Path, to: Path) -> SmallStudy:
    """A test's own copy of a study; the pictures stay where they are."""
    return SmallStudy(Path(shutil.copytree(study, to)))


def make_pictures(folder: Path, *, each: int) -> None:
    """Pictures of each class with names that would tell."""
    for wnid in EVALUATED:
        (folder / wnid).mkdir(parents=True)
        for number in range(each):
            colours = sha256(f"{folder.name}/{wnid}/{number}".encode()).digest()[:18]
            picture = Image.frombytes("RGB", (3, 2), colours).resize((160, 120))
            picture.save(folder / wnid / f"blabbing_file_{number}.JPEG", quality=90)


def _damage_sheet(thumbnails: Path, wnid: str) -> None:
    (thumbnails / f"{wnid}.jpg").write_bytes(b"no picture")
