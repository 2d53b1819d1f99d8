"""A study on several computers: seven people with bundles, two on a server.

Five labelers and two reviewers have bundles. The same acts can be done on one computer, so that
the reports can be compared. Each computer has its own home folder.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from unittest import mock

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.progress import NoProgress
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.resolution import ResolutionSettings, resolve_verdicts
from labeler.app.review.session import ReviewSession
from labeler.app.sharing.bundles import make_bundle
from labeler.app.sharing.lead_keys import UnlockedKeys, create_keys, unlock_keys
from labeler.app.sharing.merge import merge_results
from labeler.app.sharing.opening import open_again, open_first_time
from labeler.app.sharing.packs import make_pack
from labeler.app.sharing.results import save_results
from labeler.app.sharing.updates import make_update
from labeler.app.study.joining import JoinRequest, join_study
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.app.study.studies import new_study
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.review.blind_types import OwnFlag
from labeler.core.study.entities import (
    DatasetRole,
    ProblemReason,
    ResolutionRule,
    Role,
    Stage,
)
from labeler.core.study.phases import Phase
from labeler.demo.finished_study import RECORDED_PREDICTIONS
from labeler.demo.people.simulated_people import PictureContents, PictureReader, SimulatedLabeler
from labeler.demo.people.simulated_work import SimulatedCalendar, SimulatedWork
from labeler.demo.pictures import TRUTH_FILE, read_truth
from labeler.store.exchange.importer import import_exchange
from labeler.store.sharing.results_file import open_results
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore

SEED = 2020
WEEKS = 3
LEAD_PASSPHRASE, PASSPHRASE = "the lead's own words", "words of my own"
LABELERS = tuple(
    SimulatedLabeler(f"labeler-{number}", skill, pace)
    for number, skill, pace in (
        (1, 1.6, 21.0),
        (2, 1.3, 30.0),
        (3, 1.1, 26.0),
        (4, 0.7, 44.0),
        (5, 0.3, 35.0),
        (6, 0.9, 28.0),
    )
)
REVIEWERS = ("reviewer-1", "reviewer-2", "reviewer-3")
# These two work on the server; everyone else has a bundle.
ON_SERVER = (LABELERS[-1].code, REVIEWERS[-1])
_SETS = {
    "original": DatasetRole.EVALUATION,
    "new": DatasetRole.EVALUATION,
    "training": DatasetRole.TRAINING,
    "references": DatasetRole.REFERENCE,
}
_EVALUATION_DAY, _REVIEW_DAY = 7, 35


class WeeklyWork(SimulatedWork):
    """Work that is done in parts, a part each week.

    The order of a bundle is its own, so images are taken in an order that is the same everywhere.
    """

    def answer_part(self, person: SimulatedLabeler, *, week: int) -> None:
        """Answer this week's trials; in the last week, lock the answers."""
        session = EvaluationSession(self.store, person.code)
        try:
            begin = session.begin()
            waiting = [trial.trial_id for trial in session.trials() if trial.waits]
            waiting.sort(key=lambda trial: self.reader.look_at(self._file(trial)).key)
            for trial in waiting[: _part(len(waiting), week)]:
                self._answer(session, person, begin.session_id, trial)
            if week == WEEKS - 1:
                session.lock()
        finally:
            session.end()

    def review_part(self, reviewer: str, *, week: int, flags: bool) -> None:
        """Judge this week's images; in the last week, check the images that others flagged."""
        session = ReviewSession(self.store, reviewer, Stage.FINAL)
        try:
            begin = session.begin()
            waiting = [visit for visit in session.visits() if visit.waits]
            waiting.sort(key=lambda visit: self._seen_key(visit.visit_id))
            part = waiting[: _part(len(waiting), week)]
            for visit in part:
                self._judge(session, reviewer, Stage.FINAL, visit, begin.session_id, flags=False)
            for visit in part[::3] if flags else ():
                session.flag(visit.visit_id, _FLAG)
            for check in begin.checks if week == WEEKS - 1 else ():
                session.answer_check(check.check_id, _FLAG)
        finally:
            session.end()

    def _seen_key(self, visit_id: str) -> str:
        with self.store.read() as study:
            return self.reader.look_at(study.review.reviewing.image_file(visit_id).path).key


_FLAG = OwnFlag(frozenset({ProblemReason.DRAWING}))


