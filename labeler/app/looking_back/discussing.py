"""A group's answers on the same training images, and what it notes on them."""

from collections.abc import Mapping
from dataclasses import dataclass

from labeler.app.looking_back.viewer import Viewer
from labeler.core.discussion import Discussion, Note, discussion
from labeler.core.errors import Refused
from labeler.store.study import StudyStore, Transaction

SMALLEST_GROUP = 2
LONGEST_NOTE = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussionFacts:
    """What a group can discuss, its notes by image, and everybody who could take part."""

    trained: tuple[str, ...]
    discussion: Discussion
    notes: Mapping[int, tuple[Note, ...]]


def discussion_facts(
    store: StudyStore, viewer: Viewer, group: tuple[str, ...] | None = None
) -> DiscussionFacts:
    """The discussion of a group, or of all who have trained where none is named."""
    with store.read() as study:
        trained = tuple(study.training_record.labelers())
        chosen = _everybody(viewer, trained) if group is None else group
        found = _discussion(study, viewer, chosen)
        notes = study.discussions.notes([image.image for image in found.images])
    return DiscussionFacts(trained=trained, discussion=found, notes=notes)


def add_note(
    store: StudyStore, viewer: Viewer, group: tuple[str, ...], *, image: int, text: str
) -> tuple[Note, ...]:
    """Append a note on an image that the group discusses; give all notes on it."""
    said = text.strip()
    if not said:
        raise Refused("The note is empty: write something, then add it.")
    if len(said) > LONGEST_NOTE:
        raise Refused(
            f"A note has at most {LONGEST_NOTE:,} characters; this one has {len(said):,}."
        )
    with store.write() as study:
        if image not in {each.image for each in _discussion(study, viewer, group).images}:
            raise Refused("Somebody of this group hasn't answered this image yet.")
        study.discussions.add_note(image, author=viewer.code, text=said)
        return study.discussions.notes([image])[image]


def _everybody(viewer: Viewer, trained: tuple[str, ...]) -> tuple[str, ...]:
    return trained if viewer.is_lead or viewer.code in trained else ()


def _discussion(study: Transaction, viewer: Viewer, group: tuple[str, ...]) -> Discussion:
    if group:
        viewer.require_part_in(group)
    if len(group) < SMALLEST_GROUP:
        return Discussion(group, (), 0)
    answers = {code: study.training_record.first_answers(code) for code in group}
    images = {image for answered in answers.values() for image in answered}
    return discussion(group, answers, study.training_record.accepted(images))
