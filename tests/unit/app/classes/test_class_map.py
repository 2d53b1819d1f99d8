"""The class map: where it opens, how the cursor moves, what typing finds, and that it is blind."""

import inspect
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.classes.class_map import ClassMap, Direction, MapStop
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.groups import default_groups
from labeler.core.classes.map_layout import MapLayout, fitting_tile, map_metrics
from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import load_default

IMAGENET = load_default()
BRANCHES = canonical_branches(default_groups(IMAGENET))
SEARCH = ClassSearch(IMAGENET)
OTTER, BADGER, LEMON, FRUIT = "n02444819", "n02447366", "n07749582", "n07705931"


def made() -> ClassMap:
    return ClassMap(BRANCHES, find=lambda text: [hit.wnid for hit in SEARCH.search(text, limit=50)])


MAP = made()


@pytest.fixture
def class_map() -> ClassMap:
    return made()


def wnid_at(class_map: ClassMap) -> str:
    cursor = class_map.view.cursor
    assert cursor is not None
    return class_map.arrangement.wnids[cursor]


def test_every_class_has_one_place(class_map: ClassMap) -> None:
    assert sorted(class_map.arrangement.wnids) == list(IMAGENET.class_wnids)
    assert made().arrangement.wnids == class_map.arrangement.wnids


@given(st.integers(1, 400), st.booleans())
def test_nothing_overlaps_at_any_zoom(tile: int, titles: bool) -> None:
    layout = MapLayout(MAP.arrangement, map_metrics(tile, titles=titles))
    frames = list(layout.frames.values())
    for rects in (layout.blocks, frames):
        for number, one in enumerate(rects):
            assert not any(one.meets(other) for other in rects[number + 1 :])
    for block, rect in zip(MAP.arrangement.blocks, layout.blocks, strict=True):
        frame = layout.frames[block.superclass]
        assert frame.x <= rect.x
        assert rect.x + rect.width <= frame.x + frame.width
        assert frame.y <= rect.y
        assert rect.y + rect.height <= frame.y + frame.height
    assert all(frame.x + frame.width <= layout.width for frame in frames)


@given(st.integers(0, 999), st.integers(4, 300))
def test_a_class_is_found_where_it_is_drawn(position: int, tile: int) -> None:
    layout = MapLayout(MAP.arrangement, map_metrics(tile))
    rect = layout.tile(position)
    assert layout.class_at(rect.x + rect.width / 2, rect.y + rect.height / 2) == position
    number = MAP.arrangement.block_of(position)
    assert position in set(layout.tiles_in(number, rect))


def test_the_whole_map_fits_the_view(class_map: ClassMap) -> None:
    for size in ((1008, 676), (1640, 950)):
        tile = fitting_tile(class_map.arrangement, size, text=15, titles=True)
        layout = MapLayout(class_map.arrangement, map_metrics(tile))
        assert layout.width <= size[0]
        assert layout.height <= size[1]
        assert tile >= 16


def test_long_names_get_several_lines_and_nothing_overlaps() -> None:
    tile, text = 14, 15
    plain = MapLayout(MAP.arrangement, map_metrics(tile, text=text), fill=(960, 0))
    layout = MapLayout(
        MAP.arrangement,
        map_metrics(tile, text=text),
        fill=(960, 0),
        lines=lambda number, _width: 1 + number % 2,
        heads=lambda superclass, _width: 2 if superclass == 0 else 1,
    )
    first, second = 0, 1
    assert layout.title_height(second) == 2 * layout.title_height(first)
    assert layout.head_height(0) > plain.head_height(0)
    assert layout.height > plain.height
    for number, one in enumerate(layout.blocks):
        assert not any(one.meets(other) for other in layout.blocks[number + 1 :])
        position = MAP.arrangement.blocks[number].first
        rect = layout.tile(position)
        assert rect.y == one.y + layout.title_height(number)
        assert layout.class_at(rect.x + 1, rect.y + 1) == position


def test_it_opens_at_the_class_the_person_was_looking_at(class_map: ClassMap) -> None:
    view = class_map.open(LEMON)
    assert view.stop is MapStop.CLASSES
    assert wnid_at(class_map) == LEMON


def test_it_opens_at_the_branch_the_person_was_looking_at(class_map: ClassMap) -> None:
    view = class_map.open(FRUIT)
    assert view.stop is MapStop.FAMILIES
    assert IMAGENET.is_under(wnid_at(class_map), FRUIT)
    selected = class_map.selection()
    assert selected is not None
    assert LEMON in selected.wnids


def test_it_opens_as_a_whole_if_the_person_looked_at_nothing(class_map: ClassMap) -> None:
    for nothing in (None, "n99999999"):
        view = class_map.open(nothing)
        assert (view.stop, view.cursor, view.found) == (MapStop.FAMILIES, None, None)
        assert class_map.selection() is None


