"""The docks of the workbench: their first arrangement, and how it is saved and restored."""

import json
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QVBoxLayout, QWidget

from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.window.idle_queue import IdleQueue


@dataclass(frozen=True, slots=True)
class DockArrangement:
    """Qt's dock state, and each dock's share of the window's width and height.

    Qt stores sizes in pixels, so docks arranged in a small window would stay small in a large one.
    """

    state: QByteArray
    shares: dict[str, tuple[float, float]]

    def written(self) -> QByteArray:
        return QByteArray(json.dumps(self.shares).encode() + b"\n" + bytes(self.state.data()))


def read_arrangement(kept: QByteArray) -> DockArrangement | None:
    """Parse a saved arrangement; return None if it is invalid."""
    text, _newline, state = bytes(kept.data()).partition(b"\n")
    try:
        document: Any = json.loads(text)
        shares = {str(name): (float(w), float(h)) for name, (w, h) in document.items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return DockArrangement(QByteArray(state), shares)


# The version of the arrangement; one saved for other docks is not restored.
_VERSION = 1
# From this width on, the guide is next to the class.
_WIDE_WINDOW = 1700
# The minimum width of the finder, reserved so that nothing moves when it is added.
_FINDER_WIDTH = 372
# A narrower tree could not show names.
_TAXONOMY_WIDTH = 200


class WorkbenchDocks(QObject):
    """Places the class tools in docks, and opens them on demand."""

    def __init__(self, host: QMainWindow, tools: ClassTools) -> None:
        super().__init__(host)
        self._host = host
        self._tools = tools
        # The contents take a while to build, so the first image is shown before them.
        self.find = self._dock("find", "Find a class")
        self.find.widget().setMinimumWidth(_FINDER_WIDTH)
        self.a_class = self._dock("class", "Class")
        self.taxonomy = self._dock("taxonomy", "Taxonomy", closable=True)
        self.taxonomy.widget().setMinimumWidth(_TAXONOMY_WIDTH)
        self.guide = self._dock("guide", "Guide", closable=True)
        # The class at which the guide was opened last, while it is open.
        self._guided: str | None = None
        self._filling = IdleQueue(self._begin_search, self._dock_class_view, parent=self)
        self._filling.finished.connect(tools.activate)
        host.setDockNestingEnabled(True)
        host.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks
        )
        host.setTabPosition(Qt.DockWidgetArea.RightDockWidgetArea, QTabWidget.TabPosition.North)
        for dock in self._all:
            dock.visibilityChanged.connect(self._title_what_has_no_tab)
            dock.dockLocationChanged.connect(self._title_what_has_no_tab)
        tools.tools_activated.connect(self._fill)
        tools.search_wanted.connect(self._put_finder)
        tools.taxonomy_wanted.connect(self._show_taxonomy)
        tools.class_view_wanted.connect(self._show_class)
        tools.guide_wanted.connect(self._show_guide)
        tools.guide_toggled.connect(self._toggle_guide)
        host.tabifiedDockWidgetActivated.connect(self._follow_tab)

    @property
    def _all(self) -> tuple[QDockWidget, ...]:
        return self.find, self.taxonomy, self.a_class, self.guide

    def fill(self) -> None:
        """Build the contents of the docks, now that the image is shown."""
        self._filling.start()

    def stop(self) -> None:
        """Stop building contents."""
        self._filling.stop()

    def cover(self, covered: bool) -> None:
        """Hide or show the contents of the docks; the docks stay in place."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for dock in self._all:
            for part in dock.widget().findChildren(QWidget, options=direct):
                kept = part.sizePolicy()
                kept.setRetainSizeWhenHidden(True)
                part.setSizePolicy(kept)
                part.setHidden(covered)

    def arrange(self, saved: QByteArray | None) -> None:
        """Restore this person's arrangement, or use the default one."""
        kept = None if saved is None else read_arrangement(saved)
        if kept is None or not self._host.restoreState(kept.state, _VERSION):
            self._arrange_first(self._host.size())
        else:
            self._share_out(kept.shares)

    def saved(self) -> QByteArray:
        room = self._host.size()
        shares = {
            dock.objectName(): (dock.width() / room.width(), dock.height() / room.height())
            for dock in self._all
            if not dock.isHidden() and not self._is_hidden_by_tab(dock)
        }
        return DockArrangement(self._host.saveState(_VERSION), shares).written()

    def _share_out(self, shares: dict[str, tuple[float, float]]) -> None:
        docks, room = [dock for dock in self._all if dock.objectName() in shares], self._host.size()
        wide = [round(shares[dock.objectName()][0] * room.width()) for dock in docks]
        high = [round(shares[dock.objectName()][1] * room.height()) for dock in docks]
        self._host.resizeDocks(docks, wide, Qt.Orientation.Horizontal)
        self._host.resizeDocks(docks, high, Qt.Orientation.Vertical)

    def _is_hidden_by_tab(self, dock: QDockWidget) -> bool:
        """Return whether the dock is behind another tab, where it keeps its former size."""
        return any(other.height() > dock.height() for other in self._neighbours(dock))

    def _arrange_first(self, room: QSize) -> None:
        host, right = self._host, Qt.DockWidgetArea.RightDockWidgetArea
        host.addDockWidget(right, self.find)
        host.splitDockWidget(self.find, self.a_class, Qt.Orientation.Vertical)
        host.splitDockWidget(self.find, self.taxonomy, Qt.Orientation.Horizontal)
        if room.width() >= _WIDE_WINDOW:
            host.splitDockWidget(self.a_class, self.guide, Qt.Orientation.Horizontal)
        else:
            host.tabifyDockWidget(self.a_class, self.guide)
        self.guide.hide()
        across, upright = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        half, low = room.width() * 47 // 100, room.height() * 2 // 5
        host.resizeDocks([self.find, self.taxonomy], [half * 3 // 5, half * 2 // 5], across)
        host.resizeDocks([self.find, self.a_class], [low, room.height() - low], upright)

    def _dock(self, name: str, title: str, *, closable: bool = False) -> QDockWidget:
        dock = QDockWidget(title, self._host)
        dock.setObjectName(name)
        features = QDockWidget.DockWidgetFeature.DockWidgetMovable
        if closable:
            features |= QDockWidget.DockWidgetFeature.DockWidgetClosable
        dock.setFeatures(features)
        dock.setWidget(QWidget())
        return dock

    def _begin_search(self) -> None:
        """Add the search field, and focus it unless the person has moved the focus."""
        self._put_finder()
        if self._host.hasFocus():
            self._tools.focus_search()

    def _put_finder(self) -> None:
        _put(self.find, self._tools.finder)

    def _dock_class_view(self) -> None:
        _put(self.a_class, self._tools.class_view.widget)

    def _fill(self) -> None:
        """Build the missing contents of open docks, and reopen the guide if it was open."""
        self._put_finder()
        self._dock_class_view()
        _put(self.taxonomy, self._tools.taxonomy)
        if not self.guide.isHidden():
            self._tools.open_guide()

    def _show_taxonomy(self) -> None:
        _put(self.taxonomy, self._tools.taxonomy)
        self.taxonomy.show()
        self.taxonomy.raise_()
        self._tools.taxonomy.setFocus()

    def _show_class(self) -> None:
        self._dock_class_view()
        self.a_class.raise_()

    def _show_guide(self) -> None:
        _put(self.guide, self._tools.guide)
        self._guided = self._tools.browser.view.wnid
        self.guide.show()
        self.guide.raise_()
        self._tools.guide.setFocus()

    def _follow_tab(self, dock: QDockWidget) -> None:
        """Show the class in the guide when its tab is clicked, unless a page of it is open."""
        in_focus = self._tools.browser.view.wnid if self._tools.is_activated else None
        if dock is self.guide and in_focus not in (None, self._guided):
            self._tools.open_guide()

    def _toggle_guide(self) -> None:
        """Open the guide at the class, or close it if it is open there."""
        if self.guide.isVisible() and not self.guide.visibleRegion().isEmpty():
            self.guide.hide()
            self._tools.focus_search()
        else:
            self._tools.open_guide()

    def _title_what_has_no_tab(self) -> None:
        """Hide the title of docks in tabs, because the tab shows it already."""
        for dock in self._all:
            tabbed = any(d.isVisible() or not d.isHidden() for d in self._neighbours(dock))
            if tabbed and dock.titleBarWidget() is None:
                dock.setTitleBarWidget(QWidget())
            elif not tabbed and dock.titleBarWidget() is not None:
                dock.setTitleBarWidget(None)  # type: ignore[arg-type]  # which brings Qt's own back

    def _neighbours(self, dock: QDockWidget) -> list[QDockWidget]:
        return self._host.tabifiedDockWidgets(dock)


def _put(dock: QDockWidget, widget: QWidget) -> None:
    if not dock.isAncestorOf(widget):
        dock.setWidget(_with_margins(widget))


def _with_margins(widget: QWidget) -> QWidget:
    framed = QWidget()
    column = QVBoxLayout(framed)
    column.setContentsMargins(8, 8, 8, 8)
    column.addWidget(widget)
    return framed
