"""The guide's viewer: opened at a class, searched, followed, back and forward."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from labeler.app.guide.viewer import CONTENTS_TITLE, GuideState, GuideView, GuideViewer
from labeler.core.classes.taxonomy import load_default
from labeler.locations import GUIDE
from tests.unit.app.late_runner import LateRunner

MARMOT, FOX_SQUIRREL, HAMSTER, TENCH = "n02361337", "n02356798", "n02342885", "n01440764"
BEAR = "n02132136"


class ViewerDriver:
    """A viewer with everything that it shows and tells."""

    def __init__(self, runner: Any, folder: Path = GUIDE) -> None:
        self.views: list[GuideView] = []
        self.visits: list[str] = []
        self.runner = runner
        self.viewer = GuideViewer(
            folder=folder, taxonomy=load_default(), runner=runner, on_visit=self.visits.append
        )
        self.viewer.listen(self.views.append)

    @property
    def view(self) -> GuideView:
        return self.views[-1]

    def ready(self) -> "ViewerDriver":
        self.viewer.open_contents()
        self.runner.finish_all()
        return self


@pytest.fixture
def unread(runner: LateRunner) -> ViewerDriver:
    return ViewerDriver(runner)


@pytest.fixture
def driver(runner: LateRunner) -> ViewerDriver:
    return ViewerDriver(runner).ready()


def test_nothing_is_loaded_before_the_guide_is_wanted(unread: ViewerDriver) -> None:
    assert unread.runner.tickets == []
    assert unread.views == []


def test_while_it_loads_the_newest_wish_counts(unread: ViewerDriver) -> None:
    unread.viewer.open_at(MARMOT)
    unread.viewer.open_at(BEAR)
    assert unread.view.state is GuideState.LOADING
    assert len(unread.runner.tickets) == 1
    unread.runner.finish_all()
    assert unread.view.title.startswith("Brown bear")
    assert unread.visits == ["bears"]


def test_a_closed_viewer_shows_nothing_that_arrives_late(unread: ViewerDriver) -> None:
    unread.viewer.open_at(MARMOT)
    late = unread.runner.tickets[0]
    unread.viewer.close()
    late.finish()
    assert [view.state for view in unread.views] == [GuideState.LOADING]


def test_a_damaged_guide_is_reported_by_its_page_alone_and_tried_again(
    runner: LateRunner, tmp_path: Path
) -> None:
    page = tmp_path / "foxes.md"
    page.write_text("no page", encoding="utf-8")
    driver = ViewerDriver(runner, folder=tmp_path).ready()
    assert driver.view.state is GuideState.FAULT
    assert "“foxes.md” is damaged at line 1" in driver.view.notice
    assert str(tmp_path) not in driver.view.notice
    page.write_text((GUIDE / "foxes.md").read_text(encoding="utf-8"), encoding="utf-8")
    driver.ready()
    assert driver.view.state is GuideState.CONTENTS


def test_a_missing_guide_is_reported(runner: LateRunner, tmp_path: Path) -> None:
    driver = ViewerDriver(runner, folder=tmp_path / "absent").ready()
    assert driver.view.state is GuideState.FAULT


def test_it_opens_at_the_page_on_the_class(driver: ViewerDriver) -> None:
    driver.viewer.open_at(MARMOT)
    assert driver.view.state is GuideState.PAGE
    assert driver.view.title == "Marmot and beaver"
    assert driver.view.notice == ""
    assert driver.visits == ["marmot-and-beaver"]


def test_it_says_when_the_page_is_only_the_nearest(driver: ViewerDriver) -> None:
    driver.viewer.open_at(HAMSTER)
    assert (
        driver.view.notice
        == "There is no page on “hamster”. Showing “Marmot and beaver”, the nearest under “rodent”."
    )
    driver.viewer.open_at(FOX_SQUIRREL)
    assert driver.view.notice == (
        "There is no page on “fox squirrel”. Showing “Marmot and beaver”, which distinguishes "
        "it from a look-alike."
    )


def test_without_a_near_page_it_shows_the_contents_and_says_so(driver: ViewerDriver) -> None:
    driver.viewer.open_at(TENCH)
    assert driver.view.state is GuideState.CONTENTS
    assert "“tench”" in driver.view.notice
    assert driver.visits == []


def test_rows_on_the_class_it_was_opened_at_are_brought_out(driver: ViewerDriver) -> None:
    driver.viewer.open_at(FOX_SQUIRREL)
    assert driver.view.html is not None
    assert driver.view.html.wide.count('class="focus"') == 3
    assert driver.view.html.narrow.count('class="focus"') == 1
    driver.viewer.open_page("marmot-and-beaver")
    assert driver.view.html is not None
    assert "focus" not in driver.view.html.wide


def test_a_link_to_a_page_opens_it_and_a_link_to_a_class_is_reported(driver: ViewerDriver) -> None:
    assert driver.viewer.follow("page:foxes") is None
    assert driver.view.title.startswith("Red fox")
    assert driver.viewer.follow(f"class:{MARMOT}") == MARMOT
    assert driver.view.title.startswith("Red fox")
    assert driver.visits == ["foxes"]


@pytest.mark.parametrize(
    "address", ["class:n99999999", "page:absent", "https://example.org", "file:///etc/passwd", ""]
)
def test_other_links_change_nothing(driver: ViewerDriver, address: str) -> None:
    before = driver.view
    assert driver.viewer.follow(address) is None
    assert driver.view == before


def test_a_search_lists_pages_as_it_is_typed_and_keeps_what_was_typed(driver: ViewerDriver) -> None:
    for typed in ("f", "fo", "fox "):
        driver.viewer.search(typed)
    assert driver.view.state is GuideState.RESULTS
    assert driver.view.query == "fox "
    assert driver.view.results[0].slug == "foxes"
    assert driver.view.selected == 0
    driver.viewer.back()
    assert driver.view.state is GuideState.CONTENTS


def test_clearing_a_search_returns_to_the_page_before(driver: ViewerDriver) -> None:
    driver.viewer.open_at(BEAR)
    driver.viewer.search("tail")
    driver.viewer.search("")
    assert driver.view.title.startswith("Brown bear")
    assert not driver.view.can_go_forward


def test_nothing_found_is_said(driver: ViewerDriver) -> None:
    driver.viewer.search("zzzz")
    assert "“zzzz”" in driver.view.notice
    assert driver.view.selected is None
    driver.viewer.open_selected()
    assert driver.view.state is GuideState.RESULTS


def test_the_selected_result_opens_with_its_words_marked(driver: ViewerDriver) -> None:
    driver.viewer.search("tail flat")
    driver.viewer.move(1)
    assert driver.view.selected == 1
    chosen = driver.view.results[1]
    driver.viewer.open_selected()
    assert driver.view.title == chosen.title
    assert driver.view.wanted is not None
    assert driver.view.wanted.words == ("tail", "flat")
    driver.viewer.back()
    assert (driver.view.query, driver.view.selected) == ("tail flat", 1)


def test_the_selection_stays_among_the_results(driver: ViewerDriver) -> None:
    driver.viewer.search("tail")
    driver.viewer.move(-1)
    assert driver.view.selected == 0
    driver.viewer.move(1000)
    assert driver.view.selected == len(driver.view.results) - 1


def test_every_page_that_comes_into_view_is_a_visit(driver: ViewerDriver) -> None:
    driver.viewer.open_at(MARMOT)
    driver.viewer.open_page("foxes")
    driver.viewer.back()
    driver.viewer.forward()
    assert driver.visits == ["marmot-and-beaver", "foxes", "marmot-and-beaver", "foxes"]


class Wandering(RuleBasedStateMachine):
    """Wherever a reader goes, back and forward lead where a simple pair of piles says."""

    def __init__(self) -> None:
        super().__init__()
        self.driver = ViewerDriver(LateRunner()).ready()
        self.behind: list[str] = []
        self.here = CONTENTS_TITLE
        self.ahead: list[str] = []

    def arrive(self, title: str, *, key: str) -> None:
        if key != self.here:
            self.behind.append(self.here)
            self.ahead.clear()
            self.here = key
        assert self.driver.view.title == title

    @rule(page=st.sampled_from(["foxes", "bears", "guitars"]))
    def open_page(self, page: str) -> None:
        self.driver.viewer.open_page(page)
        self.arrive(self.driver.view.title, key=page)
        assert self.driver.visits[-1] == page

    @rule(wnid=st.sampled_from([MARMOT, FOX_SQUIRREL, TENCH]))
    def open_at(self, wnid: str) -> None:
        self.driver.viewer.open_at(wnid)
        contents, page = CONTENTS_TITLE, "Marmot and beaver"
        self.arrive(contents if wnid == TENCH else page, key=wnid)

    @rule(typed=st.sampled_from(["tail", "tail f", "horn", "zzzz"]))
    def search(self, typed: str) -> None:
        self.driver.viewer.search(typed)
        if self.here.startswith("?"):
            self.here = f"?{typed}"
        self.arrive("Pages found", key=f"?{typed}")

    @rule()
    def clear(self) -> None:
        self.driver.viewer.search("")
        if self.here.startswith("?"):
            self.here = self.behind.pop()
            self.ahead.clear()

    @rule()
    def back(self) -> None:
        self.driver.viewer.back()
        if self.behind:
            self.ahead.append(self.here)
            self.here = self.behind.pop()

    @rule()
    def forward(self) -> None:
        self.driver.viewer.forward()
        if self.ahead:
            self.behind.append(self.here)
            self.here = self.ahead.pop()

    @invariant()
    def the_view_is_where_the_reader_is(self) -> None:
        view = self.driver.view
        assert (view.can_go_back, view.can_go_forward) == (bool(self.behind), bool(self.ahead))
        assert view.query == (self.here[1:] if self.here.startswith("?") else "")
        if self.here in ("foxes", "bears", "guitars"):
            assert self.driver.visits[-1] == self.here
            assert view.state is GuideState.PAGE


Wandering.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestWandering = Wandering.TestCase
