"""A page is taken out of the guide, and comes back from its versions."""

import pytest

from labeler.app.guide.publish import PageChange, PageSaved
from labeler.app.guide.study_guide import StudyGuide, import_guide_folder
from labeler.core.errors import RefusedError
from labeler.core.guide.page_versions import REVIEWERS_READ
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from tests.unit.app.guide.conftest import MARMOT, PAGE, Writers


def slugs(writers: Writers) -> list[str]:
    return [page.slug for page in StudyGuide(writers.store).current().pages]


def test_a_retired_page_leaves_the_guide_and_its_folder_and_keeps_its_versions(
    writers: Writers,
) -> None:
    file = writers.store.folder.guide / f"{PAGE}.md"
    assert PAGE in slugs(writers)
    writers.writer().retire(PAGE, seen=1, comment="told elsewhere")

    assert PAGE not in slugs(writers)
    assert not file.exists()
    assert [page.slug for page in writers.writer().retired()] == [PAGE]
    newest, first = writers.writer("B").history(PAGE)
    assert (newest.author, newest.comment, newest.retired, first.retired) == (
        "A",
        "told elsewhere",
        True,
        False,
    )
    with pytest.raises(RefusedError, match="was retired"):
        writers.writer().open_page(PAGE)
    assert writers.writer().new_page([MARMOT]).slug != PAGE


def test_a_retired_page_is_restored(writers: Writers) -> None:
    slugs(writers)
    writers.writer().retire(PAGE, seen=1)
    restored = writers.writer("B").restore(PAGE, 1, seen=2)

    assert (restored.version.number, restored.version.retired) == (3, False)
    assert PAGE in slugs(writers)
    assert (writers.store.folder.guide / f"{PAGE}.md").exists()
    assert writers.writer().retired() == ()


def test_its_file_that_was_left_behind_doesnt_bring_it_back(writers: Writers) -> None:
    slugs(writers)
    file = writers.store.folder.guide / f"{PAGE}.md"
    text = file.read_text(encoding="utf-8")
    writers.writer().retire(PAGE, seen=1)
    file.write_text(text, encoding="utf-8")
    import_guide_folder(writers.store)

    assert PAGE not in slugs(writers)
    assert not file.exists()
    file.write_text(text.replace("marmot", "marmots"), encoding="utf-8")
    import_guide_folder(writers.store)
    assert PAGE in slugs(writers)  # since someone wrote it again


def test_a_page_that_someone_saved_meanwhile_isnt_retired(writers: Writers) -> None:
    slugs(writers)
    writers.edit("marmot", "marmots", code="B")
    with pytest.raises(RefusedError, match="B has saved version 2"):
        writers.writer().retire(PAGE, seen=1)
    assert PAGE in slugs(writers)


def test_what_is_written_while_it_is_retired_isnt_lost(writers: Writers) -> None:
    slugs(writers)
    mine = writers.text() + "\nMine.\n"
    writers.writer("B").retire(PAGE, seen=1)
    asked = writers.writer().save(PageChange(slug=PAGE, text=mine, base=1, comment=""))
    assert not isinstance(asked, PageSaved)
    saved = writers.writer().save(PageChange(slug=PAGE, text=mine, base=2, comment=""))
    assert isinstance(saved, PageSaved)
    assert PAGE in slugs(writers)


@pytest.mark.parametrize(("code", "role"), [("A", Role.LABELER), ("L", Role.LEAD)])
def test_no_one_retires_a_page_while_the_evaluation_is_open(
    writers: Writers, code: str, role: Role
) -> None:
    slugs(writers)
    with writers.store.write() as study:
        study.phases.open(Phase.EVALUATE)
    with pytest.raises(RefusedError, match="while the evaluation is open"):
        writers.writer(code, role).retire(PAGE, seen=1)


def test_a_reviewer_retires_nothing(writers: Writers) -> None:
    with pytest.raises(RefusedError, match=REVIEWERS_READ):
        writers.writer("R", Role.REVIEWER).retire(PAGE, seen=1)
