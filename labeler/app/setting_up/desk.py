"""The lead's desk for setting a study up; its calls may block, and long ones tell how far they are.

Every call that did something answers with sentences for the person who asked for it.
"""

from collections.abc import Iterable
from datetime import datetime

from labeler.app.check import check_study
from labeler.app.dataset_import import import_dataset
from labeler.app.dataset_request import DatasetRequest, ImportInterrupted
from labeler.app.import_summary import report_lines
from labeler.app.people import add_person, change_roles
from labeler.app.phases import lock_phase, open_phase
from labeler.app.progress import Progress
from labeler.app.reference_sheets import prepare_sheets
from labeler.app.sampling import SampleReport, fill_training_pool, freeze_sample, preview_sample
from labeler.app.setting_up.facts import SetUpFacts, set_up_facts
from labeler.app.setting_up.files_desk import FilesDesk
from labeler.app.setting_up.looking_at import FolderSeen, see_folder
from labeler.core.errors import Refused
from labeler.core.naming import counted
from labeler.core.phases import Phase
from labeler.core.sampling import SampleRequest
from labeler.core.study import DatasetRole, Role
from labeler.store.backup import back_up
from labeler.store.study import StudyStore

Sentences = tuple[str, ...]


class SetUpDesk:
    def __init__(self, store: StudyStore, code: str) -> None:
        self._store = store
        self._code = code
        self.files = FilesDesk(store)

    def facts(self) -> SetUpFacts:
        return set_up_facts(self._store)

    # Images.

    def see_folder(self, request: DatasetRequest) -> FolderSeen:
        """How the folder would be read; nothing is added."""
        return see_folder(request, taxonomy=self._store.taxonomy)

    def add_dataset(self, request: DatasetRequest, progress: Progress) -> Sentences:
        """Add the images; an interrupted import of the same goes on."""
        report = import_dataset(self._store, request, progress=progress)
        if isinstance(report, ImportInterrupted):
            return (f"Stopped after {counted(report.stored, 'image')}. Add it again to go on.",)
        is_reference = request.role is DatasetRole.REFERENCE
        sheets = prepare_sheets(self._store, progress=progress) if is_reference else None
        return tuple(report_lines(report, sheets))

    def fill_pool(self, dataset: str, *, per_class: int, progress: Progress) -> Sentences:
        """Draw images of an evaluation dataset to train on."""
        seed = self._store.identity.seed
        count = fill_training_pool(
            self._store, dataset, per_class=per_class, seed=seed, progress=progress
        )
        return (f"Put {counted(count, 'image')} of {dataset} into the training pool.",)

    # People.

    def add_person(
        self, code: str, *, roles: Iterable[Role], name: str, description: str
    ) -> Sentences:
        person = add_person(
            self._store, code, roles=roles, description=description, name=name or None
        )
        return (f"Added {person.code}, who signs in with this code.",)

    def change_roles(self, code: str, roles: Iterable[Role]) -> Sentences:
        wanted = frozenset(roles)
        if code == self._code and Role.LEAD not in wanted:
            raise Refused("You can't take the lead's role from yourself: somebody has to have it.")
        change_roles(self._store, code, wanted)
        return (f"{code} is {', '.join(sorted(wanted))} now.",)

    # The sample.

    def preview_sample(
        self, request: SampleRequest, *, skip_seen: bool, progress: Progress
    ) -> SampleReport:
        """What would be drawn, and what stands in the way."""
        return preview_sample(self._store, request, skip_seen=skip_seen, progress=progress)

    def freeze_sample(
        self, request: SampleRequest, *, skip_seen: bool, allow_shortage: bool, progress: Progress
    ) -> Sentences:
        """Draw the sample in place of one that was there; a backup is made first."""
        self.back_up(self._store.clock.utc())
        report = freeze_sample(
            self._store,
            request,
            redraw=True,
            skip_seen=skip_seen,
            allow_shortage=allow_shortage,
            progress=progress,
        )
        drawn = counted(len(report.draw.images), "image")
        sentence = f"Drew {drawn} from {', '.join(request.datasets)} (seed {request.seed})."
        return (sentence,) if report.warning is None else (sentence, report.warning)

    # The phases.

    def open_phase(self, phase: Phase) -> Sentences:
        return (f"The phase {phase} is open.", *open_phase(self._store, phase))

    def lock_phase(self, phase: Phase) -> Sentences:
        """Lock it for good, whoever isn't finished; a backup is made first."""
        self.back_up(self._store.clock.utc())
        lock_phase(self._store, phase, unfinished=True)
        return (f"The phase {phase} is locked.",)

    # Keeping it safe.

    def back_up(self, now: datetime) -> Sentences:
        if not self._store.database.is_sqlite:
            return ("The study lies on a server, which makes its own backups.",)
        made = back_up(self._store.folder, now=now)
        return (f"Backed up as {made.name}.",)

    def check(self, progress: Progress) -> Sentences:
        """Everything that is wrong, each with what to do about it."""
        found = check_study(self._store.folder.path, clock=self._store.clock, progress=progress)
        if not found:
            return ("Nothing is wrong with the study: the database and every file are sound.",)
        return tuple(f"{finding.sentence} {finding.remedy}" for finding in found)
