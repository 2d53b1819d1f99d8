"""The tables of a study, by subject; each is mapped when it is first asked for.

Mapping all of them takes longer than anything else at a labeler's start, which needs half of them.
Whoever wants every table, as the comparison with the migrations does, calls `know_all` first.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from labeler.store.schema.base import Base, partial_on_servers

if TYPE_CHECKING:
    from labeler.store.schema.answers import (
        DraftRow,
        IntervalRow,
        ModelPredictionsRow,
        NotShownRow,
        PredictionRow,
        SessionRow,
        TrialRow,
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
    from labeler.store.schema.reviews import LapIntervalRow, MultilabelRow, ReviewRow
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
    "know_all",
    "partial_on_servers",
]

_SUBJECTS = {
    "answers": (
        "DraftRow",
        "IntervalRow",
        "ModelPredictionsRow",
        "NotShownRow",
        "PredictionRow",
        "SessionRow",
        "TrialRow",
    ),
    "discussions": ("DiscussionNoteRow",),
    "guide": (
        "FrozenPageRow",
        "GuideDraftRow",
        "GuideFreezeRow",
        "GuidePictureRow",
        "GuideVersionRow",
        "VersionPictureRow",
    ),
    "images": (
        "ClassRow",
        "DatasetRow",
        "ImageRow",
        "OddFileRow",
        "ProblematicRow",
        "ReferenceRow",
        "TrainingPoolRow",
    ),
    "people": (
        "ParticipantRoleRow",
        "ParticipantRow",
        "PersonRow",
    ),
    "records": (
        "AuditRow",
        "ExposureRow",
        "GuideVisitRow",
    ),
    "review_plans": (
        "AdjudicationRow",
        "FlagAnswerRow",
        "FlagCheckRow",
        "RepeatedReviewRow",
        "ResolutionRow",
        "ReviewFlagRow",
        "ReviewItemRow",
        "ReviewPlanRow",
        "ReviewRepeatRow",
        "ReviewVisitRow",
    ),
    "reviews": (
        "LapIntervalRow",
        "MultilabelRow",
        "ReviewRow",
    ),
    "samples": (
        "SampleDatasetRow",
        "SampleImageRow",
        "SampleRow",
    ),
    "study": (
        "PhaseRow",
        "StudyRow",
    ),
    "training": (
        "FamilyClassRow",
        "FamilyRow",
        "TrainingRow",
        "TrainingTrialRow",
    ),
}
_SUBJECT_OF = {table: subject for subject, tables in _SUBJECTS.items() for table in tables}


def __getattr__(name: str) -> Any:
    subject = _SUBJECT_OF.get(name)
    if subject is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{subject}"), name)


def know_all() -> None:
    """Map every table, so that the metadata describe a whole study."""
    for subject in _SUBJECTS:
        import_module(f"{__name__}.{subject}")
