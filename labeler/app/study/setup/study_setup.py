"""The lead's desk for setting a study up; its calls may block, and long ones tell how far they are.

Every call that did something answers with sentences for the person who asked for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from labeler.app.classes.translated_names import LanguageNames, add_names, preview_names
from labeler.app.datasets.contact_sheets import SheetsReport, prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.folder_preview import FolderPreview, preview_folder
from labeler.app.datasets.import_request import (
    DatasetRequest,
    ImportInterrupted,
    ImportReport,
    evaluation_folders,
    interrupted_request,
)
from labeler.app.datasets.import_summary import odd_file_lines, report_lines
from labeler.app.datasets.relocation import RelocationPreview, preview_relocation, relocate_dataset
from labeler.app.datasets.removal import remove_dataset, require_removable
from labeler.app.datasets.sample_preview import SamplePreviewView, sample_preview_view
from labeler.app.datasets.sampling import (
    fill_training_pool,
    freeze_sample,
    preview_sample,
    require_drawable,
)
from labeler.app.exchange.file_exchange import FileExchange
from labeler.app.progress import ProgressReporter
from labeler.app.review.plan import PlanSettings, plan_lines, plan_review, preview_plan
from labeler.app.study.backups import BackupComparison, compare_backup
from labeler.app.study.check import CheckFinding, check_study, missing_folder
from labeler.app.study.people import (
    add_person,
    change_roles,
    correct_person,
    remove_person,
    require_no_activity,
)
from labeler.app.study.phase_facts import washout_sentence
from labeler.app.study.phases import lock_phase, open_phase
from labeler.app.study.settings import (
    change_settings,
    compare_datasets,
    remove_lead_passphrase,
    set_lead_passphrase,
)
from labeler.app.study.setup.facts import SetupFacts, read_setup_facts
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Dataset, DatasetRole, Role
from labeler.core.study.phases import PHASE_NAMES, Phase, PhaseState
from labeler.core.text import count_noun
from labeler.store.review.blind_review import PHASE_BY_STAGE
from labeler.store.study.backups import BackupReason, back_up
from labeler.store.study_store import StudyStore

Sentences = tuple[str, ...]


class StudySetup:
    def __init__(self, store: StudyStore, code: str) -> None:
        self._store = store
        self._code = code
        self.files = FileExchange(store)

    def facts(self) -> SetupFacts:
        """How far the study is; a study that was moved away meanwhile isn't gone on with."""
        self._store.folder.require_present()
        return read_setup_facts(self._store)

    # Images.

    def see_folder(self, request: DatasetRequest, progress: ProgressReporter) -> FolderPreview:
        """How the folder would be read; nothing is added."""
        to_classify: Mapping[str, str] = {}
        if request.role is DatasetRole.REFERENCE:
            with self._store.read() as study:
                to_classify = evaluation_folders(study, request.path.resolve())
        return preview_folder(
            request, taxonomy=self._store.taxonomy, to_classify=to_classify, progress=progress
        )

    def add_dataset(self, request: DatasetRequest, progress: ProgressReporter) -> Sentences:
        """Add the images; an interrupted import of the same goes on."""
        report = import_dataset(self._store, request, progress=progress)
        if isinstance(report, ImportInterrupted):
            return (f"Stopped after {count_noun(report.stored, 'image')}. Add it again to go on.",)
        is_reference = request.role is DatasetRole.REFERENCE
        sheets = prepare_sheets(self._store, progress=progress) if is_reference else None
        return self._import_lines(report, sheets)

    def go_on(self, name: str, *, listed_by: Path | None, progress: ProgressReporter) -> Sentences:
        """Go on with an interrupted import as it was begun; a CSV that lists it is named again."""
        with self._store.read() as study:
            request = interrupted_request(study.datasets.definition(name), listed_by=listed_by)
        gone = next((path for path in request.paths if not path.exists()), None)
        if gone is not None:
            raise RefusedError(
                f"{gone} isn't there: put it back, or say where {name} lies now, then go on."
            )
        return self.add_dataset(request, progress)

    def odd_files(self, name: str) -> str:
        """What an import left out or noted, a file a line below each reason."""
        with self._store.read() as study:
            return "\n".join(odd_file_lines(study.datasets.odd_files(name)))

    def missing(self, datasets: Iterable[Dataset]) -> frozenset[str]:
        """The datasets whose folders aren't there."""
        return frozenset(one.name for one in datasets if missing_folder(one) is not None)

    def require_removable(self, name: str) -> None:
        """Refuse if something rests on the dataset; nothing is changed."""
        require_removable(self._store, name)

    def see_place(
        self, dataset: str, folder: Path, progress: ProgressReporter
    ) -> RelocationPreview:
        """How many of the dataset's files are in the folder; nothing is changed."""
        return preview_relocation(self._store, dataset, folder, progress=progress)

    def relocate(
        self, dataset: str, folder: Path, *, partly: bool, progress: ProgressReporter
    ) -> Sentences:
        """Say that the dataset's folder is elsewhere now, where its files were found."""
        there = relocate_dataset(self._store, dataset, folder, partly=partly, progress=progress)
        said = f"{dataset} is at {folder} now. A check compares every file."
        return (said,) if there.complete else (said, there.sentence)

    def remove_dataset(self, name: str) -> Sentences:
        """Take a dataset out on which nothing rests; a backup is made first."""
        require_removable(self._store, name)
        self._back_up_before(BackupReason.BEFORE_REMOVING)
        removed = remove_dataset(self._store, name)
        images = count_noun(removed.images, "image")
        said = f"Removed {name} with {images}. The files are where they were."
        bare = len(removed.without_references)
        if not bare:
            return (said,)
        count = count_noun(bare, "class has", "classes have")
        return (said, f"{count} no reference images any more.")

    def build_sheets(self, progress: ProgressReporter) -> Sentences:
        """Prepare the reference images that are missing or outdated."""
        return self._import_lines(None, prepare_sheets(self._store, progress=progress))

    def _import_lines(self, report: ImportReport | None, sheets: SheetsReport | None) -> Sentences:
        return tuple(report_lines(report, sheets, names=self._store.taxonomy.display_names))

    def fill_pool(self, dataset: str, *, per_class: int, progress: ProgressReporter) -> Sentences:
        """Draw images of an evaluation dataset to train on, for good; a backup is made first."""
        # What is drawn can't be given back: a class without an image left couldn't be sampled.
        count = fill_training_pool(
            self._store,
            dataset,
            per_class=per_class,
            seed=self._store.identity.seed,
            spare=1,
            back_up=lambda: self._back_up_before(BackupReason.BEFORE_POOL),
            progress=progress,
        )
        return (f"Put {count_noun(count, 'image')} of {dataset} into the training pool.",)

    # People.

    def add_person(
        self, code: str, *, roles: Iterable[Role], name: str, description: str
    ) -> Sentences:
        person = add_person(
            self._store, code, roles=roles, description=description, name=name or None
        )
        return (f"Added {person.code}, who signs in with this code.",)

    def change_person(
        self,
        code: str,
        *,
        roles: Iterable[Role],
        description: str | None = None,
        name: str | None = None,
    ) -> Sentences:
        """Give a person these roles, and another description or name where one is given."""
        wanted = frozenset(roles)
        if code == self._code and Role.LEAD not in wanted:
            raise RefusedError(
                "You can't take the lead's role from yourself: somebody has to have it."
            )
        is_new = Role.LABELER in wanted - self._roles_of(code)
        change_roles(self._store, code, wanted)
        said = f"{code} is {', '.join(sorted(wanted))} now."
        given = {"description": description, "name": name}
        changed = " and ".join(what for what, value in given.items() if value is not None)
        if changed:
            correct_person(self._store, code, description=description, name=name)
        corrected = f"The {changed} of {code} changed." if changed else ""
        wait = washout_sentence(self._store, code) if is_new else ""
        return tuple(filter(None, (said, corrected, wait)))

    def _roles_of(self, code: str) -> frozenset[Role]:
        with self._store.read() as study:
            person = study.participants.find(code)
        return person.roles if person is not None else frozenset()

    def require_removable_person(self, code: str) -> None:
        """Refuse if the person has to stay; nothing is changed."""
        if code == self._code:
            raise RefusedError("You can't remove yourself: somebody has to lead the study.")
        require_no_activity(self._store, code)

    def remove_person(self, code: str) -> Sentences:
        """Take someone out who has done nothing yet; a backup is made first."""
        self.require_removable_person(code)
        self._back_up_before(BackupReason.BEFORE_REMOVING)
        remove_person(self._store, code)
        return (f"Removed {code}.",)

    # The study's settings.

    def change_settings(
        self, *, asks_confidence: bool, idle_seconds: int, washout_days: int
    ) -> Sentences:
        change_settings(
            self._store,
            asks_confidence=asks_confidence,
            idle_seconds=idle_seconds,
            washout_days=washout_days,
        )
        return ("The settings hold from now on. Whoever is at work gets them at the next session.",)

    def set_passphrase(self, passphrase: str) -> Sentences:
        set_lead_passphrase(self._store, passphrase)
        return ("Whoever signs in as lead is asked for the passphrase from now on.",)

    def remove_passphrase(self) -> Sentences:
        remove_lead_passphrase(self._store)
        return ("Leads sign in without a passphrase from now on.",)

    def compare(self, *, original: str, new: str) -> Sentences:
        compare_datasets(self._store, original=original, new=new)
        return (f"The report compares {original} with {new}.",)

    def see_names(self, files: Sequence[Path]) -> tuple[LanguageNames, ...]:
        """What names in other languages the files would bring; nothing is kept."""
        return preview_names(self._store, files)

    def add_names(self, files: Sequence[Path], *, replace: bool) -> Sentences:
        """Give classes further names; before any are replaced, a backup is made."""
        if replace:
            self._back_up_before(BackupReason.BEFORE_NAMES)
        given = add_names(self._store, files, replace=replace)
        named = ", ".join(one.summary for one in given)
        return (
            f"Searches find the names of {named}. Whoever has the study open, you too, finds them "
            "when it is opened again.",
        )

    # The sample.

    def preview_sample(
        self, request: SampleRequest, *, skip_seen: bool, progress: ProgressReporter
    ) -> SamplePreviewView:
        """What would be drawn, and what is in the way."""
        found = preview_sample(self._store, request, skip_seen=skip_seen, progress=progress)
        return sample_preview_view(found, self._store.taxonomy)

    def freeze_sample(
        self,
        request: SampleRequest,
        *,
        skip_seen: bool,
        allow_shortage: bool,
        progress: ProgressReporter,
    ) -> Sentences:
        """Draw the sample in place of one that was there; a backup is made first."""
        require_drawable(
            self._store,
            request,
            skip_seen=skip_seen,
            allow_shortage=allow_shortage,
            progress=progress,
        )
        self._back_up_before(BackupReason.BEFORE_SAMPLE)
        report = freeze_sample(
            self._store,
            request,
            redraw=True,
            skip_seen=skip_seen,
            allow_shortage=allow_shortage,
            progress=progress,
        )
        drawn = count_noun(len(report.draw.images), "image")
        sentence = f"Drew {drawn} from {', '.join(request.datasets)} (seed {request.seed})."
        return tuple(filter(None, (sentence, report.warning, report.washout)))

    # Reviews.

    def preview_plan(self, settings: PlanSettings) -> Sentences:
        """What the plan of a review would ask; nothing is planned."""
        return plan_lines(preview_plan(self._store, settings), preview=True)

    def plan_review(self, settings: PlanSettings) -> Sentences:
        """Plan a review, or extend its plan by what is new."""
        lines = plan_lines(plan_review(self._store, settings))
        phase = PHASE_BY_STAGE[settings.stage]
        with self._store.read() as study:
            is_open = study.phases.states()[phase] is PhaseState.OPEN
        later = f"Reviewers can begin when you open the {PHASE_NAMES[phase]}, under “Phases”."
        return lines if is_open else (*lines, later)

    # The phases.

    def open_phase(self, phase: Phase) -> Sentences:
        """Open it; before the evaluation, which freezes sample and guide, a backup is made."""
        if phase is Phase.EVALUATE:
            self._back_up_before(BackupReason.BEFORE_OPENING)
        warnings = open_phase(self._store, phase)
        return (f"The {PHASE_NAMES[phase]} is open.", self._how_to_begin(phase), *warnings)

    def _how_to_begin(self, phase: Phase) -> str:
        with self._store.read() as study:
            facts = study.phases.facts()
        people = facts.labelers if phase in (Phase.TRAIN, Phase.EVALUATE) else facts.reviewers
        codes = "this code" if len(people) == 1 else "their codes"
        return (
            f"{', '.join(people)} can now open the study at {self._store.folder.path} and sign in "
            f"with {codes}."
        )

    def lock_phase(self, phase: Phase) -> Sentences:
        """Lock it for good, anyone who isn't finished; a backup is made first."""
        self._back_up_before(BackupReason.BEFORE_LOCKING)
        lock_phase(self._store, phase, unfinished=True)
        return (f"The {PHASE_NAMES[phase]} is locked.",)

    # Keeping it safe.

    def back_up(self, now: datetime) -> Sentences:
        if not self._store.database.is_sqlite:
            return ("The study lies on a server, which makes its own backups.",)
        made = back_up(self._store.folder, now=now, reason=BackupReason.BY_HAND)
        return (f"Backed up as {made.name}.",)

    def _back_up_before(self, reason: BackupReason) -> None:
        if self._store.database.is_sqlite:
            back_up(self._store.folder, now=self._store.clock.utc(), reason=reason)

    def compare_backup(self, name: str) -> BackupComparison:
        """What a backup holds, and the study now; nothing is changed."""
        return compare_backup(self._store.folder, name)

    def check(self, progress: ProgressReporter) -> list[CheckFinding]:
        """Everything that is wrong with the study."""
        self._store.folder.require_present()
        return check_study(self._store.folder.path, clock=self._store.clock, progress=progress)
