"""The operations of Set up for the lead; they may block, and long ones report progress.

Operations that change the study return messages for the person who requested them.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from labeler.app.classes.confusion_import import import_confusions, remove_confusions
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
from labeler.app.datasets.relocation import (
    RelocationPreview,
    missing_folder,
    preview_relocation,
    relocate_dataset,
)
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
from labeler.app.sharing.lead_sharing import LeadSharing
from labeler.app.study.backups import BackupComparison, compare_backup
from labeler.app.study.check import CheckFinding, check_study
from labeler.app.study.last_check import LastCheck, record_check
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
    set_backup_folder,
    set_lead_passphrase,
)
from labeler.app.study.setup.confirmations import FILES_STAY
from labeler.app.study.setup.facts import SetupFacts, read_setup_facts
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Dataset, DatasetRole, Role
from labeler.core.study.phases import PHASE_BY_STAGE, PHASE_NAMES, Phase, PhaseState
from labeler.core.text import count_noun
from labeler.store.study.backups import BackupReason, back_up
from labeler.store.study.server_dumps import dump_database
from labeler.store.study_store import StudyStore

Sentences = tuple[str, ...]

OWN_LEAD_ROLE = "You can't remove your own lead role. The study needs a lead."
OWN_REMOVAL = "You can't remove yourself. The study needs a lead."
SETTINGS_SAVED = "Settings saved. They apply to sessions that start from now on."
PASSPHRASE_SET = "Passphrase set. Leads need it to sign in."
PASSPHRASE_REMOVED = "Passphrase removed. Leads can sign in without one."
BACKUPS_ON_SERVER = (
    "The study is on a server, whose administrator makes its backups. You can make one here too, "
    "with PostgreSQL's program pg_dump."
)


def person_added_text(code: str) -> str:
    return f"Added {code}. They sign in with this code."


def names_added_text(summary: str) -> str:
    return (
        f"Added names for {summary}. Searches find them the next time the study is opened, for you "
        "as well."
    )


def review_closed_text(phase: Phase) -> str:
    return f"Reviewers can start once you open the {PHASE_NAMES[phase]} in step “Phases”."


def phase_open_text(phase: Phase) -> str:
    return f"The {PHASE_NAMES[phase]} is open."


def how_to_start_text(people: Sequence[str], folder: Path) -> str:
    codes = "this code" if len(people) == 1 else "their codes"
    return f"{', '.join(people)} can now open the study at {folder} and sign in with {codes}."


class StudySetup:
    def __init__(self, store: StudyStore, code: str) -> None:
        self._store = store
        self._code = code
        self.files = FileExchange(store)
        self.sharing = LeadSharing(store)

    def facts(self) -> SetupFacts:
        """Read the state of the study; refuse if its folder was moved away."""
        self._store.folder.require_present()
        return read_setup_facts(self._store)

    # Images.

    def see_folder(self, request: DatasetRequest, progress: ProgressReporter) -> FolderPreview:
        """Return how the folder would be read, without adding anything."""
        to_classify: Mapping[str, str] = {}
        if request.role is DatasetRole.REFERENCE:
            with self._store.read() as study:
                to_classify = evaluation_folders(study, request.path.resolve())
        return preview_folder(
            request, taxonomy=self._store.taxonomy, to_classify=to_classify, progress=progress
        )

    def add_dataset(self, request: DatasetRequest, progress: ProgressReporter) -> Sentences:
        """Add the images, or resume an interrupted import of the same dataset."""
        report = import_dataset(self._store, request, progress=progress)
        if isinstance(report, ImportInterrupted):
            return (f"Stopped after {count_noun(report.stored, 'image')}. Add it again to resume.",)
        is_reference = request.role is DatasetRole.REFERENCE
        sheets = prepare_sheets(self._store, progress=progress) if is_reference else None
        return self._import_lines(report, sheets)

    def resume_import(
        self, name: str, *, listed_by: Path | None, progress: ProgressReporter
    ) -> Sentences:
        """Resume an interrupted import with its options; a CSV that lists it is given again."""
        with self._store.read() as study:
            request = interrupted_request(study.datasets.definition(name), listed_by=listed_by)
        gone = next((path for path in request.paths if not path.exists()), None)
        if gone is not None:
            raise RefusedError(
                f"{gone} is missing. Put it back or locate the moved folder of {name}, then resume."
            )
        return self.add_dataset(request, progress)

    def odd_files(self, name: str) -> str:
        """Return the skipped and noted files, one per line below each reason."""
        with self._store.read() as study:
            return "\n".join(odd_file_lines(study.datasets.odd_files(name)))

    def missing(self, datasets: Iterable[Dataset]) -> frozenset[str]:
        """Return the datasets whose folders are missing."""
        return frozenset(one.name for one in datasets if missing_folder(one) is not None)

    def require_removable(self, name: str) -> None:
        """Refuse if the dataset is in use; changes nothing."""
        require_removable(self._store, name)

    def see_place(
        self, dataset: str, folder: Path, progress: ProgressReporter
    ) -> RelocationPreview:
        """Count the dataset's files in the folder; changes nothing."""
        return preview_relocation(self._store, dataset, folder, progress=progress)

    def relocate(
        self, dataset: str, folder: Path, *, partly: bool, progress: ProgressReporter
    ) -> Sentences:
        """Set the dataset's new folder, in which its files were found."""
        there = relocate_dataset(self._store, dataset, folder, partly=partly, progress=progress)
        said = f"{dataset} is now at {folder}. Check the study to compare every file."
        return (said,) if there.complete else (said, there.sentence)

    def remove_dataset(self, name: str) -> Sentences:
        """Remove an unused dataset, after a backup."""
        require_removable(self._store, name)
        self._back_up_before(BackupReason.BEFORE_REMOVING)
        removed = remove_dataset(self._store, name)
        images = count_noun(removed.images, "image")
        said = f"Removed {name} with {images}. {FILES_STAY}"
        bare = len(removed.without_references)
        if not bare:
            return (said,)
        count = count_noun(bare, "class has", "classes have")
        return (said, f"{count} no reference images now.")

    def build_sheets(self, progress: ProgressReporter) -> Sentences:
        """Prepare reference images that are missing or outdated."""
        return self._import_lines(None, prepare_sheets(self._store, progress=progress))

    def _import_lines(self, report: ImportReport | None, sheets: SheetsReport | None) -> Sentences:
        return tuple(report_lines(report, sheets, names=self._store.taxonomy.display_names))

    def fill_pool(self, dataset: str, *, per_class: int, progress: ProgressReporter) -> Sentences:
        """Draw training images from an evaluation dataset permanently, after a backup."""
        # They can't be returned, so at least one image per class is left to be sampled.
        count = fill_training_pool(
            self._store,
            dataset,
            per_class=per_class,
            seed=self._store.identity.seed,
            spare=1,
            back_up=lambda: self._back_up_before(BackupReason.BEFORE_POOL),
            progress=progress,
        )
        return (f"Moved {count_noun(count, 'image')} of {dataset} to the training pool.",)

    # People.

    def add_person(
        self, code: str, *, roles: Iterable[Role], name: str, description: str
    ) -> Sentences:
        person = add_person(
            self._store, code, roles=roles, description=description, name=name or None
        )
        return (person_added_text(person.code),)

    def change_person(
        self,
        code: str,
        *,
        roles: Iterable[Role],
        description: str | None = None,
        name: str | None = None,
    ) -> Sentences:
        """Replace a person's roles, and their description or name if given."""
        wanted = frozenset(roles)
        if code == self._code and Role.LEAD not in wanted:
            raise RefusedError(OWN_LEAD_ROLE)
        is_new = Role.LABELER in wanted - self._roles_of(code)
        change_roles(self._store, code, wanted)
        said = f"{code} is now {', '.join(sorted(wanted))}."
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
        """Refuse if the person can't be removed; changes nothing."""
        if code == self._code:
            raise RefusedError(OWN_REMOVAL)
        require_no_activity(self._store, code)

    def remove_person(self, code: str) -> Sentences:
        """Remove a person who has done nothing yet, after a backup."""
        self.require_removable_person(code)
        self._back_up_before(BackupReason.BEFORE_REMOVING)
        remove_person(self._store, code)
        return (f"Removed {code}.",)

    # The study's settings.

    def change_settings(self, **values: int) -> Sentences:
        change_settings(self._store, **values)
        return (SETTINGS_SAVED,)

    def set_passphrase(self, passphrase: str) -> Sentences:
        set_lead_passphrase(self._store, passphrase)
        return (PASSPHRASE_SET,)

    def remove_passphrase(self) -> Sentences:
        remove_lead_passphrase(self._store)
        return (PASSPHRASE_REMOVED,)

    def compare(self, *, original: str, new: str) -> Sentences:
        compare_datasets(self._store, original=original, new=new)
        return (f"The report compares {original} with {new}.",)

    def see_names(self, files: Sequence[Path]) -> tuple[LanguageNames, ...]:
        """Return which translated names the files would add; changes nothing."""
        return preview_names(self._store, files)

    def add_names(self, files: Sequence[Path], *, replace: bool) -> Sentences:
        """Add translated class names; back up first if any are replaced."""
        if replace:
            self._back_up_before(BackupReason.BEFORE_NAMES)
        given = add_names(self._store, files, replace=replace)
        named = ", ".join(one.summary for one in given)
        return (names_added_text(named),)

    def import_confusions(self, file: Path, *, outside_study: bool) -> Sentences:
        """Import how often classes are confused."""
        return (import_confusions(self._store, file, outside_study=outside_study),)

    def remove_confusions(self) -> Sentences:
        return (remove_confusions(self._store),)

    # The sample.

    def preview_sample(
        self, request: SampleRequest, *, skip_seen: bool, progress: ProgressReporter
    ) -> SamplePreviewView:
        """Return what would be drawn, and what prevents it."""
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
        """Draw the sample, replacing an earlier one, after a backup."""
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
        """Return what a review plan would contain, without planning it."""
        return plan_lines(preview_plan(self._store, settings), preview=True)

    def plan_review(self, settings: PlanSettings) -> Sentences:
        """Plan a review, or extend its plan with what is new."""
        lines = plan_lines(plan_review(self._store, settings))
        phase = PHASE_BY_STAGE[settings.stage]
        with self._store.read() as study:
            is_open = study.phases.states()[phase] is PhaseState.OPEN
        return lines if is_open else (*lines, review_closed_text(phase))

    # The phases.

    def open_phase(self, phase: Phase) -> Sentences:
        """Open the phase; back up before the evaluation, which freezes the sample and the guide."""
        if phase is Phase.EVALUATE:
            self._back_up_before(BackupReason.BEFORE_OPENING)
        warnings = open_phase(self._store, phase)
        return (phase_open_text(phase), self._how_to_start(phase), *warnings)

    def _how_to_start(self, phase: Phase) -> str:
        with self._store.read() as study:
            facts = study.phases.facts()
        people = facts.labelers if phase in (Phase.TRAIN, Phase.EVALUATE) else facts.reviewers
        return how_to_start_text(people, self._store.folder.path)

    def lock_phase(self, phase: Phase) -> Sentences:
        """Lock the phase permanently, even if some people haven't finished, after a backup."""
        self._back_up_before(BackupReason.BEFORE_LOCKING)
        lock_phase(self._store, phase, unfinished=True)
        return (f"The {PHASE_NAMES[phase]} is locked.",)

    # Backups and check.

    def back_up(self, now: datetime) -> Sentences:
        store, reason = self._store, BackupReason.BY_HAND
        if store.database.is_sqlite:
            made = back_up(store.folder, now=now, reason=reason)
        else:
            made = dump_database(store.folder, store.database, now=now, reason=reason)
        return (f"Backed up as {made.name}.",)

    def set_backup_folder(self, folder: str) -> Sentences:
        """Copy backups to a second folder, or no longer if the text is empty."""
        set_backup_folder(self._store, Path(folder) if folder else None)
        if not folder:
            return ("Backups are no longer copied to a second folder.",)
        return (f"Every backup is now copied to {folder} as well.",)

    def _back_up_before(self, reason: BackupReason) -> None:
        if self._store.database.is_sqlite:
            back_up(self._store.folder, now=self._store.clock.utc(), reason=reason)

    def compare_backup(self, name: str) -> BackupComparison:
        """Compare a backup with the study; changes nothing."""
        return compare_backup(self._store.folder, name)

    def check(self, progress: ProgressReporter) -> list[CheckFinding]:
        """Return all problems of the study."""
        self._store.folder.require_present()
        clock, folder = self._store.clock, self._store.folder
        findings = check_study(folder.path, clock=clock, progress=progress)
        record_check(folder, LastCheck(clock.utc(), len(findings)))
        return findings
