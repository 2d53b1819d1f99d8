"""The tables of a study, by subject."""

from labeler.store.schema.base import Base, use_partial_indexes_on_postgresql
from labeler.store.schema.datasets import (
    ClassRow,
    DatasetRow,
    ImageRow,
    OddFileRow,
    ProblematicRow,
    ReferenceRow,
    TrainingPoolRow,
)
from labeler.store.schema.discussions import DiscussionNoteRow
from labeler.store.schema.guide import (
    FrozenPageRow,
    GuideDraftRow,
    GuideFreezeRow,
    GuidePictureRow,
    GuideVersionRow,
    VersionPictureRow,
)
from labeler.store.schema.labeling import (
    DraftRow,
    IntervalRow,
    ModelPredictionsRow,
    NotShownRow,
    PredictionRow,
    SessionRow,
    TrialRow,
)
from labeler.store.schema.people import ParticipantRoleRow, ParticipantRow, PersonRow
from labeler.store.schema.records import AuditRow, ExposureRow, GuideVisitRow
from labeler.store.schema.review import LapIntervalRow, MultilabelRow, ReviewRow
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
from labeler.store.schema.samples import SampleDatasetRow, SampleImageRow, SampleRow
from labeler.store.schema.study import PhaseRow, StudyRow
from labeler.store.schema.training import (
    FamilyClassRow,
    FamilyRow,
    TrainingRow,
    TrainingTrialRow,
)

__all__ = [
    "AdjudicationRow",
    "AuditRow",
    "Base",
    "ClassRow",
    "DatasetRow",
    "DiscussionNoteRow",
    "DraftRow",
    "ExposureRow",
    "FamilyClassRow",
    "FamilyRow",
    "FlagAnswerRow",
    "FlagCheckRow",
    "FrozenPageRow",
    "GuideDraftRow",
    "GuideFreezeRow",
    "GuidePictureRow",
    "GuideVersionRow",
    "GuideVisitRow",
    "ImageRow",
    "IntervalRow",
    "LapIntervalRow",
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
    "TrainingRow",
    "TrainingTrialRow",
    "TrialRow",
    "VersionPictureRow",
    "use_partial_indexes_on_postgresql",
]
