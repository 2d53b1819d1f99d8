"""Connects the keys and signals of the class tools."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.classes.class_finder import ClassFinder
from labeler.ui.classes.class_view_panel import ClassViewPanel
from labeler.ui.classes.class_view_stack import ClassViewMode
from labeler.ui.classes.taxonomy.panel import TaxonomyPanel
from labeler.ui.guide.guide_panel import GuidePanel
from labeler.ui.window.actions import Handlers, bind_scope

if TYPE_CHECKING:  # class_tools imports this module
    from labeler.ui.classes.class_tools import ClassTools


def bind_class_keys(tools: "ClassTools", screen: QWidget, keymap: Keymap) -> None:
    """Bind the keys that work anywhere on the screen."""
    bind_scope(screen, keymap, Scope.LOOKING, _class_view_keys(tools))
    tools.map_wanted.connect(lambda: tools.show_map(screen))
    bind_scope(screen, keymap, Scope.TILES, _tile_keys(tools, keymap))


def wire_finder(tools: "ClassTools", finder: ClassFinder, keymap: Keymap) -> None:
    finder.typed.connect(tools.search)
    finder.row_chosen.connect(tools.click_row)
    finder.row_activated.connect(tools.choose_row)
    finder.field.clicked.connect(tools.show_results)
    finder.branch_closed.connect(tools.close_branch)
    finder.result_view_changed.connect(tools.remember_result_view)
    finder.moved.connect(tools.move)
    finder.went_right.connect(tools.go_right)
    entering = bind_scope(finder, keymap, Scope.CLASSES, _finder_keys(tools, finder))
    # A key held down must not submit what it has just chosen.
    entering[Action.CHOOSE_CLASS].setAutoRepeat(False)


def wire_class_view(tools: "ClassTools", class_view: ClassViewPanel) -> None:
    class_view.walked.connect(tools.walk)
    class_view.followed.connect(tools.follow)
    class_view.node_wanted.connect(tools.show_node)
    class_view.shortlisted.connect(tools.changed)
    class_view.activated.connect(tools.class_view_wanted)
    class_view.typed.connect(tools.type_on)
    class_view.left.connect(tools.focus_search)
    class_view.chosen.connect(tools.choose)
    class_view.entered.connect(tools.entered.emit)


def wire_taxonomy(tools: "ClassTools", panel: TaxonomyPanel) -> None:
    panel.class_selected.connect(tools.show_from_taxonomy)
    panel.branch_selected.connect(tools.show_branch)
    panel.map_wanted.connect(tools.map_wanted)
    panel.class_entered.connect(tools.entered.emit)
    panel.class_chosen.connect(tools.choose)
    panel.typed.connect(tools.type_on)
    panel.left.connect(tools.leave_taxonomy)


def wire_guide(tools: "ClassTools", guide: GuidePanel) -> None:
    guide.class_wanted.connect(tools.follow)
    guide.typed.connect(tools.type_on)
    guide.left.connect(tools.focus_search)


def _finder_keys(tools: "ClassTools", finder: ClassFinder) -> Handlers:
    return {
        Action.CHOOSE_CLASS: tools.enter,
        Action.NEXT_CLASS: lambda: tools.move(finder.step),
        Action.PREVIOUS_CLASS: lambda: tools.move(-finder.step),
        Action.NEXT_PAGE: lambda: tools.move(finder.page),
        Action.PREVIOUS_PAGE: lambda: tools.move(-finder.page),
        Action.TOGGLE_RESULT_VIEW: finder.toggle_result_view,
        Action.CLEAR_SEARCH: tools.clear_or_leave,
    }


def _class_view_keys(tools: "ClassTools") -> Handlers:
    return {
        Action.FIND_CLASS: partial(_find_class, tools),
        Action.BACK: partial(_after_map, tools, lambda: tools.render_view(tools.browser.back())),
        Action.NEXT_SIBLING: partial(_go_to_sibling, tools, 1),
        Action.PREVIOUS_SIBLING: partial(_go_to_sibling, tools, -1),
        Action.TO_REFERENCES: partial(_after_map, tools, partial(_go_to_references, tools)),
        Action.TO_TAXONOMY: partial(_after_map, tools, tools.go_to_taxonomy),
        Action.SHOW_NEIGHBOURHOOD: partial(
            _after_map, tools, lambda: tools.class_view.toggle(ClassViewMode.NEIGHBOURHOOD)
        ),
        Action.SHOW_CLASS_MAP: tools.map_wanted.emit,
        Action.SHORTLIST: partial(_toggle_shortlisted, tools),
        Action.CLEAR_SHORTLIST: partial(_clear_shortlist, tools),
        Action.COMPARE: partial(_after_map, tools, tools.compare),
        Action.SHOW_GUIDE: partial(_after_map, tools, tools.guide_toggled.emit),
    }


def _after_map(tools: "ClassTools", act: Callable[[], None]) -> None:
    """Close the map, which would cover what the key shows, and act on its class."""
    tools.leave_map()
    act()


def _find_class(tools: "ClassTools") -> None:
    opened = tools.open_map
    tools.focus_search() if opened is None else opened.search()


def _go_to_sibling(tools: "ClassTools", steps: int) -> None:
    opened = tools.open_map
    if opened is not None:
        opened.sibling(steps)
    else:
        tools.render_view(tools.browser.sibling(steps))


def _tile_keys(tools: "ClassTools", keymap: Keymap) -> Handlers:
    return {
        binding.action: partial(_size_tiles, tools, binding.action)
        for binding in keymap.of(Scope.TILES)
    }


# Functions, since looking `class_view` up while keys are bound would create it too soon.
def _go_to_references(tools: "ClassTools") -> None:
    tools.class_view.go_to_references()


def _toggle_shortlisted(tools: "ClassTools") -> None:
    opened = tools.open_map
    if opened is None:
        tools.class_view.toggle_shortlisted()
    elif opened.current_class is not None:
        tools.walk(opened.current_class)
        tools.class_view.toggle_shortlisted()


def _clear_shortlist(tools: "ClassTools") -> None:
    tools.class_view.clear_shortlist()


def _size_tiles(tools: "ClassTools", action: Action) -> None:
    tools.class_view.size_keys()[action]()