def _part(waiting: int, week: int) -> int:
    return -(-waiting // (WEEKS - week))


class PackReader(PictureReader):
    """Knows what is behind the tokens of a pack, which only the lead's study says."""

    def __init__(self, lead: StudyStore) -> None:
        super().__init__(read_truth(lead), lead.taxonomy)
        with lead.read() as study:
            images = study.packs.images(study.packs.newest().pack_id)
        self._files = {one.token: one.file.path for one in images if one.file is not None}

    def look_at(self, file: Path) -> PictureContents:
        return super().look_at(self._files.get(file.name, file))


@contextmanager
def at_computer(home: Path) -> Iterator[None]:
    """Work on the computer with this home folder."""
    home.mkdir(parents=True, exist_ok=True)
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in _XDG}
    with mock.patch.dict(os.environ, {"HOME": str(home), **folders}):
        yield


_XDG = ("CONFIG", "DATA", "CACHE", "STATE")


def few_pictures(demo: Path, folder: Path) -> Path:
    """Return a folder with the demo's images of the evaluation, and few of the others."""
    folder.mkdir(parents=True)
    for name, role in _SETS.items():
        if role is DatasetRole.EVALUATION:
            shutil.copytree(demo / "pictures" / name, folder / name)
            continue
        for file in sorted((demo / "pictures" / name).glob(f"*/*{_FIRST_PICTURE}")):
            (folder / name / file.parent.name).mkdir(parents=True)
            shutil.copy(file, folder / name / file.parent.name)
    shutil.copy(demo / TRUTH_FILE, folder.parent)
    return folder


_FIRST_PICTURE = "_001.jpg"


def prepare_study(path: Path, pictures: Path, *, server: str | None = None) -> StudyStore:
    """Return a study of the demo's images with people and a sample, before anyone has worked."""
    store = new_study(path, clock=SimulatedCalendar(), name="Demo", seed=SEED, server=server)
    shutil.copyfile(pictures.parent / TRUTH_FILE, path / TRUTH_FILE)
    for name, role in _SETS.items():
        request = DatasetRequest(name=name, path=pictures / name, role=role)
        import_dataset(store, request, progress=NoProgress())
    for person in LABELERS:
        add_person(store, person.code, roles=[Role.LABELER])
    for reviewer in REVIEWERS:
        add_person(store, reviewer, roles=[Role.REVIEWER])
    import_exchange(store, RECORDED_PREDICTIONS)
    freeze_sample(store, SampleRequest(("original", "new"), 1, SEED, class_count=10))
    open_phase(store, Phase.EVALUATE)
    return store


def begin_review(lead: StudyStore) -> None:
    """Lock the evaluation, plan the final review and open it."""
    _set_day(lead, _REVIEW_DAY - 1)
    lock_phase(lead, Phase.EVALUATE)
    plan_review(lead, PlanSettings(stage=Stage.FINAL, overlap=2, again=0.1, seed=SEED))
    open_phase(lead, Phase.REVIEW)


def finish_study(lead: StudyStore) -> None:
    """Lock the review and resolve its verdicts."""
    _set_day(lead, _REVIEW_DAY + 7 * WEEKS)
    lock_phase(lead, Phase.REVIEW)
    resolve_verdicts(lead, ResolutionSettings(rule=ResolutionRule.MAJORITY))


def _set_day(store: StudyStore, day: int) -> None:
    calendar = store.clock
    assert isinstance(calendar, SimulatedCalendar)
    calendar.morning_of(day)


def answer_week(store: StudyStore, reader: PictureReader, code: str, week: int) -> None:
    """Do a labeler's part of one week."""
    _set_day(store, _EVALUATION_DAY + 7 * week)
    _work(store, reader).answer_part(_LABELER_BY_CODE[code], week=week)


def review_week(store: StudyStore, reader: PictureReader, code: str, week: int) -> None:
    """Do a reviewer's part of one week."""
    _set_day(store, _REVIEW_DAY + 7 * week)
    flags = (code, week) == (REVIEWERS[0], 0)
    _work(store, reader).review_part(code, week=week, flags=flags)


_LABELER_BY_CODE = {person.code: person for person in LABELERS}


def _work(store: StudyStore, reader: PictureReader) -> WeeklyWork:
    calendar = store.clock
    assert isinstance(calendar, SimulatedCalendar)
    return WeeklyWork(store, calendar, reader, NoProgress())


# On one computer.


def work_on_one_computer(path: Path, pictures: Path) -> Path:
    """Do everything on one computer, and return the study's folder."""
    with prepare_study(path, pictures) as store:
        reader = PictureReader(read_truth(store), store.taxonomy)
        for week in range(WEEKS):
            for person in LABELERS:
                answer_week(store, reader, person.code, week)
        begin_review(store)
        for week in range(WEEKS):
            for reviewer in REVIEWERS:
                review_week(store, reader, reviewer, week)
        finish_study(store)
    return path


# On several computers.


