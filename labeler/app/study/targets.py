"""Telling people what the evaluation images were meant to show, when they may know."""

from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.core.study.phases import refusal_to_reveal
from labeler.store.study_store import StudyStore


def revealed_targets(store: StudyStore) -> dict[ImageKey, str]:
    """The target of every image of the sample; refused until the evaluation is locked."""
    with store.read() as study:
        reason = refusal_to_reveal(study.phases.facts())
        if reason is not None:
            raise RefusedError(reason)
        return {candidate.key: candidate.target for candidate in study.samples.candidates()}
