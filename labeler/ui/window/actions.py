"""Makes Qt actions from the keymap."""

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Binding, Keymap, Scope

Handlers = Mapping[Action, Callable[[], object]]


def bind_scope(
    widget: QWidget, keymap: Keymap, scope: Scope, handlers: Handlers
) -> dict[Action, QAction]:
    """Make the keys of a scope work in the widget and its children."""
    bindings = keymap.of(scope)
    assert {binding.action for binding in bindings} == set(handlers), "every action is handled"
    return {b.action: bind_action(widget, b, handlers[b.action]) for b in bindings}


def bind_action(widget: QWidget, binding: Binding, handler: Callable[[], object]) -> QAction:
    """Make the keys of a single action work in the widget and its children."""
    action = QAction(binding.title, widget)
    action.setData(binding.action)
    action.setShortcuts(_sequences(binding))
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _checked=False: handler())
    widget.addAction(action)
    return action


def update_shortcuts(root: QWidget, keymap: Keymap) -> None:
    """Update the shortcuts of all actions below the widget to the keymap."""
    for action in root.findChildren(QAction):
        # Qt returns the enum as plain text; other actions may carry other data.
        if isinstance(action.data(), str) and action.data() in set(Action):
            action.setShortcuts(_sequences(keymap[Action(action.data())]))
    for follower in root.findChildren(QWidget):
        if isinstance(follower, KeymapFollower):
            follower.follow_keymap(keymap)


def trigger_action(root: QWidget, wanted: Action) -> None:
    """Trigger the action if a visible widget has it."""
    for action in root.findChildren(QAction):
        bound = action.parent()
        if action.data() == wanted and isinstance(bound, QWidget) and bound.isVisible():
            action.trigger()
            return


def bound_actions(root: QWidget) -> tuple[set[Action], set[Action]]:
    """Return the actions that have keys below the widget, and those hidden from the person."""
    open_here: set[Action] = set()
    closed: set[Action] = set()
    for action in root.findChildren(QAction):
        if isinstance(action.data(), str) and action.data() in set(Action):
            (open_here if action.isVisible() else closed).add(Action(action.data()))
    return open_here, closed - open_here


@runtime_checkable
class KeymapFollower(Protocol):
    """A widget that depends on the keymap, for example because it shows keys."""

    def follow_keymap(self, keymap: Keymap) -> None: ...


def action_tooltip(binding: Binding) -> str:
    """Return the title with its first key, for the tooltip of a button."""
    return f"{binding.title} ({' '.join(binding.keys[0].caps)})"


def _sequences(binding: Binding) -> list[QKeySequence]:
    return [QKeySequence(str(key)) for key in binding.keys]
