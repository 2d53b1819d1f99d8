"""Two machines that share a study on a server, each with a folder of its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.publish import PageChange, PageConflict, PageSaved
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.study.people import add_person
from labeler.app.study.studies import new_study
from labeler.core.guide.page_versions import PageDraft
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.guide.conftest import PAGE
from tests.unit.store.throwaway_server import Server


@pytest.fixture
def machines(tmp_path: Path, server: Server) -> Iterator[tuple[StudyStore, StudyStore]]:
    """The same study opened from two folders."""
    place, address, clock = tmp_path, server.new_database(), AdjustableClock()
    with new_study(place / "one", clock=clock, name="Shared", seed=1, server=address) as one:
        shutil.copytree(place / "one", place / "other")
        for code in "AB":
            add_person(one, code, roles=[Role.LABELER])
        with one.write() as study:
            study.phases.open(Phase.TRAIN)
        with open_study(place / "other", clock=clock) as other:
            yield one, other


def writer(store: StudyStore, code: str) -> GuideWriter:
    return GuideWriter(store, StudyGuide(store), code=code, role=Role.LABELER)


def test_both_see_what_either_saves_and_no_one_overwrites(
    machines: tuple[StudyStore, StudyStore],
) -> None:
    one, other = machines
    StudyGuide(one).current()
    first = writer(one, "A").open_page(PAGE)
    writer(other, "B").keep_draft(PAGE, PageDraft(PAGE, "half a page", 1, ""))
    changed = first.text.replace("Two heavy", "Two stout")
    saved = writer(one, "A").save(PageChange(slug=PAGE, text=changed, base=1, comment="mine"))
    assert isinstance(saved, PageSaved)
    late = first.text.replace("Two heavy", "Two fat")
    outcome = writer(other, "B").save(PageChange(slug=PAGE, text=late, base=1, comment="late"))
    assert isinstance(outcome, PageConflict)
    assert outcome.theirs.author == "A"
    assert len(outcome.merged.conflicts) == 1
    assert writer(other, "B").open_page(PAGE).text == "half a page"
    StudyGuide(other).current()
    copied = (other.folder.guide / f"{PAGE}.md").read_text(encoding="utf-8")
    assert copied == saved.version.text
    assert StudyGuide(other).current() == StudyGuide(one).current()
