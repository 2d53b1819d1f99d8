"""A group's answers to the same training images, and its notes on them."""

from collections.abc import Mapping
from dataclasses import dataclass

from labeler.app.training.viewer import TrainingViewer
from labeler.core.errors import RefusedError
from labeler.core.study.entities import SessionTask
from labeler.core.training.discussion import Discussion, DiscussionNote, group_discussion
from labeler.store.study_store import StudyStore, Transaction

MIN_GROUP_SIZE = 2
MAX_NOTE_LENGTH = 4_000
# The subject of a note draft; it can't be confused with a trial's id.
_ON, _TEXT = "note on image ", "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussionFacts:
    """What a group can discuss, its notes by image, and everyone who can take part.

    `note_drafts` are the viewer's own notes that weren't added yet.
    """

    trained: tuple[str, ...]
    discussion: Discussion
    notes: Mapping[int, tuple[DiscussionNote, ...]]
    note_drafts: Mapping[int, str]


def discussion_facts(
    store: StudyStore, viewer: TrainingViewer, group: tuple[str, ...] | None = None
) -> DiscussionFacts:
    """Return the discussion of a group, by default of everyone who has trained."""
    with store.read() as study:
        trained = tuple(study.training_record.labelers())
        chosen = _group_members(viewer, trained) if group is None else group
        found = _discussion(study, viewer, chosen)
        images = [image.image for image in found.images]
        notes = study.discussions.notes(images)
        note_drafts = _note_drafts(study, viewer, frozenset(images))
    return DiscussionFacts(trained=trained, discussion=found, notes=notes, note_drafts=note_drafts)


def add_discussion_note(
    store: StudyStore, viewer: TrainingViewer, group: tuple[str, ...], *, image: int, text: str
) -> tuple[DiscussionNote, ...]:
    """Add a note on an image of the discussion; return all notes on it."""
    said = text.strip()
    if not said:
        raise RefusedError("The note is empty: write something, then add it.")
    if len(said) > MAX_NOTE_LENGTH:
        raise RefusedError(
            f"A note has at most {MAX_NOTE_LENGTH:,} characters; this one has {len(said):,}."
        )
    with store.write() as study:
        if image not in {each.image for each in _discussion(study, viewer, group).images}:
            raise RefusedError("Someone in this group hasn't answered this image yet.")
        study.discussions.add_note(image, author=viewer.code, text=said)
        if _drafts(study, viewer).get(_subject(image)) == text:
            study.drafts.discard(viewer.code, task=SessionTask.TRAIN, subject=_subject(image))
        return study.discussions.notes([image])[image]


def save_note_draft(store: StudyStore, viewer: TrainingViewer, *, image: int, text: str) -> None:
    """Save a note that was not added yet; an empty text deletes the draft."""
    with store.write() as study:
        if text.strip():
            study.drafts.put(
                viewer.code, task=SessionTask.TRAIN, subject=_subject(image), contents={_TEXT: text}
            )
        else:
            study.drafts.discard(viewer.code, task=SessionTask.TRAIN, subject=_subject(image))


def _subject(image: int) -> str:
    return f"{_ON}{image}"


def _drafts(study: Transaction, viewer: TrainingViewer) -> dict[str, str]:
    """Return the viewer's note drafts, by subject."""
    subjects = study.drafts.subjects(viewer.code, task=SessionTask.TRAIN)
    found = {
        subject: study.drafts.get(viewer.code, task=SessionTask.TRAIN, subject=subject)
        for subject in subjects
        if subject.startswith(_ON)
    }
    return {subject: str(draft[_TEXT]) for subject, draft in found.items() if draft}


def _note_drafts(
    study: Transaction, viewer: TrainingViewer, images: frozenset[int]
) -> dict[int, str]:
    drafts = _drafts(study, viewer)
    return {image: drafts[_subject(image)] for image in images if _subject(image) in drafts}


def _group_members(viewer: TrainingViewer, trained: tuple[str, ...]) -> tuple[str, ...]:
    return trained if viewer.is_lead or viewer.code in trained else ()


def _discussion(study: Transaction, viewer: TrainingViewer, group: tuple[str, ...]) -> Discussion:
    if group:
        viewer.require_member_of(group)
    if len(group) < MIN_GROUP_SIZE:
        return Discussion(group, (), 0)
    answers = {code: study.training_record.first_answers(code) for code in group}
    images = {image for answered in answers.values() for image in answered}
    return group_discussion(group, answers, study.training_record.accepted(images))
