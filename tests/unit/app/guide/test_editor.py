"""The guide's editor: opened, written, kept, saved and merged, on a real study."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from labeler.app.guide.editor import EDITING_DRAFT, GuideEditor
from labeler.app.guide.editor_view import EditorStage, EditorView
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.study.people import add_person
from labeler.app.study.studies import new_study
from labeler.core.guide.page_versions import PageDraft
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.guide.three_way_merge import MergeChoice
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner

PAGE = "marmot-and-beaver"
MARMOT, BEAVER, OTTER, TENCH = "n02361337", "n02363005", "n02444819", "n01440764"


class EditorDriver:
    """A person at the editor, with everything that it showed."""

    def __init__(self, store: StudyStore, code: str = "A") -> None:
        self.store = store
        self.runner = LateRunner()
        self.views: list[EditorView] = []
        self.published: list[str] = []
        self.writer = GuideWriter(store, StudyGuide(store), code=code, role=Role.LABELER)
        self.editor = GuideEditor(
            writer=self.writer,
            taxonomy=store.taxonomy,
            database=self.runner,
            background=self.runner,
            clock=store.clock,
            on_saved=self.published.append,
        )
        self.editor.listen(self.views.append)

    @property
    def view(self) -> EditorView:
        return self.views[-1]

    def settle(self) -> None:
        while self.runner.tickets:
            self.runner.finish_all()

    def open(self, slug: str = PAGE) -> "EditorDriver":
        self.editor.open(slug)
        self.settle()
        return self

    def type(self, old: str, new: str) -> "EditorDriver":
        assert old in self.editor.text
        self.editor.change(self.editor.text.replace(old, new))
        self.settle()
        return self

    def save(self, comment: str = "") -> "EditorDriver":
        self.editor.save(comment)
        self.settle()
        return self

    def newest(self) -> str:
        return self.writer.history(PAGE)[0].text

    def draft(self) -> PageDraft | None:
        return next(iter(self.writer.drafts()), None)


def prepare(store: StudyStore) -> None:
    for code in "AB":
        add_person(store, code, roles=[Role.LABELER])
    with store.write() as study:
        study.phases.open(Phase.TRAIN)
    StudyGuide(store).current()


@pytest.fixture
def writing(store: StudyStore) -> EditorDriver:
    prepare(store)
    return EditorDriver(store).open()


@pytest.fixture
def other(store: StudyStore, writing: EditorDriver) -> EditorDriver:
    return EditorDriver(store, "B").open()


def test_a_page_is_opened_and_looked_over(writing: EditorDriver) -> None:
    view = writing.view
    assert view.stage is EditorStage.WRITING
    assert (view.title, view.version, view.unsaved) == ("Marmot and beaver", 1, False)
    assert view.put.text == writing.newest()
    assert view.preview is not None
    assert view.preview.complaints == ()
    assert "heavy brown rodents" in view.preview.html.wide


def test_what_is_typed_is_kept_at_once_and_said_to_be_unsaved(writing: EditorDriver) -> None:
    writing.type("Two heavy", "Two stout")
    assert writing.view.unsaved
    assert "not published, saved as draft" in writing.view.state
    draft = writing.draft()
    assert draft is not None
    assert "Two stout" in draft.text
    assert "Two stout" in writing.view.preview.html.wide


def test_it_is_said_to_be_kept_only_once_the_newest_text_is(writing: EditorDriver) -> None:
    for number in range(2):
        writing.editor.change(f"{writing.editor.text}{number}")
    first, *_rest = writing.runner.tickets
    first.finish()
    assert not writing.view.kept
    writing.settle()
    assert writing.view.kept


def test_complaints_have_their_line_and_the_page_still_shows(writing: EditorDriver) -> None:
    writing.type("## Typical scenes", "## Scenes")
    found = writing.view.preview
    line = writing.editor.text.split("\n").index("## Scenes") + 1
    assert (found.complaints[0].line, found.complaints[0].blocks_publishing) == (line, True)
    assert "alpine meadow" in found.html.wide


def test_a_dead_link_is_reported_and_forbids_nothing(writing: EditorDriver) -> None:
    writing.type("Two heavy", "[Two](nowhere.md) heavy")
    found = writing.view.preview
    assert "there is no such page" in found.complaints[0].sentence
    assert not found.complaints[0].blocks_publishing


def test_a_saved_page_is_published_and_its_draft_gone(writing: EditorDriver) -> None:
    writing.type("Two heavy", "Two stout").save("stouter")
    assert (writing.view.version, writing.view.unsaved) == (2, False)
    assert writing.published == [PAGE]
    assert writing.draft() is None
    assert writing.writer.history(PAGE)[0].comment == "stouter"
    assert "version = 2" in writing.view.put.text


def test_a_page_with_faults_stays_a_draft_and_says_why(writing: EditorDriver) -> None:
    writing.type("## Typical scenes", "## Scenes").save()
    assert "can't be published yet" in writing.view.message
    assert writing.view.unsaved
    assert "## Scenes" in writing.draft().text
    writing.type("## Scenes", "## Typical scenes")
    assert writing.view.message == ""


def test_what_is_typed_while_it_is_saved_is_not_lost(writing: EditorDriver) -> None:
    writing.type("Two heavy", "Two stout")
    writing.editor.save()
    writing.editor.change(writing.editor.text.replace("Two stout", "Two very stout"))
    writing.settle()
    assert "Two very stout" in writing.editor.text
    assert writing.view.unsaved
    assert (writing.draft().base, "Two very stout" in writing.draft().text) == (2, True)


def test_changes_that_fit_together_are_offered_merged(
    writing: EditorDriver, other: EditorDriver
) -> None:
    other.type("Two heavy", "Two stout").save()
    writing.type("alpine meadow", "mountain meadow").save("Say where")
    assert writing.view.stage is EditorStage.MERGING
    diverged = writing.view.diverged
    assert (diverged.theirs.author, diverged.merged.conflicts) == ("B", ())
    writing.editor.take_merged(diverged.merged.text())
    writing.settle()
    assert writing.view.stage is EditorStage.WRITING
    assert writing.view.unsaved
    assert writing.editor.comment == "Say where"
    writing.save(writing.editor.comment)
    assert writing.editor.comment == ""
    assert writing.view.version == 3
    assert "Two stout" in writing.newest()
    assert "mountain meadow" in writing.newest()


def test_a_disagreement_is_decided_by_the_person(
    writing: EditorDriver, other: EditorDriver
) -> None:
    other.type("Two heavy", "Two stout").save()
    writing.type("Two heavy", "Two fat").save()
    merged = writing.view.diverged.merged
    (place,) = merged.conflicts
    assert "Two fat" in writing.draft().text
    writing.editor.take_merged(merged.text({place: MergeChoice.THEIRS}))
    writing.settle()
    assert "Two stout" in writing.editor.text
    assert not writing.view.unsaved


def test_one_can_go_back_to_ones_own_text(writing: EditorDriver, other: EditorDriver) -> None:
    other.type("Two heavy", "Two stout").save()
    writing.type("Two heavy", "Two fat").save()
    writing.editor.leave_merge()
    assert writing.view.stage is EditorStage.WRITING
    assert "Two fat" in writing.editor.text
    writing.save()
    assert writing.view.stage is EditorStage.MERGING


def test_a_draft_is_continued_and_can_be_given_up(store: StudyStore, writing: EditorDriver) -> None:
    writing.type("Two heavy", "Two stout")
    again = EditorDriver(store).open()
    assert "Two stout" in again.editor.text
    assert EDITING_DRAFT in again.view.notice
    again.editor.discard()
    again.settle()
    assert again.editor.text == again.newest()
    assert again.draft() is None


def test_leaving_writes_what_waits(writing: EditorDriver) -> None:
    for number in range(3):
        writing.editor.change(f"{writing.editor.text}{number}")
    writing.editor.close()
    writing.settle()
    assert writing.draft().text.endswith("012")


def test_a_pair_is_written_down_at_its_row(writing: EditorDriver) -> None:
    writing.editor.write_down(chosen=OTTER, right=MARMOT)
    writing.settle()
    spot = writing.view.put.spot
    line = writing.editor.text.split("\n")[spot.line - 1]
    assert line.startswith(f"| [marmot](class:{MARMOT}) | [otter](class:{OTTER}) |")
    assert writing.view.unsaved
    assert any("trait is missing" in c.sentence for c in writing.view.preview.complaints)


def test_a_row_is_added_where_the_table_ends(writing: EditorDriver) -> None:
    writing.editor.add_row(BEAVER, TENCH)
    writing.settle()
    spot = writing.view.put.spot
    assert "tench" in writing.view.put.text.split("\n")[spot.line - 1]
    assert "tench" in writing.draft().text


def test_links_and_pictures_are_written_as_pages_write_them(writing: EditorDriver) -> None:
    assert writing.editor.link_to(TENCH) == f"[tench](class:{TENCH})"
    assert writing.editor.picture_of(TENCH, 3) == f"![tench](ref:{TENCH}/3)"


def test_a_page_that_may_not_be_written_says_why(store: StudyStore, writing: EditorDriver) -> None:
    with store.write() as study:
        study.phases.open(Phase.EVALUATE)
    writing.open()
    assert writing.view.stage is EditorStage.REFUSED
    assert "while the evaluation is open" in writing.view.message


def test_a_new_page_that_is_given_up_is_nowhere(writing: EditorDriver) -> None:
    writing.editor.begin([TENCH])
    writing.settle()
    assert (writing.view.version, writing.view.unsaved) == (None, True)
    writing.type("## Typical scenes\n", "## Typical scenes\n\nPonds.\n")
    writing.editor.discard()
    writing.settle()
    assert writing.view.stage is EditorStage.REFUSED
    assert writing.draft() is None


class TwoWriters(RuleBasedStateMachine):
    """Two people type words of their own into one page, and none is ever lost."""

    made: Iterator[Path]

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.place = tempfile.TemporaryDirectory()
        path = Path(self.place.name) / "study"
        self.store = new_study(path, clock=AdjustableClock(), name="Two", seed=1)
        prepare(self.store)
        self.people = {code: EditorDriver(self.store, code).open() for code in "AB"}
        self.typed: dict[str, list[str]] = {"A": [], "B": []}

    @rule(code=st.sampled_from("AB"), place=st.sampled_from(["Two heavy", "- Marmot:", "- A wet"]))
    def type_a_word(self, code: str, place: str) -> None:
        person, word = self.people[code], f"{code.lower()}word{len(self.typed[code])}"
        if person.view.stage is EditorStage.WRITING:
            person.type(place, f"{place} {word}")
            self.typed[code].append(word)

    @rule(code=st.sampled_from("AB"))
    def save(self, code: str) -> None:
        self.people[code].save()

    @rule(code=st.sampled_from("AB"))
    def merge(self, code: str) -> None:
        person = self.people[code]
        if person.view.diverged is not None:
            person.editor.take_merged(person.view.diverged.merged.text())
            person.settle()

    @rule(code=st.sampled_from("AB"))
    def be_killed_and_come_back(self, code: str) -> None:
        self.people[code] = EditorDriver(self.store, code).open()

    @invariant()
    def every_word_is_in_a_draft_or_in_the_guide(self) -> None:
        guide = self.people["A"].newest()
        for code, words in self.typed.items():
            draft = self.people[code].draft()
            kept = guide + (draft.text if draft else "")
            assert all(word in kept for word in words)

    def teardown(self) -> None:
        self.store.close()
        self.place.cleanup()


TestTwoWriters = TwoWriters.TestCase
TestTwoWriters.settings = settings(max_examples=5, stateful_step_count=12, deadline=None)
