"""The class browser: what is typed, stepped to or followed brings the right class into focus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.classes.browser import ClassBrowser
from labeler.app.classes.class_view import ClassListRow
from labeler.app.classes.result_rows import BranchListRow
from labeler.core.classes.look_alike_ranking import LookAlikeEvidence
from labeler.core.classes.taxonomy import load_default

BEAVER, MARMOT, HAMSTER = "n02363005", "n02361337", "n02342885"
SHARED = ClassBrowser(taxonomy=load_default())


@pytest.fixture
def browser() -> ClassBrowser:
    evidence = LookAlikeEvidence(guide_pairs={(MARMOT, BEAVER)})
    return ClassBrowser(taxonomy=load_default(), evidence=evidence)


def test_nothing_typed_lists_all_classes_with_relatives_side_by_side(browser: ClassBrowser) -> None:
    names = [row.name for row in browser.search("  ").rows]
    assert len(names) == 1000
    assert abs(names.index("Norfolk terrier") - names.index("Norwich terrier")) == 1


def test_it_starts_at_the_first_class_that_has_reference_images(browser: ClassBrowser) -> None:
    view = browser.start({BEAVER, "n02129604"})
    assert view.wnid in {BEAVER, "n02129604"}
    earlier = view.rows[: view.selected]
    assert not {row.wnid for row in earlier} & {BEAVER, "n02129604"}


def test_without_any_reference_images_it_starts_at_the_first_class(browser: ClassBrowser) -> None:
    assert browser.start(()).selected == 0


def test_what_matched_is_marked_in_the_name(browser: ClassBrowser) -> None:
    row = next(row for row in browser.search("stork").rows if isinstance(row, ClassListRow))
    assert "stork" in row.name
    assert [row.name[s.start : s.end] for s in row.name_spans] == ["stork"]


def test_what_matched_is_marked_in_the_other_names(browser: ClassBrowser) -> None:
    row = browser.search("ciconia nigra").rows[0]
    assert isinstance(row, ClassListRow)
    assert row.name == "black stork"
    marked = [row.note[s.start : s.end] for s in row.note_spans]
    assert "".join(marked).replace(" ", "") == "Ciconianigra"


def test_a_gloss_that_matched_is_in_the_note(browser: ClassBrowser) -> None:
    rows = browser.search("webbed hind feet").rows
    beaver = next(row for row in rows if row.wnid == BEAVER)
    assert "webbed" in {beaver.note[s.start : s.end] for s in beaver.note_spans}


def test_the_path_leaves_out_what_nearly_everything_is(browser: ClassBrowser) -> None:
    details = browser.search("beaver").details
    assert details is not None
    path = [node.name for node in details.path_nodes[0]]
    assert (path[0], path[-1]) == ("mammals", "rodents")


def test_siblings_are_classes_and_the_guides_pairs_are_look_alikes(browser: ClassBrowser) -> None:
    details = browser.search("beaver").details
    assert details is not None
    assert [link.name for link in details.siblings] == ["hamster", "porcupine", "marmot"]
    assert browser.look_alikes(details.wnid)[0].wnid == MARMOT


def test_a_sibling_that_the_guide_is_silent_on_is_listed_once(browser: ClassBrowser) -> None:
    details = browser.search("beaver").details
    assert details is not None
    assert HAMSTER not in {link.wnid for link in browser.look_alikes(details.wnid)}


def test_nothing_found_leaves_no_class_in_focus(browser: ClassBrowser) -> None:
    view = browser.search("qqqqzzzz")
    assert (len(view.rows), view.selected, view.details) == (0, None, None)
    assert browser.move(1).details is None
    assert browser.neighbours(2) == ()


def test_clearing_the_search_keeps_the_class_in_focus_among_its_relatives(
    browser: ClassBrowser,
) -> None:
    browser.search("beaver")
    view = browser.search("")
    assert (view.query, view.wnid, len(view.rows)) == ("", BEAVER, 1000)


def test_a_link_keeps_the_list_where_the_class_is_in_it(browser: ClassBrowser) -> None:
    browser.search("terrier")
    target = browser.view.rows[5].wnid
    view = browser.go_to(target)
    assert (view.query, view.selected, view.wnid) == ("terrier", 5, target)


def test_a_link_out_of_the_list_leads_among_all_classes_and_back_returns(
    browser: ClassBrowser,
) -> None:
    browser.search("beaver")
    view = browser.go_to(HAMSTER)
    assert (view.query, view.wnid, len(view.rows)) == ("", HAMSTER, 1000)
    back = browser.back()
    assert (back.query, back.wnid) == ("beaver", BEAVER)
    assert browser.back() == back


@given(st.lists(st.integers(-60, 60), max_size=8))
def test_moving_stays_within_the_list(steps: list[int]) -> None:
    view = SHARED.search("terrier")
    rows, place = view.rows, view.selected or 0
    for step in steps:
        place = max(0, min(place + step, len(rows) - 1))
        view = SHARED.move(step)
        assert view.selected == place
        row = rows[place]
        assert view.wnid == (row.wnid if isinstance(row, ClassListRow) else None)


@given(row=st.integers(0, 40), reach=st.integers(0, 4))
def test_neighbours_are_the_nearest_rows_and_never_the_selected_one(row: int, reach: int) -> None:
    SHARED.search("terrier")
    view = SHARED.select(row)
    assert view.selected is not None
    found = SHARED.neighbours(reach)
    near = range(max(0, view.selected - reach), min(len(view.rows), view.selected + reach + 1))
    rows = [view.rows[n] for n in near]
    assert set(found) == {row.wnid for row in rows if isinstance(row, ClassListRow)} - {view.wnid}


def test_after_a_reset_no_class_is_in_focus(browser: ClassBrowser) -> None:
    browser.search("beaver")
    view = browser.reset()
    assert (view.query, view.selected, view.wnid, len(view.rows)) == ("", None, None, 1000)
    assert browser.search("").wnid is None
    assert browser.back().wnid is None


def test_a_reset_to_what_was_typed_finds_it_again(browser: ClassBrowser) -> None:
    assert browser.reset("beaver").wnid == BEAVER


def test_from_nowhere_the_first_step_leads_to_the_first_class(browser: ClassBrowser) -> None:
    browser.reset()
    assert browser.move(1).selected == 0


def test_siblings_follow_one_another_round_and_round(browser: ClassBrowser) -> None:
    start = browser.search("Norfolk terrier").wnid
    met = [start]
    while (following := browser.sibling(1).wnid) != start:
        met.append(following)
    taxonomy = load_default()
    assert start is not None
    assert set(met) == {start, *filter(taxonomy.is_class, taxonomy.siblings(start))}
    assert browser.sibling(-1).wnid == met[-1]


def test_without_a_class_in_focus_there_is_no_sibling(browser: ClassBrowser) -> None:
    browser.reset()
    assert browser.sibling(1).wnid is None


def test_the_first_class_is_selected_although_a_branch_is_above_it(browser: ClassBrowser) -> None:
    view = browser.search("rodent")
    assert isinstance(view.rows[0], BranchListRow)
    assert view.wnid is not None
    assert browser.open_branch() is None, "a class is selected"


def test_a_branch_lists_its_classes_and_closes_where_it_was(browser: ClassBrowser) -> None:
    browser.search("rodent")
    found = browser.select(0)
    assert (found.wnid, found.selected) == (None, 0)
    opened = browser.open_branch()
    assert opened is not None
    assert opened.branch is not None
    assert len(opened.rows) == opened.classes == opened.branch.classes == 6
    assert opened.wnid == opened.rows[0].wnid
    closed = browser.close_branch()
    assert (closed.branch, closed.selected, closed.wnid) == (None, 0, None)


def test_found_classes_do_not_include_branches(browser: ClassBrowser) -> None:
    found = browser.find("rodent")
    assert found
    assert all(map(load_default().is_class, found))


def test_siblings_keep_the_query(browser: ClassBrowser) -> None:
    found = browser.search("beaver")
    here = found.wnid
    sibling = browser.sibling(1)
    assert sibling.query == "beaver"
    assert sibling.rows is found.rows
    assert sibling.wnid not in (None, here)
    assert sibling.selected is None
    assert browser.sibling(-1).wnid == here
    assert browser.back().query == "beaver"


def test_an_everyday_name_is_shown_where_it_matched(browser: ClassBrowser) -> None:
    row = browser.search("tower crane").rows[0]
    assert isinstance(row, ClassListRow)
    (span,) = row.note_spans[:1]
    assert row.note[span.start :].startswith("tower crane")
