"""The tables of a study, by subject; importing this package knows them all."""

from labeler.store.schema.answers import (
    DraftRow,
    IntervalRow,
    ModelPredictionsRow,
    NotShownRow,
    PredictionRow,
    SessionRow,
    TrialRow,
)
from labeler.store.schema.base import Base, partial_on_servers
from labeler.store.schema.discussions import DiscussionNoteRow
from labeler.store.schema.guide import (
    FrozenPageRow,
    GuideDraftRow,
    GuideFreezeRow,
    GuideVersionRow,
)
from labeler.store.schema.images import (
    ClassRow,
    DatasetRow,
    ImageRow,
    OddFileRow,
    ProblematicRow,
    ReferenceRow,
    TrainingPoolRow,
)
from labeler.store.schema.people import ParticipantRoleRow, ParticipantRow, PersonRow
from labeler.store.schema.records import AuditRow, ExposureRow, GuideVisitRow
from labeler.store.schema.review_plans import (
    AdjudicationRow,
    FlagAnswerRow,
    FlagCheckRow,
    RepeatedReviewRow,
    ResolutionRow,
    ReviewFlagRow,
    ReviewItemRow,
    ReviewPlanRow,
    ReviewRepeatRow,
    ReviewVisitRow,
)
from labeler.store.schema.reviews import MultilabelRow, ReviewRow
from labeler.store.schema.samples import SampleDatasetRow, SampleImageRow, SampleRow
from labeler.store.schema.study import PhaseRow, StudyRow

__all__ = [
    "AdjudicationRow",
    "AuditRow",
    "Base",
    "ClassRow",
    "DatasetRow",
    "DiscussionNoteRow",
    "DraftRow",
    "ExposureRow",
    "FlagAnswerRow",
    "FlagCheckRow",
    "FrozenPageRow",
    "GuideDraftRow",
    "GuideFreezeRow",
    "GuideVersionRow",
    "GuideVisitRow",
    "ImageRow",
    "IntervalRow",
    "ModelPredictionsRow",
    "MultilabelRow",
    "NotShownRow",
    "OddFileRow",
    "ParticipantRoleRow",
    "ParticipantRow",
    "PersonRow",
    "PhaseRow",
    "PredictionRow",
    "ProblematicRow",
    "ReferenceRow",
    "RepeatedReviewRow",
    "ResolutionRow",
    "ReviewFlagRow",
    "ReviewItemRow",
    "ReviewPlanRow",
    "ReviewRepeatRow",
    "ReviewRow",
    "ReviewVisitRow",
    "SampleDatasetRow",
    "SampleImageRow",
    "SampleRow",
    "SessionRow",
    "StudyRow",
    "TrainingPoolRow",
    "TrialRow",
    "partial_on_servers",
]