def test_the_map_knows_nothing_about_an_image() -> None:
    """Opening takes a class or branch and nothing else; equal places give equal maps."""
    assert list(inspect.signature(ClassMap.open).parameters) == ["self", "at"]
    one, other = made(), made()
    one.search("dog")
    one.go_to_best()
    assert one.open(OTTER) == other.open(OTTER)
    assert one.path() == other.path()


def test_typing_finds_classes_and_families(class_map: ClassMap) -> None:
    view = class_map.search("otter")
    assert view.best == class_map.arrangement.index_of[OTTER]
    found = class_map.search("weasels").found
    assert found is not None
    assert class_map.arrangement.index_of[BADGER] in found
    assert class_map.search("zzzzqqqq").found == ()
    assert class_map.search(" ").found is None


def test_enter_zooms_to_the_best_match(class_map: ClassMap) -> None:
    class_map.open(None)
    class_map.search("otter")
    view = class_map.go_to_best()
    assert (wnid_at(class_map), view.stop) == (OTTER, MapStop.CLASSES)


def test_matches_are_walked_through_in_a_circle(class_map: ClassMap) -> None:
    class_map.open(None)
    found = class_map.search("terrier").found
    assert found
    seen = [class_map.next_match(1).cursor for _ in found]
    assert tuple(seen) == found
    assert class_map.next_match(1).cursor == found[0]
    assert class_map.next_match(-1).cursor == found[-1]
    selected = class_map.selection()
    assert selected is not None
    assert selected.is_class


def test_zoom_stops_end_at_both_ends(class_map: ClassMap) -> None:
    class_map.open(None)
    assert class_map.zoom(-9).stop is MapStop.SUPERCLASSES
    stops = [class_map.view.stop, *(class_map.zoom(1).stop for _ in range(4))]
    assert stops == [*MapStop, MapStop.REFERENCES]


def test_the_selection_follows_the_zoom(class_map: ClassMap) -> None:
    class_map.open(OTTER)
    sizes = []
    for stop in MapStop:
        class_map.zoom_to(stop)
        selected = class_map.selection()
        assert selected is not None
        assert OTTER in selected.wnids
        sizes.append(len(selected.wnids))
    assert sizes[2:] == [1, 1]
    assert sizes[0] > sizes[1] > sizes[2]


@pytest.mark.parametrize("stop", list(MapStop))
def test_the_arrow_keys_reach_everything(class_map: ClassMap, stop: MapStop) -> None:
    reached: set[int] = set()
    pending = [0]
    while pending:
        position = pending.pop()
        if position in reached:
            continue
        reached.add(position)
        for direction in Direction:
            class_map.zoom_to(stop)
            class_map.point(position)
            following = class_map.move(direction).cursor
            assert following is not None
            pending.append(following)
    blocks = class_map.arrangement.blocks
    wanted = {
        MapStop.SUPERCLASSES: {blocks.index(b) for b in blocks if b.family == 0},
        MapStop.FAMILIES: set(range(len(blocks))),
    }
    if stop in wanted:
        assert {class_map.arrangement.block_of(p) for p in reached} >= wanted[stop]
    else:
        assert len(reached) == len(class_map.arrangement.wnids)


def test_right_and_left_are_neighbours_in_a_row(class_map: ClassMap) -> None:
    class_map.zoom_to(MapStop.CLASSES)
    class_map.point(0)
    row = [0, *(class_map.move(Direction.RIGHT).cursor for _ in range(3))]
    assert all(a is not None and b == a + 1 for a, b in pairwise(row))
    assert class_map.move(Direction.LEFT).cursor == row[-2]


@given(st.integers(4, 40), st.integers(600, 2000), st.integers(400, 1400))
def test_a_layout_fills_a_larger_room_and_names_stay_in_their_frame(
    tile: int, width: int, height: int
) -> None:
    metrics = map_metrics(tile)
    plain = MapLayout(MAP.arrangement, metrics)
    filled = MapLayout(MAP.arrangement, metrics, fill=(width, height))
    assert filled.width == max(plain.width, width)
    # A band of pixels may be left over, as both bands grow alike.
    assert max(plain.height, height) - filled.height in (0, 1)
    for number, block in enumerate(MAP.arrangement.blocks):
        frame, place = filled.frames[block.superclass], filled.blocks[number]
        assert place.x + filled.title_widths[number] <= frame.x + frame.width


def test_siblings_are_the_classes_of_the_family(class_map: ClassMap) -> None:
    class_map.go_to(OTTER)
    family = class_map.arrangement.blocks[class_map.arrangement.block_of(class_map.view.cursor)]
    seen = []
    for _step in range(family.count):
        class_map.sibling(1)
        seen.append(wnid_at(class_map))
    assert seen[-1] == OTTER
    assert BADGER in seen
    assert len(set(seen)) == family.count


def test_the_best_match_is_ahead_until_the_cursor_is_on_a_match(class_map: ClassMap) -> None:
    class_map.search("lemon")
    ahead = class_map.match_ahead()
    assert ahead is not None
    assert ahead.wnids == (LEMON,)
    class_map.go_to_best()
    assert class_map.match_ahead() is None
