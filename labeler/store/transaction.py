"""One transaction on a study: its repositories, each imported when it is first used.

A labeler's first image needs a few of them only, and waits for none of the others.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from labeler.core.clock import Clock

if TYPE_CHECKING:
    from labeler.store.audit import Audit
    from labeler.store.datasets import Datasets
    from labeler.store.discussions import Discussions
    from labeler.store.drafts import Drafts
    from labeler.store.families import Families
    from labeler.store.guide_versions import GuideVersions
    from labeler.store.labeling import Labeling
    from labeler.store.memberships import Memberships
    from labeler.store.model_predictions import ModelPredictions
    from labeler.store.participants import Participants
    from labeler.store.phases import Phases
    from labeler.store.report_answers import ReportAnswers
    from labeler.store.review.repositories import ReviewRepositories
    from labeler.store.samples import Samples
    from labeler.store.sessions import Sessions
    from labeler.store.settings import Settings
    from labeler.store.training import Training
    from labeler.store.training_record import TrainingRecords


class Transaction:
    """The repositories of a study, all on one transaction."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self.session = session
        self._clock = clock

    @cached_property
    def audit(self) -> "Audit":
        from labeler.store.audit import Audit

        return Audit(self.session, self._clock)

    @cached_property
    def datasets(self) -> "Datasets":
        from labeler.store.datasets import Datasets

        return Datasets(self.session, self._clock)

    @cached_property
    def discussions(self) -> "Discussions":
        from labeler.store.discussions import Discussions

        return Discussions(self.session, self._clock)

    @cached_property
    def drafts(self) -> "Drafts":
        from labeler.store.drafts import Drafts

        return Drafts(self.session, self._clock)

    @cached_property
    def families(self) -> "Families":
        from labeler.store.families import Families

        return Families(self.session, self._clock)

    @cached_property
    def guide(self) -> "GuideVersions":
        from labeler.store.guide_versions import GuideVersions

        return GuideVersions(self.session, self._clock)

    @cached_property
    def labeling(self) -> "Labeling":
        from labeler.store.labeling import Labeling

        return Labeling(self.session, self._clock)

    @cached_property
    def memberships(self) -> "Memberships":
        from labeler.store.memberships import Memberships

        return Memberships(self.session)

    @cached_property
    def model_predictions(self) -> "ModelPredictions":
        from labeler.store.model_predictions import ModelPredictions

        return ModelPredictions(self.session, self._clock)

    @cached_property
    def participants(self) -> "Participants":
        from labeler.store.participants import Participants

        return Participants(self.session, self._clock)

    @cached_property
    def phases(self) -> "Phases":
        from labeler.store.phases import Phases

        return Phases(self.session, self._clock)

    @cached_property
    def report_answers(self) -> "ReportAnswers":
        from labeler.store.report_answers import ReportAnswers

        return ReportAnswers(self.session)

    @cached_property
    def review(self) -> "ReviewRepositories":
        from labeler.store.review.repositories import ReviewRepositories

        return ReviewRepositories(self.session, self._clock)

    @cached_property
    def samples(self) -> "Samples":
        from labeler.store.samples import Samples

        return Samples(self.session, self._clock)

    @cached_property
    def sessions(self) -> "Sessions":
        from labeler.store.sessions import Sessions

        return Sessions(self.session, self._clock)

    @cached_property
    def settings(self) -> "Settings":
        from labeler.store.settings import Settings

        return Settings(self.session)

    @cached_property
    def training(self) -> "Training":
        from labeler.store.training import Training

        return Training(self.session, self._clock)

    @cached_property
    def training_record(self) -> "TrainingRecords":
        from labeler.store.training_record import TrainingRecords

        return TrainingRecords(self.session, self._clock)
