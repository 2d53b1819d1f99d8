"""A study as the window has it open: whatever the window asks of it, in calls that may block.

The window imports this module on a worker thread, since the database's modules come with it. What
the first trial has no need of is imported when it is asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.backups import AutomaticBackups
from labeler.app.labeling.desk import EvaluationDesk
from labeler.app.labeling.sign_in import SignedIn, roles_of, sign_in
from labeler.app.presenters.sign_in import Credentials, SignInFacts
from labeler.app.reference_originals import ReferenceOriginals
from labeler.app.sign_in_facts import sign_in_facts
from labeler.app.study_settings import StudySettings, study_settings
from labeler.core.blind import EncodedPicture
from labeler.core.clock import Clock
from labeler.core.study import Role, Stage
from labeler.core.taxonomy import Taxonomy
from labeler.store.opening import open_study
from labeler.store.study import StudyStore

if TYPE_CHECKING:
    from labeler.app.guide.desk import GuideDesk
    from labeler.app.guide.study_guide import StudyGuide
    from labeler.app.home_facts import HomeFacts
    from labeler.app.looking_back.desk import LookingBack
    from labeler.app.report.desk import ResultsDesk
    from labeler.app.review.desk import ReviewDesk
    from labeler.app.review.discussion import DiscussionDesk
    from labeler.app.review.lead_desk import LeadReviewDesk
    from labeler.app.scoring.desk import ScoringDesk
    from labeler.app.setting_up.desk import SetUpDesk
    from labeler.app.training.desk import TrainingDesk
    from labeler.app.training.facts import OpenFacts, TrainingFacts
    from labeler.core.training import SavedFamily, TrainingRequest
    from labeler.guide.pages import Guide


@dataclass(frozen=True, slots=True)
class StudyPlaces:
    """Where the window finds what it shows beside the trials, none of which tells a target."""

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

    def __init__(self, store: StudyStore) -> None:
        self._store = store
        self._backups = AutomaticBackups(store, store.clock, due_at_once=True)
        self._originals = ReferenceOriginals(store)
        self.name = store.identity.name
        self.taxonomy: Taxonomy = store.taxonomy
        self.places = StudyPlaces(
            folder=store.folder.path,
            thumbnails=store.folder.thumbnails,
            guide=store.folder.guide,
        )

    def sign_in_facts(self) -> SignInFacts:
        return sign_in_facts(self._store)

    def sign_in(self, given: Credentials) -> SignedIn:
        return sign_in(self._store, given.code, given.role, given.passphrase)

    def roles_of(self, code: str) -> tuple[Role, ...]:
        return roles_of(self._store, code)

    def home(self, code: str, role: Role) -> "HomeFacts":
        from labeler.app.home_facts import home_facts

        return home_facts(self._store, code, role)

    def settings(self) -> StudySettings:
        return study_settings(self._store)

    def desk(self, code: str) -> EvaluationDesk:
        return EvaluationDesk(self._store, code)

    def scoring(self, code: str) -> "ScoringDesk":
        """The lead's desk for models."""
        from labeler.app.scoring.desk import ScoringDesk

        return ScoringDesk(self._store, code)

    def set_up(self, code: str) -> "SetUpDesk":
        """The lead's desk for setting the study up."""
        from labeler.app.setting_up.desk import SetUpDesk

        return SetUpDesk(self._store, code)

    def restore(self, name: str) -> None:
        """Close the study and put a backup in its place; it is opened anew afterwards."""
        from labeler.store.backup import restore

        folder, now = self._store.folder, self._store.clock.utc()
        self._store.close()
        restore(folder, name, now=now)

    def results(self, code: str, role: Role) -> "ResultsDesk":
        """The lead's desk for what came of the study."""
        from labeler.app.report.desk import ResultsDesk

        return ResultsDesk(self._store, code, role)

    def looking_back(self, code: str, role: Role) -> "LookingBack":
        """What the person may see of training that is done."""
        from labeler.app.looking_back.desk import LookingBack
        from labeler.app.looking_back.viewer import Viewer

        return LookingBack(self._store, Viewer(code, role))

    def training_facts(self, code: str) -> "TrainingFacts":
        """What this person can train on now."""
        from labeler.app.training.facts import training_facts

        return training_facts(self._store, code, guide_pairs=self.guide_facts().pairs)

    def open_training(self, code: str) -> "OpenFacts | None":
        """The training that this person left with images to answer, if any."""
        from labeler.app.training.facts import open_training

        with self._store.read() as study:
            found = open_training(study, code)
        return found if found is not None and found.waits else None

    def training_desk(self, code: str, request: "TrainingRequest | None") -> "TrainingDesk":
        """A desk for a new training, or without a request for the one that was left."""
        from labeler.app.training.desk import TrainingDesk

        return TrainingDesk(
            self._store, code, request, guide_pairs=lambda: self.guide_facts().pairs
        )

    def save_family(self, code: str, family: "SavedFamily") -> None:
        with self._store.write() as study:
            study.families.save(code, family)

    def forget_family(self, code: str, name: str) -> None:
        with self._store.write() as study:
            study.families.remove(code, name)

    def review_desk(self, code: str, stage: Stage) -> "ReviewDesk":
        from labeler.app.review.desk import ReviewDesk

        return ReviewDesk(self._store, code, stage)

    def lead_review_desk(self) -> "LeadReviewDesk":
        from labeler.app.review.lead_desk import LeadReviewDesk

        return LeadReviewDesk(self._store)

    def discussion_desk(self, code: str, role: Role, stage: Stage) -> "DiscussionDesk":
        from labeler.app.review.discussion import DiscussionDesk

        return DiscussionDesk(self._store, code, role, stage)

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

    def kept_guide_picture(self, hashed: str) -> bytes | None:
        """A picture file as some version of a page shows it."""
        return self._guide.kept_picture(hashed)

    def guide_desk(self, code: str, role: Role) -> "GuideDesk":
        """The desk at which this person writes the guide."""
        from labeler.app.guide.desk import GuideDesk

        return GuideDesk(self._store, self._guide, code=code, role=role)

    def guide_facts(self) -> GuideFacts:
        guide = self.guide()
        traits: dict[tuple[str, str], str] = {}
        for page in guide.pages:
            for told in page.distinctions:
                one, other = told.pair
                traits.setdefault((one, other), told.trait)
                traits.setdefault((other, one), told.trait)
        return GuideFacts(version=guide.version, pairs=frozenset(guide.pairs()), traits=traits)

    def original(self, wnid: str, number: int) -> EncodedPicture | None:
        """The file behind a reference tile; it may be shown, its name may not."""
        return self._originals.read(wnid, number)

    def back_up(self) -> None:
        """Make a backup when one is due."""
        self._backups.tick()

    def close(self) -> None:
        self._store.close()


def open_for_window(path: Path, *, clock: Clock) -> OpenedStudy:
    """Open the study; what changed since the last backup is backed up soon after, by the window."""
    return OpenedStudy(open_study(path, clock=clock))
