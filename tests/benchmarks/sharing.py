"""A pack and a bundle of 50,000 images, and the results of 20 people merged."""

import hashlib
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.sharing.bundles import make_bundle
from labeler.app.sharing.lead_keys import UnlockedKeys, create_keys, unlock_keys
from labeler.app.sharing.merge import merge_results
from labeler.app.sharing.opening import open_first_time
from labeler.app.sharing.packs import make_pack
from labeler.app.sharing.results import save_results
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.core.clock import SystemClock, stamp
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.labeling.active_time import AttentionInterval, TrialVisit
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import AttentionPlace, Role
from labeler.core.study.phases import Phase
from labeler.store.sharing.results_file import RESULTS_SUFFIX, open_results
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.benchmarks.full_size.alone import Facts, alone, timed
from tests.benchmarks.full_size.folders import CLASSES, validation_folder
from tests.benchmarks.table import Row
from tests.unit.store.conftest import made_study

_PER_CLASS = 50
_IMAGES = CLASSES * _PER_CLASS
_PEOPLE, _ANSWERS = 20, 2_000
_PASSPHRASE = "words for a benchmark"
_PACK, _BUNDLE = "study.labelerpack", "A.labeler"
_VISITED = (AttentionInterval(AttentionPlace.IMAGE, 0, 400, (5, 6)),)


def bench_pack() -> list[Row]:
    """All images of a validation set, in one pack and in one labeler's bundle."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _prepare(folder, people=["A"], per_class=_PER_CLASS)
        bare = min(copy_barely(str(folder))["seconds"] for _ in range(2))
        packed = alone(pack, folder)
        bundled = alone(bundle, folder)
        size = (folder / _PACK).stat().st_size / 1e6
    return [
        Row(
            f"pack of {_IMAGES:,} images, verified",
            f"{packed['seconds']:.1f} s, {size:,.0f} MB, {packed['megabytes']:.0f} MB of memory",
            f"reading, hashing and writing them {bare:.1f} s",
            bare / packed["seconds"],
            "printed",
        ),
        Row(
            f"bundle of {_IMAGES:,} trials",
            f"{bundled['seconds']:.1f} s, {bundled['megabytes']:.0f} MB of memory",
            "60 s",
            60 / bundled["seconds"],
            "under 60 s",
        ),
    ]


def bench_merge() -> list[Row]:
    """Results of 20 people with 2,000 answers each; and the same files again."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        people = [f"P{number}" for number in range(1, _PEOPLE + 1)]
        _prepare(folder, people=people, per_class=_ANSWERS // CLASSES)
        with open_study(folder / "study", clock=SystemClock()) as store:
            make_pack(store, folder / _PACK)
            for code in people:
                _answer_in_bundle(store, folder, code)
        first = alone(merge, folder)
        again = alone(merge, folder)
    name = f"results of {_PEOPLE} people with {_ANSWERS:,} answers each"
    return [
        Row(
            f"{name} merged",
            f"{first['seconds']:.1f} s, {first['megabytes']:.0f} MB",
            "60 s",
            60 / first["seconds"],
            "under 60 s",
        ),
        Row(
            f"{name} merged again",
            f"{again['seconds']:.1f} s, {again['megabytes']:.0f} MB",
            f"the first time {first['seconds']:.1f} s",
            again["seconds"] / first["seconds"],
            "printed",
        ),
    ]


def _prepare(folder: Path, *, people: list[str], per_class: int) -> None:
    validation_folder(folder / "images", per_class=per_class)
    with made_study(folder / "study", clock=SystemClock()) as store:
        import_dataset(store, DatasetRequest(name="val", path=folder / "images"))
        for code in people:
            add_person(store, code, roles=[Role.LABELER])
        freeze_sample(store, SampleRequest(("val",), per_class, 1))
        open_phase(store, Phase.EVALUATE)
        recovery = folder / "recovery.json"
        create_keys(store, name="lead", passphrase=_PASSPHRASE, recovery=recovery)


@contextmanager
def _opened(folder: str) -> Iterator[tuple[StudyStore, UnlockedKeys]]:
    with open_study(Path(folder, "study"), clock=SystemClock()) as store:
        yield store, unlock_keys(store, _PASSPHRASE)


def copy_barely(folder: str) -> Facts:
    files = sorted(Path(folder, "images").glob("*/*"))
    with timed() as facts, Path(folder, "copy").open("wb") as out:
        for file in files:
            data = file.read_bytes()
            hashlib.sha256(data).digest()
            out.write(data)
    return facts


def pack(folder: str) -> Facts:
    with _opened(folder) as (store, _keys), timed() as facts:
        make_pack(store, Path(folder, _PACK))
    return facts


def bundle(folder: str) -> Facts:
    with _opened(folder) as (store, keys), timed() as facts:
        make_bundle(store, Path(folder, _BUNDLE), code="A", keys=keys)
    return facts


def merge(folder: str) -> Facts:
    files = sorted(Path(folder).glob(f"*{RESULTS_SUFFIX}"))
    with _opened(folder) as (store, keys):
        writers = [open_results(file.read_bytes(), keys.private).writer_id for file in files]
        with timed() as facts:
            merged = merge_results(store, files, keys=keys, confirmed=writers)
    assert len(merged) == _PEOPLE
    return facts


def _answer_in_bundle(store: StudyStore, folder: Path, code: str) -> None:
    """Answer every trial in a bundle of the person, and save the results."""
    file = folder / f"{code}.labeler"
    made = make_bundle(store, file, code=code, keys=unlock_keys(store, _PASSPHRASE))
    home = str(folder / "homes" / code)
    with mock.patch("platformdirs.user_data_dir", return_value=home):
        opened = open_first_time(
            file, opening_code=made.opening_code, passphrase=_PASSPHRASE, clock=SystemClock()
        )
        with opened:
            session = EvaluationSession(opened, code)
            begin = session.begin()
            for number, trial in enumerate(session.trials()):
                session.answers.commit(_answer(opened, begin.session_id, trial.trial_id, number))
            session.end()
            save_results(opened, folder / f"{code}{RESULTS_SUFFIX}")


def _answer(store: StudyStore, session: str, trial: str, number: int) -> CommittedAnswer:
    now = stamp(store.clock.utc())
    return CommittedAnswer(
        answer_id=str(uuid.uuid4()),
        trial_id=trial,
        session_id=session,
        label=store.taxonomy.class_wnids[number % CLASSES],
        shown_at=now,
        submitted_at=now,
        active_ms=900,
        wall_ms=1_000,
        visits=(TrialVisit(session, _VISITED),),
    )
