"""Reject candidates, and take rejections back."""

from collections.abc import Iterable

from labeler.core.curation.entities import RejectReason
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore

REASON_WORDS = {
    RejectReason.WRONG_CLASS: "Wrong class",
    RejectReason.DRAWING: "Drawing or rendering",
    RejectReason.UNLIKE_ORIGINAL: "Unlike the original",
    RejectReason.UNCLEAR: "Unclear",
    RejectReason.BLURRY: "Blurry",
    RejectReason.OCCLUDED: "Occluded",
    RejectReason.EDITED: "Edited",
    RejectReason.TOO_SMALL: "Object too small",
    RejectReason.NEAR_DUPLICATE: "Near-duplicate",
    RejectReason.OTHER: "Other",
}
assert set(REASON_WORDS) == set(RejectReason), "every reason has words"


def reject_candidates(
    store: StudyStore,
    images: Iterable[ImageKey],
    reason: RejectReason,
    *,
    by: str | None = None,
    note: str = "",
) -> None:
    """Bar candidates from every dataset, all or none."""
    with store.write() as study:
        for image in images:
            study.pools.reject(image, reason, by=by, note=note)
            study.audit.record(
                "candidate rejected",
                actor=by or "lead",
                pool=image.dataset,
                image=image.image,
                reason=str(reason),
            )


def unreject_candidates(
    store: StudyStore, images: Iterable[ImageKey], *, by: str | None = None
) -> int:
    """Take rejections back, all or none; return how many there were."""
    taken_back = 0
    with store.write() as study:
        for image in images:
            if study.pools.unreject(image):
                taken_back += 1
                study.audit.record(
                    "rejection taken back",
                    actor=by or "lead",
                    pool=image.dataset,
                    image=image.image,
                )
    return taken_back
