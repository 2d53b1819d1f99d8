"""A study as the window has it open: everything it reads and writes, in calls that may block."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.classes.class_view import ClassRows
from labeler.app.classes.reference_originals import OriginalReader
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.models.model_scoring import ModelScoring
from labeler.app.review.disagreement_session import DisagreementSession
from labeler.app.review.reviewer_statistics import LeadReview
from labeler.app.review.session import ReviewSession
from labeler.app.study.backups import AutomaticBackups, restore_study
from labeler.app.study.demo_support import SignInHint
from labeler.app.study.home_facts import HomeFacts, home_facts
from labeler.app.study.settings import StudySettings, study_settings
from labeler.app.study.setup.study_setup import StudySetup
from labeler.app.study.sign_in import (
    Credentials,
    SignedIn,
    SignInFacts,
    roles_of,
    sign_in,
    sign_in_facts,
)
from labeler.app.training.facts import (
    TrainingFacts,
    UnfinishedTraining,
    open_training,
    training_facts,
)
from labeler.app.training.session import TrainingLabelingSession
from labeler.app.training.training_review import TrainingReview
from labeler.app.training.viewer import TrainingViewer
from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import Role, Stage
from labeler.core.training.request import SavedFamily, TrainingRequest
from labeler.guide.pages import Guide
from labeler.store.study.backups import BackupReason, back_up
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore

if TYPE_CHECKING:
    from labeler.app.results.results_data import ResultsReader


@dataclass(frozen=True, slots=True)
class StudyPaths:
    """The folders of what the window shows next to trials; none of it reveals a target."""

    folder: Path
    thumbnails: Path
    guide: Path


@dataclass(frozen=True, slots=True)
class GuideFacts:
    """The pairs of classes that the guide distinguishes, and the deciding trait, in both orders."""

    version: str
    pairs: frozenset[tuple[str, str]]
    traits: Mapping[tuple[str, str], str]


class OpenedStudy:
    """One open study; every call is a transaction, and calls may come from any thread."""

    def __init__(
        self,
        store: StudyStore,
        *,
        clock: Clock,
    ) -> None:
        self._store = store
        self._folder = folder = store.folder
        self._clock = clock
        self.name = store.identity.name
        self.taxonomy = store.taxonomy
        self.places = StudyPaths(
            folder=folder.path, thumbnails=folder.thumbnails, guide=folder.guide
        )

    @cached_property
    def class_rows(self) -> ClassRows:
        """The rows in which lists show the classes."""
        return ClassRows(self.taxonomy)

    @cached_property
    def _backups(self) -> AutomaticBackups:
        return AutomaticBackups(self._store, self._clock, due_at_once=True)

    @cached_property
    def _originals(self) -> OriginalReader:
        return OriginalReader(self._store)

    def sign_in_facts(self, hint_for: Callable[[str, int], SignInHint]) -> SignInFacts:
        return sign_in_facts(self._store, hint_for)

    def sign_in(self, given: Credentials) -> SignedIn:
        return sign_in(self._store, given.code, given.role, given.passphrase, chosen=given.chosen)

    def roles_of(self, code: str) -> tuple[Role, ...]:
        return roles_of(self._store, code)

    def home(self, code: str, role: Role) -> HomeFacts:
        return home_facts(self._store, code, role)

    def settings(self) -> StudySettings:
        return study_settings(self._store)

    def evaluation_session(self, code: str) -> EvaluationSession:
        """Return the labeler's session of the evaluation."""
        return EvaluationSession(self._store, code)

    def scoring(self, code: str) -> ModelScoring:
        """Return the lead's access to the models."""
        return ModelScoring(self._store, code)

    def set_up(self, code: str) -> StudySetup:
        """Return the lead's access to the set-up."""
        return StudySetup(self._store, code)

    def restore(self, name: str) -> str:
        """Close the study and replace it by a backup; return a message for the sign-in page.

        What is there now becomes a backup first, so that there is a way back, unless it is broken.
        """
        self.close()
        with suppress(EnvironmentFault):
            back_up(self._folder, now=self._clock.utc(), reason=BackupReason.BEFORE_RESTORING)
        return restore_study(self._folder, name, now=self._clock.utc())

    def results(self, code: str, role: Role) -> "ResultsReader":
        """Return the lead's access to the results."""
        # Imported late: matplotlib takes longer to import than the window takes to open.
        from labeler.app.results.results_data import ResultsReader

        return ResultsReader(self._store, code, role)

    def training_review(self, code: str, role: Role) -> TrainingReview:
        """Return what the person may see of finished training."""
        return TrainingReview(self._store, TrainingViewer(code, role))

    def training_facts(self, code: str) -> TrainingFacts:
        """Return what the person can train on now."""
        return training_facts(self._store, code, guide_pairs=self.guide_facts().pairs)

    def open_training(self, code: str) -> UnfinishedTraining | None:
        """Return the person's unfinished training, or None."""
        with self._store.read() as study:
            found = open_training(study, code)
        return found if found is not None and found.waits else None

    def training_session(
        self, code: str, request: TrainingRequest | None
    ) -> TrainingLabelingSession:
        """Return a session for a new training, or for the unfinished one if there is no request."""
        return TrainingLabelingSession(
            self._store, code, request, guide_pairs=lambda: self.guide_facts().pairs
        )

    def save_family(self, code: str, family: SavedFamily) -> None:
        with self._store.write() as study:
            study.families.save(code, family)

    def forget_family(self, code: str, name: str) -> None:
        with self._store.write() as study:
            study.families.remove(code, name)

    def review_session(self, code: str, stage: Stage) -> ReviewSession:
        return ReviewSession(self._store, code, stage)

    def lead_review(self) -> LeadReview:
        return LeadReview(self._store)

    def disagreement_session(self, code: str, role: Role, stage: Stage) -> DisagreementSession:
        return DisagreementSession(self._store, code, role, stage)

    @cached_property
    def _guide(self) -> StudyGuide:
        return StudyGuide(self._store)

    def guide(self) -> Guide:
        """Return the current guide, or the frozen one while an evaluation is open."""
        return self._guide.current()

    def guide_picture(self, path: str) -> bytes | None:
        """Return a picture of the current guide."""
        return self._guide.picture(path)

    def stored_guide_picture(self, hashed: str) -> bytes | None:
        """Return a picture as a version of a page shows it."""
        return self._guide.kept_picture(hashed)

    def guide_writer(self, code: str, role: Role) -> GuideWriter:
        """Return the person's access to writing the guide."""
        return GuideWriter(self._store, self._guide, code=code, role=role)

    def guide_facts(self) -> GuideFacts:
        guide = self.guide()
        traits: dict[tuple[str, str], str] = {}
        for page in guide.pages:
            for distinction in page.distinctions:
                one, other = distinction.pair
                traits.setdefault((one, other), distinction.trait)
                traits.setdefault((other, one), distinction.trait)
        return GuideFacts(version=guide.version, pairs=frozenset(guide.pairs()), traits=traits)

    def original(self, wnid: str, number: int) -> EncodedImage | None:
        """Return the image behind a reference tile, without its file name."""
        return self._originals.read(wnid, number)

    def back_up(self) -> None:
        """Make a backup if one is due."""
        self._backups.tick()

    def close(self) -> None:
        self._store.close()


def open_for_window(path: Path, *, clock: Clock) -> OpenedStudy:
    """Open the study; the window backs up recent changes soon after."""
    return OpenedStudy(open_study(path, clock=clock), clock=clock)
