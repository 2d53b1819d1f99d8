"""The guide that counts: taken over from the folder, changed by hand, frozen by an evaluation."""

from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.app.guide.publish import PageChange
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.errors import RefusedError
from labeler.core.guide.page_versions import PageOrigin
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.guide.pages import load_guide
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.unit.app.guide.conftest import MARMOT, PAGE, Writers


def by_hand(store: StudyStore, old: str, new: str, *, text: str | None = None) -> None:
    """Change the page's file, or write a text there that someone had all along."""
    file = store.folder.guide / f"{PAGE}.md"
    before = text or file.read_text(encoding="utf-8")
    assert old in before
    file.write_text(before.replace(old, new), encoding="utf-8")


def origins(writers: Writers, slug: str = PAGE) -> list[PageOrigin]:
    return [version.origin for version in reversed(writers.writer().history(slug))]


def test_the_folder_is_taken_over_as_the_first_versions(writers: Writers) -> None:
    in_folder = load_guide(writers.store.folder.guide)
    assert writers.guide.current() == in_folder
    assert origins(writers) == [PageOrigin.FOLDER]
    StudyGuide(writers.store).current()
    assert origins(writers) == [PageOrigin.FOLDER]


def test_what_is_changed_by_hand_is_noticed_at_the_next_opening(writers: Writers) -> None:
    by_hand(writers.store, "Two heavy", "Two stout")
    StudyGuide(writers.store).current()
    assert "Two stout" in writers.text()
    assert "version = 2" in writers.text()
    assert origins(writers) == [PageOrigin.FOLDER, PageOrigin.FOLDER]


def test_a_change_by_hand_and_one_in_the_program_are_merged_once(writers: Writers) -> None:
    before = writers.text()
    writers.edit("alpine meadow", "mountain meadow")
    by_hand(writers.store, "Two heavy", "Two stout", text=before)
    for _opening in range(3):
        StudyGuide(writers.store).current()
    assert "Two stout" in writers.text()
    assert "mountain meadow" in writers.text()
    assert origins(writers) == [
        PageOrigin.FOLDER,
        PageOrigin.EDIT,
        PageOrigin.FOLDER,
        PageOrigin.MERGE,
    ]


def test_a_change_by_hand_that_disagrees_is_kept_in_the_history_and_told(
    writers: Writers,
) -> None:
    before = writers.text()
    writers.edit("Two heavy", "Two fat")
    by_hand(writers.store, "Two heavy", "Two stout", text=before)
    again = StudyGuide(writers.store)
    again.current()
    assert again.report is not None
    assert again.report.set_aside == (PAGE,)
    assert "Two fat" in writers.text()
    assert "Two stout" in writers.writer().history(PAGE)[1].text
    calm = StudyGuide(writers.store)
    calm.current()
    assert calm.report is not None
    assert calm.report.set_aside == ()


def test_what_is_saved_is_copied_to_the_folder(writers: Writers) -> None:
    writers.edit("Two heavy", "Two stout")
    file = writers.store.folder.guide / f"{PAGE}.md"
    assert file.read_text(encoding="utf-8") == writers.text()
    writers.writer().restore(PAGE, 1, seen=2)
    assert file.read_text(encoding="utf-8") == writers.text()


def test_a_file_that_lags_behind_is_brought_up_to_date(writers: Writers) -> None:
    """As after a crash between the study and the file, or on a second machine."""
    file = writers.store.folder.guide / f"{PAGE}.md"
    before = file.read_bytes()
    writers.edit("Two heavy", "Two stout")
    file.write_bytes(before)
    StudyGuide(writers.store).current()
    assert file.read_text(encoding="utf-8") == writers.text()
    assert len(writers.writer().history(PAGE)) == 2


def test_a_folder_that_cant_be_written_keeps_no_one_from_saving(writers: Writers) -> None:
    folder = writers.store.folder.guide
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("no folder")
    writers.edit("Two heavy", "Two stout")
    assert "Two stout" in writers.text()


