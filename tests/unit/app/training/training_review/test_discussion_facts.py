"""Discussions are open to their group and the lead, about images that everyone answered."""

import pytest

from labeler.app.training.discussion_facts import MAX_NOTE_LENGTH
from labeler.app.training.viewer import NOT_IN_DISCUSSION
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role

FISH, DOG, CAT = "n01440764", "n02085620", "n02123045"


@pytest.fixture
def answered(training):
    """Both answered the fish, differently; only A answered a dog."""
    training.answer("A", training.images[FISH][0], FISH)
    training.answer("B", training.images[FISH][0], DOG)
    training.answer("A", training.images[DOG][0], DOG)
    return training


def test_a_group_sees_what_all_of_it_answered(answered) -> None:
    facts = answered.review().discussion()
    (image,) = facts.discussion.images
    assert [(a.labeler, a.label, a.right) for a in image.answers] == [
        ("A", FISH, True),
        ("B", DOG, False),
    ]
    assert image.accepted == (FISH,)
    assert facts.discussion.waiting == 1


def test_first_answers_are_discussed_not_later_ones(answered) -> None:
    answered.answer("B", answered.images[FISH][0], FISH, minutes=9)
    (image,) = answered.review().discussion().discussion.images
    assert [answer.label for answer in image.answers] == [FISH, DOG]


def test_a_discussion_is_refused_to_people_outside_the_group(answered) -> None:
    with pytest.raises(RefusedError, match=NOT_IN_DISCUSSION):
        answered.review("L", Role.LABELER).discussion(("A", "B"))
    with pytest.raises(RefusedError, match=NOT_IN_DISCUSSION):
        answered.review("R", Role.REVIEWER).discussion(("A", "B"))
    assert answered.review("L", Role.LABELER).discussion().discussion.images == ()


def test_a_lead_can_look_at_any_group(answered) -> None:
    facts = answered.review("L", Role.LEAD).discussion()
    assert facts.trained == ("A", "B")
    assert len(facts.discussion.images) == 1


def test_one_labeler_is_no_group(answered) -> None:
    facts = answered.review().discussion(("A",))
    assert (facts.discussion.images, facts.discussion.waiting) == ((), 0)


def test_a_note_stays_with_its_author_and_moment(answered, clock) -> None:
    group, image = ("A", "B"), answered.images[FISH][0]
    answered.review("A").add_note(group, image=image, text="  Look at the fin.  ")
    clock.go_on(minutes=1)
    notes = answered.review("L", Role.LEAD).add_note(group, image=image, text="Yes.")
    assert [(note.author, note.text) for note in notes] == [
        ("A", "Look at the fin."),
        ("L", "Yes."),
    ]
    assert notes[0].at < notes[1].at
    assert answered.review("B").discussion().notes == {image: notes}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("   ", "empty"),
        ("x" * (MAX_NOTE_LENGTH + 1), "at most 4,000 characters; this one has 4,001"),
    ],
)
def test_a_note_that_is_none_is_refused(answered, text: str, sentence: str) -> None:
    with pytest.raises(RefusedError, match=sentence):
        answered.review().add_note(("A", "B"), image=answered.images[FISH][0], text=text)


def test_only_images_answered_by_the_whole_group_take_notes(answered) -> None:
    with pytest.raises(RefusedError, match="hasn't answered"):
        answered.review().add_note(("A", "B"), image=answered.images[DOG][0], text="A dog.")
    with pytest.raises(RefusedError, match=NOT_IN_DISCUSSION):
        answered.review("R", Role.REVIEWER).add_note(
            ("A", "B"), image=answered.images[FISH][0], text="Hello."
        )


def test_a_note_draft_is_restored_until_it_is_added(answered) -> None:
    group, image = ("A", "B"), answered.images[FISH][0]
    answered.review("A").save_note_draft(image, "Look at")
    answered.review("A").save_note_draft(image, "Look at the fin")
    assert answered.review("A").discussion().note_drafts == {image: "Look at the fin"}
    assert answered.review("B").discussion().note_drafts == {}
    answered.review("A").add_note(group, image=image, text="Look at the fin")
    assert answered.review("A").discussion().note_drafts == {}


def test_what_was_typed_after_a_note_was_added_stays(answered) -> None:
    group, image = ("A", "B"), answered.images[FISH][0]
    answered.review("A").save_note_draft(image, "One and two")
    answered.review("A").add_note(group, image=image, text="One")
    assert answered.review("A").discussion().note_drafts == {image: "One and two"}
    answered.review("A").save_note_draft(image, "  ")
    assert answered.review("A").discussion().note_drafts == {}
