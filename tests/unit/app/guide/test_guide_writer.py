"""Writing the guide: published by versions, merged with what others wrote, restored, opened."""

import signal
from collections.abc import Callable
from typing import Any

import pytest

from labeler.app.guide.publish import PageChange, PageConflict, PageSaved
from labeler.core.errors import RefusedError
from labeler.core.guide.page_versions import (
    REVIEWERS_READ,
    TRAINING_NOT_OPEN,
    PageDraft,
    PageOrigin,
)
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.guide.draft import find_problems
from labeler.guide.sections import SectionHeading
from tests.unit.app.guide.conftest import BEAVER, GOLDFISH, MARMOT, OTTER, PAGE, TENCH, Writers

_KILLED = """
import os, signal, sys
from pathlib import Path
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.study_guide import StudyGuide
from labeler.core.clock import SystemClock
from labeler.core.guide.page_versions import PageDraft
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
    writer = GuideWriter(store, StudyGuide(store), code="A", role=Role.LABELER)
    writer.keep_draft("marmot-and-beaver", PageDraft("marmot-and-beaver", "half a wörd", 1, ""))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def draft(text: str, *, slug: str = PAGE, base: int | None = 1) -> PageDraft:
    return PageDraft(slug, text, base, "")


def test_a_saved_page_is_the_next_version_with_who_when_and_why(writers: Writers) -> None:
    saved = writers.edit("Two heavy", "Two very heavy")
    assert isinstance(saved, PageSaved)
    newest, oldest = writers.writer().history(PAGE)
    assert (newest.number, newest.author, newest.origin) == (2, "A", PageOrigin.EDIT)
    assert (newest.base, newest.comment) == (1, "Two very heavy it is")
    assert newest.at >= oldest.at
    assert (oldest.number, oldest.author, oldest.origin) == (1, None, PageOrigin.FOLDER)
    assert "version = 2\n" in newest.text
    assert writers.guide.current().page_for(MARMOT).version == 2


def test_saving_what_is_there_already_makes_no_version(writers: Writers) -> None:
    writer = writers.writer()
    writer.keep_draft(PAGE, draft(writers.text()))
    writer.save(PageChange(slug=PAGE, text=writers.text(), base=1, comment=""))
    assert len(writer.history(PAGE)) == 1
    assert writer.drafts() == ()


def test_changes_in_other_places_are_offered_merged(writers: Writers) -> None:
    before = writers.text()
    writers.edit("Two heavy", "Two very heavy", code="B")
    outcome = writers.edit("alpine meadow", "mountain meadow", text=before)
    assert isinstance(outcome, PageConflict)
    assert (outcome.theirs.author, outcome.merged.conflicts) == ("B", ())
    merged = outcome.merged.text()
    assert "Two very heavy" in merged
    assert "mountain meadow" in merged
    change = PageChange(slug=PAGE, text=merged, base=2, comment="", origin=PageOrigin.MERGE)
    saved = writers.writer().save(change)
    assert isinstance(saved, PageSaved)
    assert saved.version.number == 3


def test_a_line_that_both_changed_is_asked_about_and_both_texts_are_there(
    writers: Writers,
) -> None:
    before = writers.text()
    writers.edit("Two heavy", "Two stout", code="B")
    outcome = writers.edit("Two heavy", "Two fat", text=before)
    assert isinstance(outcome, PageConflict)
    (place,) = outcome.merged.conflicts
    stretch = outcome.merged.stretches[place]
    assert "Two fat" in stretch.mine[0]
    assert "Two stout" in stretch.theirs[0]
    assert "Two fat" not in writers.text()


def test_a_restored_version_is_a_new_one(writers: Writers) -> None:
    writers.edit("Two heavy", "Two stout")
    restored = writers.writer("B").restore(PAGE, 1, seen=2).version
    assert (restored.number, restored.author, restored.origin) == (3, "B", PageOrigin.RESTORE)
    assert restored.comment == "Version 1 restored."
    assert "Two heavy" in restored.text
    assert len(writers.writer().history(PAGE)) == 3


def test_restoring_past_what_someone_saved_meanwhile_is_refused(writers: Writers) -> None:
    writers.edit("Two heavy", "Two stout", code="B")
    with pytest.raises(RefusedError, match="B has saved version 2"):
        writers.writer().restore(PAGE, 1, seen=1)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("## Typical scenes", "## Scenes", "“Scenes” is unknown"),
        ("+++\ntitle", "title", "must start with a line"),
        ('"n02363005", # beaver', '"n02119022",', "covered by the page “Red fox"),
        ('"n02363005", # beaver', '"n99999999",', "not a class of the taxonomy"),
    ],
)
def test_a_page_with_faults_is_not_published_but_stays_a_draft(
    writers: Writers, old: str, new: str, complaint: str
) -> None:
    writer = writers.writer()
    text = writers.text().replace(old, new)
    writer.keep_draft(PAGE, draft(text))
    with pytest.raises(RefusedError, match=complaint):
        writer.save(PageChange(slug=PAGE, text=text, base=1, comment=""))
    assert len(writer.history(PAGE)) == 1
    assert writer.open_page(PAGE).text == text


@pytest.mark.parametrize(
    ("code", "role", "why"),
    [("R", Role.REVIEWER, REVIEWERS_READ), ("A", Role.LEAD, "doesn't have the role")],
)
def test_others_only_read(writers: Writers, code: str, role: Role, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        writers.writer(code, role).open_page(PAGE)


def test_labelers_write_while_they_train_and_the_lead_until_the_evaluation(
    writers: Writers, set_phase: Callable[..., None]
) -> None:
    assert writers.writer().refusal() is None
    set_phase(Phase.TRAIN, lock=True)
    assert writers.writer().refusal() == TRAINING_NOT_OPEN
    assert writers.writer("L", Role.LEAD).refusal() is None


def test_no_one_writes_while_the_evaluation_is_open(
    writers: Writers, set_phase: Callable[..., None]
) -> None:
    lead = writers.writer("L", Role.LEAD)
    set_phase(Phase.EVALUATE)
    for writer in (lead, writers.writer()):
        assert "while the evaluation is open" in str(writer.refusal())
    with pytest.raises(RefusedError, match="while the evaluation is open"):
        writers.edit("Two heavy", "Two stout")
    set_phase(Phase.EVALUATE, lock=True)
    assert lead.refusal() is None


def test_a_draft_is_found_again_by_its_writer_alone(writers: Writers) -> None:
    writers.writer().keep_draft(PAGE, draft("half a page"))
    opened = writers.writer().open_page(PAGE)
    assert (opened.text, opened.base) == ("half a page", 1)
    assert opened.published == writers.text()
    assert writers.writer("B").open_page(PAGE).text == writers.text()
    writers.writer().discard_draft(PAGE)
    assert writers.writer().open_page(PAGE).text == writers.text()


def test_a_draft_survives_a_kill(writers: Writers, run: Callable[..., Any]) -> None:
    process = run(_KILLED, writers.store.folder.path)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert writers.writer().open_page(PAGE).text == "half a wörd"


# Written down in training.


def test_the_pair_opens_at_its_row(writers: Writers) -> None:
    opened = writers.writer().open_for_pair(chosen=BEAVER, right=MARMOT)
    assert opened.slug == PAGE
    assert opened.text == writers.text()
    line = opened.text.split("\n")[opened.spot.line - 1]
    assert line[opened.spot.column :].startswith("Tail first")


@pytest.mark.parametrize(
    ("chosen", "right", "row"),
    [
        (OTTER, MARMOT, f"| [marmot](class:{MARMOT}) | [otter](class:{OTTER}) |  |"),
        (MARMOT, TENCH, f"| [marmot](class:{MARMOT}) | [tench](class:{TENCH}) |  |"),
    ],
)
def test_a_missing_row_is_added_to_the_page_on_either_class(
    writers: Writers, chosen: str, right: str, row: str
) -> None:
    opened = writers.writer().open_for_pair(chosen=chosen, right=right)
    assert opened.slug == PAGE
    assert opened.text.split("\n")[opened.spot.line - 1] == row
    assert row[opened.spot.column - 1 :] == "  |"
    assert opened.text.replace(row + "\n", "") == writers.text()
    assert writers.writer().drafts() == ()


def test_a_pair_without_a_page_opens_a_new_one_on_both(writers: Writers) -> None:
    opened = writers.writer().open_for_pair(chosen=GOLDFISH, right=TENCH)
    assert (opened.slug, opened.base) == ("tench-and-goldfish", None)
    line = opened.text.split("\n")[opened.spot.line - 1]
    assert line == f"| [tench](class:{TENCH}) | [goldfish](class:{GOLDFISH}) |  |"


def test_a_new_page_that_was_begun_is_continued(writers: Writers) -> None:
    writer = writers.writer()
    opened = writer.open_for_pair(chosen=GOLDFISH, right=TENCH)
    begun = opened.text.replace("|  |", "| Barbels. |")
    writer.keep_draft(opened.slug, draft(begun, slug=opened.slug, base=None))
    again = writer.open_for_pair(chosen=GOLDFISH, right=TENCH)
    assert (again.slug, again.text) == (opened.slug, begun)


def test_a_new_page_is_published_once_its_sections_say_something(writers: Writers) -> None:
    writer = writers.writer()
    opened = writer.new_page([TENCH, GOLDFISH])
    found = find_problems(opened.text, opened.context)
    assert [complaint.sentence for complaint in found if complaint.blocks_publishing]
    filled, _spot = opened.text, None
    empty = (SectionHeading.TYPICAL_SCENES, SectionHeading.ALSO_VALID, SectionHeading.TRAPS)
    for heading in (each.value for each in empty):
        filled = filled.replace(f"## {heading}\n\n", f"## {heading}\n\nNone known.\n\n")
    row = f"|---|---|---|\n| [tench](class:{TENCH}) | [goldfish](class:{GOLDFISH}) | Olive. |"
    filled = filled.replace("|---|---|---|", row)
    assert find_problems(filled, opened.context) == ()
    saved = writer.save(PageChange(slug=opened.slug, text=filled, base=None, comment="New"))
    assert isinstance(saved, PageSaved)
    assert writers.guide.current().page_for(TENCH).title == "Tench and goldfish"


def test_a_covered_class_gets_no_second_page(writers: Writers) -> None:
    with pytest.raises(RefusedError, match="“Marmot and beaver” already covers “beaver”"):
        writers.writer().new_page([BEAVER])


def test_two_new_pages_of_one_name_are_merged_not_overwritten(writers: Writers) -> None:
    text = writers.text("foxes").replace('"n02119022"', f'"{TENCH}"')
    outcome = writers.writer().save(PageChange(slug=PAGE, text=text, base=None, comment=""))
    assert isinstance(outcome, PageConflict)
    merged = outcome.merged.text()
    assert all(line in merged for line in text.split("\n") if not line.startswith("version"))
