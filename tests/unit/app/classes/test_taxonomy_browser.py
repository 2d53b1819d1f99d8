"""Browsing the taxonomy: the way to a class, its several places, and what a search leaves."""

import pytest

from labeler.app.classes.taxonomy_browser import TaxonomyBrowser, TaxonomyView
from labeler.core.classes.taxonomy import load_default

BEAVER, MARMOT, TIGER, CHIHUAHUA = "n02363005", "n02361337", "n02129604", "n02085620"
LEMON = "n07749582"
RODENT, LIVING_THING = "n02329401", "n00004258"


@pytest.fixture
def browser() -> TaxonomyBrowser:
    return TaxonomyBrowser(load_default())


def test_it_starts_with_the_whole_taxonomy_and_nothing_selected(browser: TaxonomyBrowser) -> None:
    view = browser.view
    assert view.summary == "1,000 classes"
    assert (view.selected, view.wnid, view.selected_class, view.place) == (None, None, None, "")


def test_showing_a_class_opens_the_way_to_it_and_nothing_else(browser: TaxonomyBrowser) -> None:
    view = browser.show(BEAVER)
    assert view.selected_class == BEAVER
    assert view.selected is not None
    assert view.opened == view.tree.ancestor_rows(view.selected)
    assert view.tree.wnid(view.opened[-1]) == RODENT
    assert view.place == ""


def test_a_class_with_several_places_is_shown_in_the_first_and_then_in_each(
    browser: TaxonomyBrowser,
) -> None:
    first = browser.show(CHIHUAHUA)
    assert first.place == "place 1 of 2"
    second = browser.next_place()
    assert second.place == "place 2 of 2"
    assert second.selected_class == CHIHUAHUA
    assert second.opened != first.opened
    assert browser.next_place() == first


def test_places_are_counted_from_the_top_of_the_tree(browser: TaxonomyBrowser) -> None:
    view = browser.filter([LEMON], show=LEMON)
    rows = [row for row in range(len(view.tree)) if view.tree.wnid(row) == LEMON]
    assert len(rows) == 2
    for number, row in enumerate(rows, start=1):
        assert browser.select(row).place == f"place {number} of 2"


def test_two_places_below_the_same_row_are_known_as_twins(browser: TaxonomyBrowser) -> None:
    tree = browser.filter([LEMON]).tree
    assert [tree.row(row).has_twin for row in tree.rows_of(LEMON)] == [True, True]
    tree = browser.filter([BEAVER]).tree
    assert [tree.row(row).has_twin for row in tree.rows_of(BEAVER)] == [False]


def test_a_node_is_shown_in_the_whole_taxonomy_also_while_a_search_filters_it(
    browser: TaxonomyBrowser,
) -> None:
    browser.filter([BEAVER], show=BEAVER)
    view = browser.show_node(RODENT)
    assert (view.filtered, view.wnid) == (False, RODENT)


def test_without_a_selection_there_is_no_next_place(browser: TaxonomyBrowser) -> None:
    assert browser.next_place().selected is None


def test_a_person_who_went_to_the_second_place_stays_there(browser: TaxonomyBrowser) -> None:
    second = browser.select(browser.show(CHIHUAHUA).places[1])
    assert browser.show(CHIHUAHUA) is second


def test_found_classes_leave_only_their_ways(browser: TaxonomyBrowser) -> None:
    view = browser.filter([BEAVER, MARMOT], show=MARMOT)
    assert view.filtered
    assert view.tree.classes == {BEAVER, MARMOT}
    assert view.summary == "2 classes"
    assert view.selected_class == MARMOT


def test_a_search_keeps_the_selected_class_where_it_is_among_those_found(
    browser: TaxonomyBrowser,
) -> None:
    browser.show(BEAVER)
    assert browser.filter([BEAVER, TIGER]).selected_class == BEAVER
    assert browser.filter([TIGER]).selected is None
    assert browser.filter([TIGER]).summary == "1 class"
    assert browser.filter([]).summary == "No class found"


def test_the_same_classes_found_again_are_the_same_tree(browser: TaxonomyBrowser) -> None:
    tree = browser.filter([BEAVER, TIGER], show=BEAVER).tree
    again = browser.filter([TIGER, BEAVER], show=TIGER)
    assert again.tree is tree
    assert again.selected_class == TIGER


def test_the_whole_taxonomy_returns_when_the_search_is_cleared(browser: TaxonomyBrowser) -> None:
    whole = browser.view.tree
    browser.filter([BEAVER], show=BEAVER)
    view = browser.filter(None)
    assert view.tree is whole
    assert view.selected_class == BEAVER


def test_a_class_that_wasnt_found_brings_the_whole_taxonomy_back(browser: TaxonomyBrowser) -> None:
    browser.filter([BEAVER], show=BEAVER)
    view = browser.show(TIGER)
    assert not view.filtered
    assert view.selected_class == TIGER
    assert browser.filter([BEAVER]).filtered


def test_a_branch_is_shown_open(browser: TaxonomyBrowser) -> None:
    view = browser.show(RODENT)
    assert (view.wnid, view.selected_class) == (RODENT, None)
    assert view.opened[-1] == view.selected


def test_a_node_folded_into_a_row_is_shown_by_that_row(browser: TaxonomyBrowser) -> None:
    view = browser.show(LIVING_THING)
    assert view.selected is not None
    assert LIVING_THING in view.tree.nodes[view.selected]


def test_what_is_not_in_the_taxonomy_selects_nothing(browser: TaxonomyBrowser) -> None:
    browser.show(BEAVER)
    view: TaxonomyView = browser.show("n99999999")
    assert view.selected is None
    assert not view.filtered


def test_a_view_prepared_ahead_is_the_same(browser: TaxonomyBrowser) -> None:
    browser.prepare()
    assert len(browser.view.tree) == len(TaxonomyBrowser(load_default()).view.tree)


def test_a_reset_opens_what_holds_most_classes_and_selects_nothing() -> None:
    browser = TaxonomyBrowser(load_default())
    browser.filter(["n02363005"], show="n02363005")
    view = browser.reset()
    assert (view.selected, view.filtered, len(view.tree.classes)) == (None, False, 1000)
    names = [view.tree.row(row).name for row in view.opened]
    assert names == ["entity", "physical entity", "object", "whole"]


def test_classes_found_before_need_no_other_tree(browser: TaxonomyBrowser) -> None:
    first = browser.filter([BEAVER, TIGER]).tree
    browser.filter([TIGER])
    assert browser.filter([TIGER, BEAVER]).tree is first
