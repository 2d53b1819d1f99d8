"""A study as the window has it open: everything it reads and writes, in calls that may block."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from labeler.app.classes.class_view import ClassRows
from labeler.app.classes.reference_originals import OriginalReader
from labeler.app.datasets.contact_sheets import lacks_sheets, prepare_sheets
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.progress import CancelCheck
from labeler.app.study.backups import AutomaticBackups, restore_study
from labeler.app.study.demo_support import SignInHint
from labeler.app.study.setting_definitions import StudySettings
from labeler.app.study.settings import study_settings
from labeler.app.study.sign_in import (
    Credentials,
    SignedIn,
    SignInFacts,
    roles_of,
    sign_in,
    sign_in_facts,
)
from labeler.core.classes.groups import GROUP_FILE, ClassGroups, default_groups, load_groups
from labeler.core.classes.look_alike_ranking import LookAlikeEvidence
from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault, LabelerError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import Role
from labeler.guide.pages import Guide
from labeler.store.study.backups import BackupReason, back_up
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class StudyPaths:
    """The folders of what the window shows next to trials; none of it reveals a target."""

    folder: Path
    thumbnails: Path
    guide: Path


@dataclass(frozen=True, slots=True)
class GuideFacts:
    """The look-alikes that the guide distinguishes, and the deciding trait, in both orders."""

    version: str
    pairs: frozenset[tuple[str, str]]
    traits: Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """What is known of similar classes, and how the guide tells them apart."""

    evidence: LookAlikeEvidence
    traits: Mapping[tuple[str, str], str]


class OpenedStudy:
    """One open study; every call is a transaction, and calls may come from any thread."""

    def __init__(
        self,
        store: StudyStore,
        *,
        clock: Clock,
    ) -> None:
        self.store = store
        self._folder = folder = store.folder
        self._clock = clock
        self.name = store.identity.name
        self.taxonomy = store.taxonomy
        self.places = StudyPaths(
            folder=folder.path, thumbnails=folder.thumbnails, guide=folder.guide
        )

    @property
    def is_bundle(self) -> bool:
        """Whether this is one person's bundle and not the whole study."""
        return self.store.database.is_encrypted

    @cached_property
    def class_rows(self) -> ClassRows:
        """The rows in which lists show the classes."""
        return ClassRows(self.taxonomy)

    @cached_property
    def groups(self) -> ClassGroups:
        """The study's own groups from its `groups.toml`, or the shipped ones."""
        file = self._folder.path / GROUP_FILE
        # The map and the tree work without it; `labeler report --groups` says what is wrong.
        with suppress(LabelerError):
            if file.exists():
                return load_groups(file, self.taxonomy)
        return default_groups(self.taxonomy)

    @cached_property
    def _backups(self) -> AutomaticBackups:
        return AutomaticBackups(self.store, self._clock, due_at_once=True)

    @cached_property
    def _originals(self) -> OriginalReader:
        return OriginalReader(self.store)

    def sign_in_facts(self, hint_for: Callable[[str, int], SignInHint]) -> SignInFacts:
        return sign_in_facts(self.store, hint_for)

    def sign_in(self, given: Credentials) -> SignedIn:
        return sign_in(self.store, given.code, given.role, given.passphrase, chosen=given.chosen)

    def roles_of(self, code: str) -> tuple[Role, ...]:
        return roles_of(self.store, code)

    def settings(self) -> StudySettings:
        return study_settings(self.store)

    def restore(self, name: str) -> str:
        """Close the study and replace it by a backup; return a message for the sign-in page.

        What is there now becomes a backup first, so that there is a way back, unless it is broken.
        """
        self.close()
        with suppress(EnvironmentFault):
            back_up(self._folder, now=self._clock.utc(), reason=BackupReason.BEFORE_RESTORING)
        return restore_study(self._folder, name, clock=self._clock)

    @cached_property
    def study_guide(self) -> StudyGuide:
        return StudyGuide(self.store)

    def guide(self) -> Guide:
        """Return the current guide, or the frozen one while an evaluation is open."""
        return self.study_guide.current()

    def guide_picture(self, path: str) -> bytes | None:
        """Return a picture of the current guide."""
        return self.study_guide.picture(path)

    def stored_guide_picture(self, hashed: str) -> bytes | None:
        """Return a picture as a version of a page shows it."""
        return self.study_guide.kept_picture(hashed)

    def guide_facts(self) -> GuideFacts:
        guide = self.guide()
        traits: dict[tuple[str, str], str] = {}
        for page in guide.pages:
            for distinction in page.distinctions:
                one, other = distinction.pair
                traits.setdefault((one, other), distinction.trait)
                traits.setdefault((other, one), distinction.trait)
        return GuideFacts(version=guide.version, pairs=guide.look_alikes, traits=traits)

    def class_facts(self) -> ClassFacts:
        guide = self.guide_facts()
        with self.store.read() as study:
            evidence = LookAlikeEvidence(
                guide_pairs=guide.pairs,
                mistakes=study.training_record.group_mistakes(),
                confusions=study.confusions.all(),
            )
        return ClassFacts(evidence, guide.traits)

    def original(self, wnid: str, number: int) -> EncodedImage | None:
        """Return the image behind a reference tile, without its file name."""
        return self._originals.read(wnid, number)

    def has_references(self, wnid: str) -> bool:
        """Return whether the study has reference images of the class, on this machine or not."""
        with self.store.read() as study:
            return study.image_roles.has_references(wnid)

    def has_any_references(self) -> bool:
        """Return whether the study has reference images, on this machine or not."""
        with self.store.read() as study:
            return study.image_roles.has_any_references()

    @property
    def is_shared(self) -> bool:
        """Whether the study is on a server, where other machines change it."""
        return self.store.local_folders is not None

    def prepare_references(self, cancelled: CancelCheck) -> bool:
        """Build the contact sheets that this machine lacks; return whether any was built."""
        return (
            lacks_sheets(self.store) and prepare_sheets(self.store, cancelled=cancelled).built > 0
        )

    def back_up(self) -> bool:
        """Make a backup if one is due, and return whether it was made."""
        return self.store.database.is_backed_up and self._backups.tick()

    def close(self) -> None:
        self.store.close()


def open_for_window(path: Path, *, clock: Clock) -> OpenedStudy:
    """Open the study; the window backs up recent changes soon after."""
    store = open_study(path, clock=clock)
    try:
        return OpenedStudy(store, clock=clock)
    except BaseException:
        # A study that is damaged must be closed to be replaced by a backup.
        store.close()
        raise
