"""Actions made from the keymap: one place where keys, titles and tooltips meet."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Binding, Keymap, Scope

Handlers = Mapping[Action, Callable[[], object]]


def bind(
    widget: QWidget, keymap: Keymap, scope: Scope, handlers: Handlers
) -> dict[Action, QAction]:
    """Make the scope's keys work in the widget and everything inside it."""
    bindings = keymap.of(scope)
    assert {binding.action for binding in bindings} == set(handlers), "every action is handled"
    return {b.action: _action(widget, b, handlers[b.action]) for b in bindings}


def tooltip(binding: Binding) -> str:
    """An action's title with its first key, for whoever points at its button."""
    return f"{binding.title} ({' '.join(binding.keys[0].caps)})"


def _action(widget: QWidget, binding: Binding, handler: Callable[[], object]) -> QAction:
    action = QAction(binding.title, widget)
    action.setShortcuts([QKeySequence(str(key)) for key in binding.keys])
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _checked=False: handler())
    widget.addAction(action)
    return action
