"""The repositories of the review on one transaction."""

from sqlalchemy.orm import Session

from labeler.core.clock import Clock
from labeler.store.review.blind_review import BlindReviews
from labeler.store.review.decoys import ReviewDecoys
from labeler.store.review.disagreements import ReviewDisagreements
from labeler.store.review.flag_checks import FlagChecks
from labeler.store.review.label_sources import LabelSources
from labeler.store.review.plans import ReviewPlans
from labeler.store.review.resolutions import Resolutions
from labeler.store.review.verdict_arrays import Verdicts


class ReviewRepositories:
    """The repositories of the review, all on one transaction."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self.decoys = ReviewDecoys(session)
        self.discussing = ReviewDisagreements(session, clock)
        self.flag_checks = FlagChecks(session, clock)
        self.plans = ReviewPlans(session, clock)
        self.resolutions = Resolutions(session, clock)
        self.reviewing = BlindReviews(session, clock)
        self.sources = LabelSources(session)
        self.verdicts = Verdicts(session)
