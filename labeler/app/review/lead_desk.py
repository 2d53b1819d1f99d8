"""What the lead sees of the reviewers, and the resolution of their verdicts."""

from dataclasses import dataclass

from labeler.app.review.resolution import (
    ResolutionReport,
    ResolutionSettings,
    preview_resolution,
    resolve_verdicts,
)
from labeler.app.review.reviewer_statistics import ReviewStatistics, review_statistics
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role, Stage
from labeler.store.review.resolutions import Resolution
from labeler.store.study_store import StudyStore, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerProgress:
    """How far a reviewer is with what a stage asks of them."""

    code: str
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOverview:
    """Progress of everybody, figures once there are verdicts, and the last resolution.

    `stages` are those that have verdicts.
    """

    progress: tuple[ReviewerProgress, ...]
    figures: ReviewStatistics | None
    stages: tuple[Stage, ...]
    last: Resolution | None


def reviewers_progress(study: Transaction) -> tuple[ReviewerProgress, ...]:
    """How far everybody is with what the reviews ask of them, the final one first."""
    reviewers = [one.code for one in study.participants.with_role(Role.REVIEWER)]
    return tuple(
        ReviewerProgress(code=code, stage=stage, done=done, total=total)
        for stage in (Stage.FINAL, Stage.INITIAL)
        for code in reviewers
        for done, total in [study.review.reviewing.progress(code, stage)]
        if total
    )


class LeadReview:
    """Blocking calls for a worker thread; for a lead alone, who may see everything."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def overview(self, stage: Stage | None = None) -> ReviewOverview:
        """The figures are of the stage, or else of the last one that has verdicts."""
        with self._store.read() as study:
            progress = reviewers_progress(study)
            last = study.review.resolutions.last()
            stages = study.review.verdicts.stages()
        figures = self._figures(stage)
        return ReviewOverview(progress=progress, figures=figures, stages=stages, last=last)

    def preview(self, wish: ResolutionSettings) -> ResolutionReport:
        """What a rule would give; nothing is written."""
        return preview_resolution(self._store, wish)

    def resolve(self, wish: ResolutionSettings) -> ResolutionReport:
        """Resolve all verdicts into multi-labels, and record the rule."""
        return resolve_verdicts(self._store, wish)

    def _figures(self, stage: Stage | None) -> ReviewStatistics | None:
        try:
            return review_statistics(self._store, stage)
        except RefusedError:
            return None
