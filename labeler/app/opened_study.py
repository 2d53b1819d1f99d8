"""A study as the window has it open: whatever the window asks of it, in calls that may block.

Nothing here imports the database's modules before a call needs them: a labeler who goes on with an
evaluation sees the next image before that.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.study.demo_support import SignInHint
from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.study.entities import Role, Stage
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore

if TYPE_CHECKING:
    from labeler.app.classes.class_view import ClassRows
    from labeler.app.classes.reference_originals import OriginalReader
    from labeler.app.guide.guide_writer import GuideWriter
    from labeler.app.guide.study_guide import StudyGuide
    from labeler.app.labeling.evaluation_session import EvaluationSession
    from labeler.app.models.model_scoring import ModelScoring
    from labeler.app.results.results_data import ResultsReader
    from labeler.app.review.disagreement_session import DisagreementSession
    from labeler.app.review.reviewer_statistics import LeadReview
    from labeler.app.review.session import ReviewSession
    from labeler.app.study.backups import AutomaticBackups
    from labeler.app.study.home_facts import HomeFacts
    from labeler.app.study.settings import StudySettings
    from labeler.app.study.setup.study_setup import StudySetup
    from labeler.app.study.sign_in import Credentials, SignedIn, SignInFacts
    from labeler.app.training.facts import TrainingFacts, UnfinishedTraining
    from labeler.app.training.session import TrainingLabelingSession
    from labeler.app.training.training_review import TrainingReview
    from labeler.core.training.request import SavedFamily, TrainingRequest
    from labeler.guide.pages import Guide


@dataclass(frozen=True, slots=True)
class StudyPaths:
    """Where the window finds what it shows next to the trials, none of which tells a target."""

    folder: Path
    thumbnails: Path
    guide: Path


@dataclass(frozen=True, slots=True)
class GuideFacts:
    """What the guide tells apart: the pairs of classes, and the trait that decides, both ways."""

    version: str
    pairs: frozenset[tuple[str, str]]
    traits: Mapping[tuple[str, str], str]


class OpenedStudy:
    """One open study; safe on several worker threads, one call at a time being a transaction."""

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
    def class_rows(self) -> "ClassRows":
        """The classes as every list of them shows them."""
        from labeler.app.classes.class_view import ClassRows

        return ClassRows(self.taxonomy)

    @cached_property
    def _backups(self) -> "AutomaticBackups":
        from labeler.app.study.backups import AutomaticBackups

        return AutomaticBackups(self._store, self._clock, due_at_once=True)

    @cached_property
    def _originals(self) -> "OriginalReader":
        from labeler.app.classes.reference_originals import OriginalReader

        return OriginalReader(self._store)

    def sign_in_facts(self, hint_for: Callable[[str, int], SignInHint]) -> "SignInFacts":
        from labeler.app.study.sign_in import sign_in_facts

        return sign_in_facts(self._store, hint_for)

    def sign_in(self, given: "Credentials") -> "SignedIn":
        from labeler.app.study.sign_in import sign_in

        return sign_in(self._store, given.code, given.role, given.passphrase, chosen=given.chosen)

    def roles_of(self, code: str) -> tuple[Role, ...]:
        from labeler.app.study.sign_in import roles_of

        return roles_of(self._store, code)

    def home(self, code: str, role: Role) -> "HomeFacts":
        from labeler.app.study.home_facts import home_facts

        return home_facts(self._store, code, role)

    def settings(self) -> "StudySettings":
        from labeler.app.study.settings import study_settings

        return study_settings(self._store)

    def evaluation_session(self, code: str) -> "EvaluationSession":
        """The labeler's session at the evaluation."""
        from labeler.app.labeling.evaluation_session import EvaluationSession

        return EvaluationSession(self._store, code)

    def scoring(self, code: str) -> "ModelScoring":
        """The lead's desk for models."""
        from labeler.app.models.model_scoring import ModelScoring

        return ModelScoring(self._store, code)

    def set_up(self, code: str) -> "StudySetup":
        """The lead's desk for setting the study up."""
        from labeler.app.study.setup.study_setup import StudySetup

        return StudySetup(self._store, code)

    def restore(self, name: str) -> str:
        """Close the study and put a backup in its place; tell so to anyone who opens it again.

        What is there now becomes a backup first, so that there is a way back, unless it is broken.
        """
        from labeler.app.study.backups import restore_study
        from labeler.store.study.backups import BackupReason, back_up

        self.close()
        with suppress(EnvironmentFault):
            back_up(self._folder, now=self._clock.utc(), reason=BackupReason.BEFORE_RESTORING)
        return restore_study(self._folder, name, now=self._clock.utc())

    def results(self, code: str, role: Role) -> "ResultsReader":
        """The lead's desk for what came of the study."""
        from labeler.app.results.results_data import ResultsReader

        return ResultsReader(self._store, code, role)

    def training_review(self, code: str, role: Role) -> "TrainingReview":
        """What the person may see of training that is done."""
        from labeler.app.training.training_review import TrainingReview
        from labeler.app.training.viewer import TrainingViewer

        return TrainingReview(self._store, TrainingViewer(code, role))

    def training_facts(self, code: str) -> "TrainingFacts":
        """What this person can train on now."""
        from labeler.app.training.facts import training_facts

        return training_facts(self._store, code, guide_pairs=self.guide_facts().pairs)

    def open_training(self, code: str) -> "UnfinishedTraining | None":
        """The training that this person left with images to answer, if any."""
        from labeler.app.training.facts import open_training

        with self._store.read() as study:
            found = open_training(study, code)
        return found if found is not None and found.waits else None

    def training_session(
        self, code: str, request: "TrainingRequest | None"
    ) -> "TrainingLabelingSession":
        """A desk for a new training, or without a request for the one that was left."""
        from labeler.app.training.session import TrainingLabelingSession

        return TrainingLabelingSession(
            self._store, code, request, guide_pairs=lambda: self.guide_facts().pairs
        )

    def save_family(self, code: str, family: "SavedFamily") -> None:
        with self._store.write() as study:
            study.families.save(code, family)

    def forget_family(self, code: str, name: str) -> None:
        with self._store.write() as study:
            study.families.remove(code, name)

    def review_session(self, code: str, stage: Stage) -> "ReviewSession":
        from labeler.app.review.session import ReviewSession

        return ReviewSession(self._store, code, stage)

    def lead_review(self) -> "LeadReview":
        from labeler.app.review.reviewer_statistics import LeadReview

        return LeadReview(self._store)

    def disagreement_session(self, code: str, role: Role, stage: Stage) -> "DisagreementSession":
        from labeler.app.review.disagreement_session import DisagreementSession

        return DisagreementSession(self._store, code, role, stage)

    @cached_property
    def _guide(self) -> "StudyGuide":
        from labeler.app.guide.study_guide import StudyGuide

        return StudyGuide(self._store)

    def guide(self) -> "Guide":
        """The guide as it counts now; while an evaluation is open, the one frozen for it."""
        return self._guide.current()

    def guide_picture(self, path: str) -> bytes | None:
        """A picture file of the guide as it counts now."""
        return self._guide.picture(path)

    def stored_guide_picture(self, hashed: str) -> bytes | None:
        """A picture file as some version of a page shows it."""
        return self._guide.kept_picture(hashed)

    def guide_writer(self, code: str, role: Role) -> "GuideWriter":
        """The desk at which this person writes the guide."""
        from labeler.app.guide.guide_writer import GuideWriter

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
        """The file behind a reference tile; it may be shown, its name may not."""
        return self._originals.read(wnid, number)

    def back_up(self) -> None:
        """Make a backup when one is due."""
        self._backups.tick()

    def close(self) -> None:
        self._store.close()


def open_for_window(path: Path, *, clock: Clock) -> OpenedStudy:
    """Open the study; what changed since the last backup is backed up soon after, by the window."""
    return OpenedStudy(open_study(path, clock=clock), clock=clock)
