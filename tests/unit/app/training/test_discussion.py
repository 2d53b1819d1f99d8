"""The discussion's presenter: who takes part, one image at a time, notes once they are stored."""

from dataclasses import replace

import pytest

from labeler.app.chart_views import AnswerTone
from labeler.app.training.discussion import (
    CHOOSE_TWO,
    NO_COMMON_IMAGE,
    NO_ONE_TRAINED,
    NOT_TRAINED,
    SOMEONE_WAITS,
    DiscussionView,
    GroupDiscussion,
)
from labeler.app.training.discussion_facts import DiscussionFacts
from labeler.app.training.viewer import TrainingViewer
from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role
from labeler.core.training.discussion import (
    DiscussedAnswer,
    DiscussedImage,
    Discussion,
    DiscussionNote,
)

BEAVER, MARMOT, TIGER = "n02363005", "n02361337", "n02129604"


def image(number: int, *labels: str, accepted: tuple[str, ...] = (BEAVER,)) -> DiscussedImage:
    answers = zip("ABCDE", labels, strict=False)
    return DiscussedImage(
        number,
        accepted,
        tuple(DiscussedAnswer(who, what, what in accepted) for who, what in answers),
    )


TWO = Discussion(("A", "B"), (image(7, BEAVER, MARMOT), image(8, TIGER, TIGER)), 3)


class Table:
    """What a study would answer."""

    def __init__(self, found: Discussion, *, trained=("A", "B", "C"), role=Role.LABELER) -> None:
        self.viewer = TrainingViewer("A" if role is Role.LABELER else "L", role)
        self.facts = DiscussionFacts(
            trained=trained, discussion=found, notes={}, note_drafts={8: "Hm"}
        )
        self.groups: list[tuple[str, ...] | None] = []
        self.notes: list[tuple[int, str]] = []
        self.drafts: list[tuple[int, str]] = []
        self.refuses = False

    def discussion(self, group: tuple[str, ...] | None = None) -> DiscussionFacts:
        self.groups.append(group)
        return self.facts

    def add_note(
        self, group: tuple[str, ...], *, image: int, text: str
    ) -> tuple[DiscussionNote, ...]:
        if self.refuses or not group:
            raise RefusedError("A note has at most 4,000 characters.")
        self.notes.append((image, text))
        return (DiscussionNote("A", text, "2026-03-01T09:30:00.000Z"),)

    def save_note_draft(self, image: int, text: str) -> None:
        self.drafts.append((image, text))


class Seen:
    """A presenter with what its screen would show."""

    def __init__(self, runner, table: Table) -> None:
        self.runner, self.table = runner, table
        self.views: list[DiscussionView] = []
        self.errors: list[str] = []
        self.presenter = GroupDiscussion(
            table=table, taxonomy=load_default(), runner=runner, describe_error=str
        )
        self.presenter.listen(show=self.views.append, fail=self.errors.append)
        self.presenter.open()
        runner.finish_all()

    @property
    def view(self) -> DiscussionView:
        return self.views[-1]


@pytest.fixture
def seen(runner) -> Seen:
    return Seen(runner, Table(TWO))


def test_answers_stand_side_by_side_with_what_is_accepted(seen) -> None:
    discussed = seen.view.discussed
    assert [(a.labeler, a.label, a.word) for a in discussed.answers] == [
        ("A", "beaver", "right"),
        ("B", "marmot", "wrong"),
    ]
    assert discussed.accepted == "beaver"
    assert discussed.classes == (BEAVER, MARMOT)


def test_the_list_says_how_far_the_answers_agree(seen) -> None:
    assert [(row.answer, row.tone, row.word) for row in seen.view.rows] == [
        ("beaver / marmot", AnswerTone.DIFFERENT, "different answers"),
        ("tiger", AnswerTone.WRONG, "all wrong"),
    ]


def test_it_says_how_many_images_wait_for_someone(seen) -> None:
    assert seen.view.summary == (
        f"2 images answered by all, 1 of them differently. 3 more aren't shown: {SOMEONE_WAITS}"
    )


def test_steps_go_through_the_images_and_stop_at_the_ends(seen) -> None:
    seen.presenter.step(1)
    assert (seen.view.current, seen.view.discussed.place) == (1, "2 of 2")
    shown = len(seen.views)
    seen.presenter.step(1)
    assert len(seen.views) == shown
    seen.presenter.step(-5)
    assert seen.view.current == 0