@dataclass
class Laboratory:
    """A lead whose study is on a server, and the computers of everyone else."""

    lead: StudyStore
    address: str
    folder: Path
    pictures: Path
    random: Random
    bundles: dict[str, tuple[Path, str]] = field(default_factory=dict)
    sent: list[Path] = field(default_factory=list)

    @property
    def pack(self) -> Path:
        return self.folder / "study.labelerpack"

    def home(self, code: str) -> Path:
        return self.folder / "homes" / code

    @cached_property
    def keys(self) -> UnlockedKeys:
        return unlock_keys(self.lead, LEAD_PASSPHRASE)

    def make_keys_and_pack(self) -> None:
        recovery = self.folder / "recovery.json"
        create_keys(self.lead, name="lead", passphrase=LEAD_PASSPHRASE, recovery=recovery)
        prepare_sheets(self.lead, progress=NoProgress())
        make_pack(self.lead, self.pack)

    def make_bundles(self, people: Sequence[str]) -> None:
        """Make a bundle for each person, and put it on their computer together with the pack."""
        for code in people:
            file = self.home(code) / f"{code}.labeler"
            made = make_bundle(self.lead, file, code=code, keys=self.keys)
            (self.home(code) / self.pack.name).symlink_to(self.pack)
            self.bundles[code] = (file, made.opening_code)

    @contextmanager
    def bundle_of(self, code: str) -> Iterator[StudyStore]:
        """Open the bundle on the person's computer, the first time with its code."""
        file, opening_code = self.bundles[code]
        calendar = SimulatedCalendar()
        with at_computer(self.home(code)):
            is_new = not list(self.home(code).glob("sent-*"))
            store = (
                open_first_time(
                    file, opening_code=opening_code, passphrase=PASSPHRASE, clock=calendar
                )
                if is_new
                else open_again(file, passphrase=PASSPHRASE, clock=calendar)
            )
            with store:
                yield store
                number = len(self.sent)
                file = self.home(code) / f"sent-{number}.labelerresults"
                save_results(store, file)
                self.sent.append(file)

    @contextmanager
    def joined_by(self, code: str) -> Iterator[StudyStore]:
        """Open the study on the server from the person's computer, which joins it first."""
        path = self.home(code) / "study"
        calendar = SimulatedCalendar()
        with at_computer(self.home(code)):
            if not path.exists():
                request = JoinRequest(address=self.address, folder=path, pack=self.pack)
                join_study(request, clock=calendar)
            with open_study(path, clock=calendar) as store:
                yield store

    def merge_what_arrived(self) -> None:
        """Merge all files of all weeks so far in a random order, some of them twice."""
        files = [*self.sent, *self.random.sample(self.sent, k=len(self.sent) // 3)]
        self.random.shuffle(files)
        private = self.keys.private
        with at_computer(self.home("lead")):
            while files:
                count = self.random.randint(1, 4)
                arrived, files = files[:count], files[count:]
                writers = [open_results(f.read_bytes(), private).writer_id for f in arrived]
                merge_results(self.lead, arrived, keys=self.keys, confirmed=writers)

    def send_update(self, week: int) -> None:
        """Send everyone what is new, for example checks of images that others flagged."""
        for old in self.folder.glob("homes/*/*.labelerupdate"):
            old.unlink()
        update = self.folder / f"week-{week}.labelerupdate"
        with at_computer(self.home("lead")):
            make_update(self.lead, update, keys=self.keys)
        for file, _code in self.bundles.values():
            shutil.copy(update, file.parent)


def work_on_seven_computers(
    folder: Path, pictures: Path, *, server: str, random: Random
) -> Laboratory:
    """Do the same on several computers; return the lead's open study."""
    with at_computer(folder / "homes" / "lead"):
        lead = prepare_study(folder / "study", pictures, server=server)
        laboratory = Laboratory(lead, server, folder, pictures, random)
        laboratory.make_keys_and_pack()
    reader = PackReader(lead)
    labelers = [person.code for person in LABELERS]
    _work_in_weeks(laboratory, reader, labelers, answer_week)
    with at_computer(laboratory.home("lead")):
        begin_review(lead)
    _work_in_weeks(laboratory, reader, REVIEWERS, review_week)
    with at_computer(laboratory.home("lead")):
        finish_study(lead)
    return laboratory


def _work_in_weeks(
    laboratory: Laboratory,
    reader: PictureReader,
    people: Sequence[str],
    work: Callable[[StudyStore, PictureReader, str, int], None],
) -> None:
    laboratory.make_bundles([code for code in people if code not in ON_SERVER])
    for week in range(WEEKS):
        for code in people:
            place = laboratory.joined_by if code in ON_SERVER else laboratory.bundle_of
            with place(code) as store:
                work(store, reader, code, week)
        _set_day(laboratory.lead, 7 * week + (_REVIEW_DAY if work is review_week else 0) + 13)
        laboratory.merge_what_arrived()
        laboratory.send_update(week)