def test_a_page_damaged_by_hand_is_reported_and_the_guide_stays(writers: Writers) -> None:
    by_hand(writers.store, "## Typical scenes", "## Scenes")
    again = StudyGuide(writers.store)
    assert again.current() == writers.guide.current()
    assert again.report is not None
    assert "marmot-and-beaver.md, line" in again.report.faults[0]


def test_a_class_covered_twice_by_hand_is_reported(writers: Writers) -> None:
    file = writers.store.folder.guide / "second.md"
    file.write_text(writers.text(), encoding="utf-8")
    again = StudyGuide(writers.store)
    again.current()
    assert again.report is not None
    assert "covered here and in marmot-and-beaver.md" in again.report.faults[0]


def test_a_study_without_a_folder_of_pages_reads_them_from_its_database(writers: Writers) -> None:
    """As on a second machine that shares the study on a server."""
    before = writers.guide.current()
    folder = writers.store.folder.guide
    folder.rename(folder.with_name("elsewhere"))
    assert StudyGuide(writers.store).current() == before


@pytest.fixture
def ready(healthy: Path, clock) -> StudyStore:
    with open_study(healthy, clock=clock) as store:
        yield store


def test_the_evaluation_freezes_the_guide_and_tells_its_version(ready: StudyStore) -> None:
    version = StudyGuide(ready).current().version
    open_phase(ready, Phase.EVALUATE)
    by_hand(ready, "Two heavy", "Two stout")
    during = StudyGuide(ready)
    assert "Two heavy" in during.current().page_for(MARMOT).body
    lock_phase(ready, Phase.EVALUATE, unfinished=True)
    assert "Two stout" in StudyGuide(ready).current().page_for(MARMOT).body
    with ready.read() as study:
        frozen = study.guide.frozen()
        pages = study.guide.frozen_pages()
    assert frozen is not None
    assert frozen.version == version
    assert frozen.numbers[PAGE] == 1
    assert "Two heavy" in pages[PAGE].text


def test_an_evaluation_is_not_opened_past_a_page_that_cant_be_read(ready: StudyStore) -> None:
    with ready.read() as study:
        before = study.guide.count()
    by_hand(ready, "## Typical scenes", "## Scenes")
    with pytest.raises(RefusedError, match=r"can't be frozen.*marmot-and-beaver\.md, line"):
        open_phase(ready, Phase.EVALUATE)
    with ready.read() as study:
        assert study.guide.count() == before
        assert study.guide.frozen() is None
    by_hand(ready, "## Scenes", "## Typical scenes")
    open_phase(ready, Phase.EVALUATE)


def test_a_page_that_a_later_program_refuses_takes_no_other_away(writers: Writers) -> None:
    with writers.store.write() as study:
        study.guide.append(
            PAGE,
            number=2,
            text=writers.text().replace("## Typical scenes", "## Scenes of old"),
            author="A",
            origin=PageOrigin.EDIT,
            base=1,
            comment="",
        )
    guide = writers.guide.current()
    assert guide.page_for(MARMOT).title == "Marmot and beaver"
    assert "Scenes of old" in guide.page_for(MARMOT).body
    assert len(guide.pages) > 10


def test_an_evaluation_that_was_open_before_is_frozen_as_it_is(
    writers: Writers, set_phase: Callable[..., None]
) -> None:
    set_phase(Phase.EVALUATE)
    version = StudyGuide(writers.store).current().version
    with writers.store.read() as study:
        frozen = study.guide.frozen()
    assert frozen is not None
    assert frozen.version == version


def test_the_guide_follows_what_others_save(writers: Writers) -> None:
    other = StudyGuide(writers.store)
    before = other.current()
    text = writers.text().replace("Two heavy", "Two stout")
    change = PageChange(slug=PAGE, text=text, base=1, comment="")
    writers.writer("L", Role.LEAD).save(change)
    assert other.current() is not before
    assert other.current() is other.current()