def test_a_note_is_shown_once_it_is_stored(seen) -> None:
    seen.presenter.edit_note_draft("Look at its tail.")
    seen.presenter.add_note()
    assert seen.view.discussed.notes == ()
    seen.runner.finish_all()
    (note,) = seen.view.discussed.notes
    assert (note.author, note.text) == ("A", "Look at its tail.")
    assert seen.view.discussed.note_draft == ""
    assert seen.view.rows[0].caption == "1 note"


def test_notes_of_others_appear_and_everything_else_stays(seen) -> None:
    seen.presenter.step(1)
    seen.presenter.edit_note_draft("Half a no")
    shown = len(seen.views)
    seen.presenter.refresh()
    seen.runner.finish_all()
    assert len(seen.views) == shown, "there is no new note"
    note = DiscussionNote("B", "Look at its stripes.", "2026-03-01T09:30:00Z")
    seen.table.facts = replace(seen.table.facts, notes={8: (note,)}, note_drafts={})
    seen.presenter.refresh()
    seen.runner.finish_all()
    assert [each.text for each in seen.view.discussed.notes] == ["Look at its stripes."]
    assert seen.view.current == 1
    assert seen.view.discussed.note_draft == "Half a no"


def test_a_note_is_added_once_and_what_is_typed_meanwhile_stays(seen) -> None:
    seen.presenter.edit_note_draft("One")
    seen.presenter.add_note()
    seen.presenter.add_note()
    seen.presenter.edit_note_draft("One and two")
    seen.runner.finish_all()
    assert seen.table.notes == [(7, "One")]
    assert seen.view.discussed.note_draft == "One and two"


def test_a_note_draft_is_kept_with_its_image(seen) -> None:
    seen.presenter.edit_note_draft("Perhaps")
    seen.presenter.step(1)
    assert seen.view.discussed.note_draft == "Hm"
    seen.runner.finish_all()
    assert seen.table.drafts == [(7, "Perhaps")]
    seen.presenter.step(-1)
    assert seen.view.discussed.note_draft == "Perhaps"


def test_a_note_that_is_refused_stays_and_can_be_added_again(seen) -> None:
    seen.table.refuses = True
    seen.presenter.edit_note_draft("Too long")
    seen.presenter.add_note()
    seen.runner.finish_all()
    assert len(seen.errors) == 1
    seen.table.refuses = False
    seen.presenter.add_note()
    seen.runner.finish_all()
    assert seen.table.notes == [(7, "Too long")]


def test_a_labeler_always_takes_part_and_others_may(seen) -> None:
    assert [(m.code, m.chosen, m.fixed) for m in seen.view.members] == [
        ("A", True, True),
        ("B", True, False),
        ("C", False, False),
    ]
    seen.presenter.toggle("C")
    seen.runner.finish_all()
    seen.presenter.toggle("B")
    seen.runner.finish_all()
    assert seen.table.groups == [None, ("A", "B", "C"), ("A",)]


def test_a_lead_can_remove_any_member(runner) -> None:
    seen = Seen(runner, Table(TWO, role=Role.LEAD))
    assert not any(member.fixed for member in seen.view.members)


@pytest.mark.parametrize(
    ("trained", "group", "sentence"),
    [
        ((), (), NO_ONE_TRAINED),
        (("B", "C"), (), NOT_TRAINED),
        (("A",), ("A",), "Only A has trained so far"),
        (("A", "B"), ("A",), CHOOSE_TWO),
        (("A", "B"), ("A", "B"), NO_COMMON_IMAGE),
    ],
)
def test_where_there_is_nothing_to_discuss_it_says_why(runner, trained, group, sentence) -> None:
    seen = Seen(runner, Table(Discussion(group, (), 0), trained=trained))
    assert sentence in seen.view.sentence
    assert seen.view.discussed is None


def test_after_it_is_left_nothing_is_shown(seen) -> None:
    shown = len(seen.views)
    seen.presenter.edit_note_draft("Late.")
    seen.presenter.add_note()
    seen.presenter.close()
    seen.runner.finish_all()
    assert len(seen.views) == shown
    assert seen.table.notes == [(7, "Late.")]
