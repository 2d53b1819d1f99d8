"""The list of a page's versions, and what is around the guide, on a real study."""

import pytest

from labeler.app.guide.contents import GuideContentsPresenter, GuideContentsView
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.publish import PageChange
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.guide.versions import PageVersions, PageVersionsView
from labeler.app.study.people import add_person
from labeler.core.guide.page_versions import PageDraft
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.guide.diff import LineChange
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner

PAGE = "marmot-and-beaver"


class Shown:
    """The versions of a page before a lead."""

    def __init__(self, store: StudyStore) -> None:
        self.store = store
        self.runner = LateRunner()
        self.views: list[PageVersionsView] = []
        self.restored: list[str] = []
        self.writer = GuideWriter(store, StudyGuide(store), code="L", role=Role.LEAD)
        self.versions = PageVersions(
            writer=self.writer,
            runner=self.runner,
            clock=store.clock,
            on_restored=self.restored.append,
        )
        self.versions.listen(self.views.append)

    @property
    def view(self) -> PageVersionsView:
        return self.views[-1]

    def settle(self) -> None:
        while self.runner.tickets:
            self.runner.finish_all()

    def edit(self, old: str, new: str) -> None:
        opened = self.writer.open_page(PAGE)
        text = opened.text.replace(old, new)
        self.writer.save(PageChange(slug=PAGE, text=text, base=opened.base, comment=new))


@pytest.fixture
def shown(store: StudyStore, clock: AdjustableClock) -> Shown:
    add_person(store, "L", roles=[Role.LEAD])
    StudyGuide(store).current()
    made = Shown(store)
    clock.go_on(hours=1)
    made.edit("Two heavy", "Two stout")
    clock.go_on(minutes=2)
    made.versions.open(PAGE)
    made.settle()
    return made


def test_versions_are_listed_with_who_when_and_why(shown: Shown) -> None:
    newest, oldest = shown.view.rows
    assert (newest.number, newest.heading, newest.comment) == (2, "L · 2 min ago", "Two stout")
    assert (oldest.number, oldest.heading) == (1, "from the study's folder · 1 h ago")
    assert shown.view.title == "Marmot and beaver"


def test_the_selected_one_shows_what_it_changed_but_not_its_number(shown: Shown) -> None:
    changed = [line for line in shown.view.changed if line.line is not LineChange.SAME]
    assert [line.line for line in changed] == [LineChange.REMOVED, LineChange.ADDED]
    assert changed[1].text.startswith("Two stout")
    assert "Two stout" in shown.view.html.wide
    shown.versions.select(1)
    assert "Two heavy" in shown.view.html.wide


def test_an_old_one_is_restored_as_the_newest(shown: Shown) -> None:
    assert not shown.view.can_restore
    shown.versions.restore()
    shown.settle()
    assert len(shown.view.rows) == 2
    shown.versions.select(99)
    shown.versions.restore()
    shown.settle()
    assert [row.number for row in shown.view.rows] == [3, 2, 1]
    assert shown.view.rows[0].heading == "L · restored · just now"
    assert shown.restored == [PAGE]


def test_restoring_past_a_newer_one_is_reported_with_the_new_list(shown: Shown) -> None:
    shown.versions.select(1)
    shown.edit("Two stout", "Two fat")
    shown.versions.restore()
    shown.settle()
    assert "L has saved version 3" in shown.view.message
    assert len(shown.view.rows) == 3


def test_during_an_evaluation_versions_are_only_looked_at(shown: Shown) -> None:
    with shown.store.write() as study:
        study.phases.open(Phase.EVALUATE)
    shown.versions.open(PAGE)
    shown.settle()
    shown.versions.select(1)
    assert not shown.view.can_restore
    assert "while the evaluation is open" in shown.view.why_not


# Around the pages.


def shelf_of(store: StudyStore, code: str, role: Role) -> GuideContentsView:
    runner, views = LateRunner(), []
    writer = GuideWriter(store, StudyGuide(store), code=code, role=role)
    shelf = GuideContentsPresenter(writer=writer, role=role, runner=runner, clock=store.clock)
    shelf.listen(views.append)
    shelf.refresh()
    runner.finish_all()
    return views[-1]


def test_drafts_stand_on_the_shelf_by_their_titles(shown: Shown) -> None:
    text = shown.writer.open_page(PAGE).text.replace('"Marmot and beaver"', '"Marmots"')
    shown.writer.keep_draft(PAGE, PageDraft(PAGE, text, 2, ""))
    view = shelf_of(shown.store, "L", Role.LEAD)
    assert view.can_write
    assert [(draft.slug, draft.title) for draft in view.drafts] == [(PAGE, "Marmots")]


def test_a_fault_in_the_folder_is_reported_to_the_lead_only(shown: Shown) -> None:
    add_person(shown.store, "A", roles=[Role.LABELER])
    (shown.store.folder.guide / "foxes.md").write_text("no page", encoding="utf-8")
    assert "foxes.md, line 1" in shelf_of(shown.store, "L", Role.LEAD).notice
    assert shelf_of(shown.store, "A", Role.LABELER).notice == ""
