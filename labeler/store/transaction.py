"""One transaction on a study: its repositories, each imported when it is first used.

A labeler's first image needs a few of them only, and waits for none of the others.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from labeler.core.clock import Clock

if TYPE_CHECKING:
    from labeler.store.datasets.datasets import Datasets
    from labeler.store.datasets.image_roles import ImageRoles
    from labeler.store.datasets.samples import Samples
    from labeler.store.guide.versions import GuideVersions
    from labeler.store.labeling.drafts import Drafts
    from labeler.store.labeling.evaluation import EvaluationTrials
    from labeler.store.models.predictions import ModelPredictions
    from labeler.store.results.report_answers import ReportAnswers
    from labeler.store.review.repositories import ReviewRepositories
    from labeler.store.study.audit_log import AuditLog
    from labeler.store.study.participants import Participants
    from labeler.store.study.phases import Phases
    from labeler.store.study.sessions import Sessions
    from labeler.store.study.settings import StoredSettings
    from labeler.store.training.discussion_notes import DiscussionNotes
    from labeler.store.training.families import Families
    from labeler.store.training.history import TrainingHistory
    from labeler.store.training.trainings import Trainings


class Transaction:
    """The repositories of a study, all on one transaction."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self.session = session
        self._clock = clock

    @cached_property
    def audit(self) -> "AuditLog":
        from labeler.store.study.audit_log import AuditLog

        return AuditLog(self.session, self._clock)

    @cached_property
    def datasets(self) -> "Datasets":
        from labeler.store.datasets.datasets import Datasets

        return Datasets(self.session, self._clock)

    @cached_property
    def discussions(self) -> "DiscussionNotes":
        from labeler.store.training.discussion_notes import DiscussionNotes

        return DiscussionNotes(self.session, self._clock)

    @cached_property
    def drafts(self) -> "Drafts":
        from labeler.store.labeling.drafts import Drafts

        return Drafts(self.session, self._clock)

    @cached_property
    def families(self) -> "Families":
        from labeler.store.training.families import Families

        return Families(self.session, self._clock)

    @cached_property
    def guide(self) -> "GuideVersions":
        from labeler.store.guide.versions import GuideVersions

        return GuideVersions(self.session, self._clock)

    @cached_property
    def labeling(self) -> "EvaluationTrials":
        from labeler.store.labeling.evaluation import EvaluationTrials

        return EvaluationTrials(self.session, self._clock)

    @cached_property
    def image_roles(self) -> "ImageRoles":
        from labeler.store.datasets.image_roles import ImageRoles

        return ImageRoles(self.session)

    @cached_property
    def model_predictions(self) -> "ModelPredictions":
        from labeler.store.models.predictions import ModelPredictions

        return ModelPredictions(self.session, self._clock)

    @cached_property
    def participants(self) -> "Participants":
        from labeler.store.study.participants import Participants

        return Participants(self.session, self._clock)

    @cached_property
    def phases(self) -> "Phases":
        from labeler.store.study.phases import Phases

        return Phases(self.session, self._clock)

    @cached_property
    def report_answers(self) -> "ReportAnswers":
        from labeler.store.results.report_answers import ReportAnswers

        return ReportAnswers(self.session)

    @cached_property
    def review(self) -> "ReviewRepositories":
        from labeler.store.review.repositories import ReviewRepositories

        return ReviewRepositories(self.session, self._clock)

    @cached_property
    def samples(self) -> "Samples":
        from labeler.store.datasets.samples import Samples

        return Samples(self.session, self._clock)

    @cached_property
    def sessions(self) -> "Sessions":
        from labeler.store.study.sessions import Sessions

        return Sessions(self.session, self._clock)

    @cached_property
    def settings(self) -> "StoredSettings":
        from labeler.store.study.settings import StoredSettings

        return StoredSettings(self.session)

    @cached_property
    def training(self) -> "Trainings":
        from labeler.store.training.trainings import Trainings

        return Trainings(self.session, self._clock)

    @cached_property
    def training_record(self) -> "TrainingHistory":
        from labeler.store.training.history import TrainingHistory

        return TrainingHistory(self.session, self._clock)
