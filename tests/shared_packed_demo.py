"""The demo with lead keys and a pack, built once for all tests, and people with their bundles."""

import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.sharing.bundles import make_bundle
from labeler.app.sharing.lead_keys import UnlockedKeys, create_keys, unlock_keys
from labeler.app.sharing.opening import open_again, open_first_time
from labeler.app.sharing.packs import make_pack
from labeler.app.sharing.results import save_results
from labeler.core.clock import Clock, SystemClock, stamp
from labeler.core.labeling.active_time import AttentionInterval, TrialVisit
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import AttentionPlace, Role
from labeler.store.sharing.bundle_store import BundleStore
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.shared_copy import shared_copy
from tests.shared_demo import shared_demo

LEAD_PASSPHRASE, PASSPHRASE = "correct horse battery", "a labeler's own words"
PACK, RECOVERY = "demo.labelerpack", "recovery.json"


def shared_packed_demo() -> Path:
    """The folder with the study, its pack and its recovery file; copy the study to change it."""
    return shared_copy("packed", _make)


def _make(folder: Path) -> None:
    folder.mkdir()
    study = folder / "study"
    shutil.copytree(shared_demo(), study, symlinks=True)
    with open_study(study, clock=SystemClock()) as store:
        create_keys(store, name="L", passphrase=LEAD_PASSPHRASE, recovery=folder / RECOVERY)
        make_pack(store, folder / PACK)


@dataclass
class Lead:
    """A lead with a copy of the study, who hands out bundles."""

    store: StudyStore
    folder: Path
    pack: Path

    @cached_property
    def keys(self) -> UnlockedKeys:
        return unlock_keys(self.store, LEAD_PASSPHRASE)

    def bundle(self, code: str, *, role: Role | None = None, tasks: int = 0) -> tuple[Path, str]:
        """Return a new bundle of the person, and its opening code."""
        file = self.folder / f"{code}-{uuid.uuid4().hex[:6]}.labeler"
        made = make_bundle(self.store, file, code=code, keys=self.keys, role=role, tasks=tasks)
        return file, made.opening_code


@dataclass
class Person:
    """A person at a computer of their own, with an open bundle."""

    code: str
    file: Path
    home: Path
    store: BundleStore
    clock: Clock

    def answer(self, count: int, label: Callable[[int], int] = lambda n: n) -> None:
        """Answer the next trials, each with the class that `label` returns."""
        session = EvaluationSession(self.store, self.code)
        start = session.begin()
        waiting = [trial for trial in session.trials() if not trial.answered][:count]
        for number, trial in enumerate(waiting):
            self.commit(session, start.session_id, trial.trial_id, label(number))
        session.end()

    def commit(self, session: EvaluationSession, own: str, trial: str, label: int) -> None:
        now = stamp(self.clock.utc())
        looked = AttentionInterval(AttentionPlace.IMAGE, 0, 400, (5, 6))
        session.answers.commit(
            CommittedAnswer(
                answer_id=str(uuid.uuid4()),
                trial_id=trial,
                session_id=own,
                label=self.store.taxonomy.class_wnids[label],
                shown_at=now,
                submitted_at=now,
                active_ms=900,
                wall_ms=1000,
                visits=(TrialVisit(own, (looked,)),),
            )
        )

    def save(self, name: str) -> Path:
        """Save the results, as the window does."""
        file = self.home / f"{name}.labelerresults"
        save_results(self.store, file)
        return file

    def reopen(self) -> None:
        self.store.close()
        self.store = open_again(self.file, passphrase=PASSPHRASE, clock=self.clock)


def open_bundle(
    lead: Lead, file: Path, opening_code: str, *, code: str, clock: Clock, home: Path
) -> Person:
    """Open a bundle for the first time; the caller has set the home folder of the computer."""
    home.mkdir(parents=True, exist_ok=True)
    store = open_first_time(
        file, opening_code=opening_code, passphrase=PASSPHRASE, clock=clock, pack=lead.pack
    )
    return Person(code, file, home, store, clock)
