"""Browsing the taxonomy: the way to a class, its other places, and what a search leaves."""

import pytest

from labeler.app.classes.taxonomy_browser import ALSO_HERE, TaxonomyBrowser, TaxonomyView
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import load_default

BRANCHES = canonical_branches(default_groups(load_default()))
BEAVER, MARMOT, TIGER = "n02363005", "n02361337", "n02129604"
ORGAN, WIND_INSTRUMENT = "n03854065", "n04586932"
RODENT, PLACENTAL = "n02329401", "n01886756"


@pytest.fixture
def browser() -> TaxonomyBrowser:
    return TaxonomyBrowser(lambda: BRANCHES)


def test_it_starts_with_the_whole_taxonomy_and_nothing_selected(browser: TaxonomyBrowser) -> None:
    view = browser.view
    assert view.summary == "1,000 classes"
    assert (view.selected, view.key, view.selected_class, view.also_under) == (None, None, None, ())


def test_showing_a_class_opens_the_way_to_it_and_nothing_else(browser: TaxonomyBrowser) -> None:
    view = browser.show(BEAVER)
    assert view.selected_class == BEAVER
    assert view.selected is not None
    assert view.opened == view.tree.ancestor_rows(view.selected)
    assert view.tree.key(view.opened[-1]) == RODENT
    assert view.also_under == ()


def test_a_node_is_shown_in_the_whole_taxonomy_also_while_a_search_filters_it(
    browser: TaxonomyBrowser,
) -> None:
    browser.filter([BEAVER], show=BEAVER)
    view = browser.show_node(RODENT)
    assert (view.filtered, view.key) == (False, RODENT)


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
    assert (view.key, view.selected_class) == (RODENT, None)
    assert view.opened[-1] == view.selected


def test_what_is_not_in_the_taxonomy_selects_nothing(browser: TaxonomyBrowser) -> None:
    browser.show(BEAVER)
    view: TaxonomyView = browser.show("n99999999")
    assert view.selected is None
    assert not view.filtered


def test_classes_found_before_need_no_other_tree(browser: TaxonomyBrowser) -> None:
    first = browser.filter([BEAVER, TIGER]).tree
    browser.filter([TIGER])
    assert browser.filter([TIGER, BEAVER]).tree is first


def test_a_class_links_to_its_other_places_and_is_listed_there(browser: TaxonomyBrowser) -> None:
    view = browser.show(ORGAN)
    assert [link.wnid for link in view.also_under] == [WIND_INSTRUMENT]
    followed = browser.show_node(WIND_INSTRUMENT)
    assert followed.branch is not None
    assert followed.branch.groups[-1].name == ALSO_HERE
    assert followed.branch.count.endswith(ALSO_HERE)
    assert followed.selected is not None
    in_tree = followed.tree.row(followed.selected).classes
    assert followed.branch.count.startswith(f"{in_tree:,} class")
    assert ORGAN in followed.branch.groups[-1].wnids


def test_a_branch_has_a_mosaic_of_all_its_classes_in_the_groups_of_its_children(
    browser: TaxonomyBrowser,
) -> None:
    for row in range(len(browser.view.tree)):
        view = browser.select(row)
        assert (view.branch is None) == view.tree.is_class(row)
        if view.branch is not None:
            own = [group for group in view.branch.groups if group.name != ALSO_HERE]
            wnids = [wnid for group in own for wnid in group.wnids]
            assert sorted(wnids) == sorted(view.tree.found[row])


def test_a_node_without_a_row_is_shown_by_the_classes_below_it(browser: TaxonomyBrowser) -> None:
    view = browser.show_node(PLACENTAL)
    assert (view.selected, view.key, view.also_under) == (None, None, ())
    assert view.branch is not None
    assert (view.branch.key, view.branch.name) == (PLACENTAL, "placental mammals")
    assert set(view.branch.wnids) == set(BRANCHES.taxonomy.classes_under(PLACENTAL))
    names = {view.tree.row(top).name for top in view.tree.top}
    assert {"Dogs"} < {group.name for group in view.branch.groups} < names


def test_each_node_above_a_class_is_shown_with_that_class(browser: TaxonomyBrowser) -> None:
    taxonomy = BRANCHES.taxonomy
    for node in {n for wnid in taxonomy.class_wnids for n in taxonomy.paths(wnid)[0][:-1]}:
        view = browser.show_node(node)
        below = set(taxonomy.classes_under(node))
        if view.selected is None:
            assert view.branch is not None
            assert set(view.branch.wnids) == below, node
        else:
            shown = set(view.tree.found[view.selected])
            assert shown == below or (view.key == node and shown <= below), node


def test_a_class_to_show_is_added_to_those_found(browser: TaxonomyBrowser) -> None:
    view = browser.filter([BEAVER], show=TIGER)
    assert view.tree.classes == {BEAVER, TIGER}
    assert view.selected_class == TIGER


def test_a_reset_shows_the_superclasses_and_selects_nothing(browser: TaxonomyBrowser) -> None:
    browser.filter([BEAVER], show=BEAVER)
    view = browser.reset()
    assert (view.selected, view.filtered, view.opened) == (None, False, ())
    assert len(view.tree.classes) == 1000
