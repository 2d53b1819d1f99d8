"""The dialog for adding models: search timm's models, or give your own weights."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QWidget

from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.models.model_finder import ModelFinder
from labeler.core.models.scoring import ModelSpec
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.file_field import FileField, open_file_dialog
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import gap, grow, hbox, stretch, vbox
from labeler.ui.kit.text.error_banner import ErrorBanner, ErrorBannerSpace
from labeler.ui.kit.text.labels import label
from labeler.ui.models.found_models_table import FoundModelsTable
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

_SIZE = (860, 660)
NOTHING_TICKED = (
    "Tick models in the table, with a click on their box or with Space, or type a full name."
)
_OWN = (
    "Optional, for one model: another name, your own weights (.pth or .safetensors), and a file "
    "with the wnid of each output if they aren't in ImageNet's order, or the word "
    "background-first for 1,001 outputs."
)


class AddModelDialog(QDialog):
    """A search field, a table and a short form; closes when the input is valid."""

    wanted = Signal(object)  # a list of ModelSpec

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        finder: ModelFinder,
        parent: QWidget,
        *,
        why_not: Callable[[ModelSpec], str | None],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Add models")
        self.resize(*_SIZE)
        self._finder, self._why_not = finder, why_not
        self.search = QLineEdit()
        self.search.setObjectName("search")
        self.search.setAccessibleName("Search models, or type a name")
        self.search.setPlaceholderText("Parts of a name, like resnet tv, or a full name")
        self.table = FoundModelsTable(appearance)
        self.known = label(rank="caption", wrap=True)
        self.name = QLineEdit()
        self.name.setAccessibleName("The participant's code")
        self.checkpoint = FileField(
            appearance, keymap, Action.BROWSE_CHECKPOINT, name="A checkpoint"
        )
        self.classes = FileField(appearance, keymap, Action.BROWSE_CLASSES, name="A class list")
        rows = (self.checkpoint.browse, self.classes.browse)
        widest = max(button.sizeHint().width() for button in rows)
        for button in rows:
            button.setMinimumWidth(widest)
        self.results = KeyButton(appearance, keymap[Action.READ_PUBLISHED], "Published accuracies…")
        self.cancel = CommandButton(appearance, "Cancel", keys=[Key((), "Esc")])
        self.enter = CommandButton(
            appearance,
            "Add",
            keys=keymap[Action.ADD_CHOSEN].keys[:1],
            actions=[Action.ADD_CHOSEN],
            kind=ButtonKind.PRIMARY,
        )
        self.error_banner = ErrorBanner(appearance)
        # A message doesn't move the form.
        self._banner_space = ErrorBannerSpace(appearance, self.error_banner, lines=2)
        self._lay_out()
        self._connect(keymap)
        self.show_found()
        finder.listen(self.show_found)

    def show_found(self) -> None:
        """Show the models that match the search."""
        self.table.show_models(self._finder.find(self.search.text()), self._finder.results)
        self._show_ticked()

    def add(self) -> None:
        """Emit the ticked or typed models, or show what is wrong with them."""
        specs = [self._spec(model) for model in self._chosen()]
        refusal = next(filter(None, map(self._why_not, specs)), None)
        if refusal is not None and self._finder.can_add and not self.table.ticked:
            typed = self.search.text().strip()
            refusal = f"{refusal} {NOTHING_TICKED}" if typed else NOTHING_TICKED
        self.error_banner.say(refusal or "")
        if refusal is None:
            self.accept()
            self.wanted.emit(specs)

    def read_results(self, file: str) -> None:
        """Add the accuracies in a results file to the table."""
        self.error_banner.say(self._finder.read_results(Path(file)) or "")
        self.show_found()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the focus from the search field to the table with the Down key."""
        if _presses(event, Qt.Key.Key_Down):
            self.table.enter()
            return True
        return super().eventFilter(watched, event)

    def _chosen(self) -> tuple[str, ...]:
        return self.table.ticked or (self.search.text().strip(),)

    def _spec(self, model: str) -> ModelSpec:
        if len(self._chosen()) > 1:
            return ModelSpec(model=model, name=model)
        return ModelSpec(
            model=model,
            name=self.name.text().strip() or model,
            checkpoint=self.checkpoint.place,
            classes=self.classes.place,
        )

    def _show_ticked(self) -> None:
        """Show what is ticked, or how to tick; disable the form for several models."""
        ticked = self.table.ticked
        for field in (self.name, self.checkpoint, self.classes):
            field.setEnabled(len(ticked) <= 1)
        self.name.setPlaceholderText(self._chosen()[0] if len(ticked) <= 1 else "")
        self.enter.setEnabled(self._finder.can_add)
        if self._finder.why_no_list:
            self.known.setText(self._finder.why_no_list)
        elif ticked:
            self.known.setText(f"{len(ticked):,} ticked: {', '.join(ticked)}")
        else:
            found = f"{self.table.rows:,} of {len(self._finder.entries):,} models"
            self.known.setText(
                f"{found}. Tick models with Space. If none is ticked, the typed name is added."
            )

    def _ask_results(self) -> None:
        asked = open_file_dialog(self, "Choose a results file of timm", names="Results (*.csv)")
        asked.fileSelected.connect(self.read_results)
        asked.open()

    def _connect(self, keymap: Keymap) -> None:
        self.search.textChanged.connect(self.show_found)
        self.search.installEventFilter(self)
        self.table.ticked_changed.connect(self._show_ticked)
        self.results.clicked.connect(self._ask_results)
        self.cancel.clicked.connect(self.reject)
        self.enter.clicked.connect(self.add)
        self.finished.connect(self._finder.unlisten)
        keys = {
            Action.FIND_MODEL: self.search.setFocus,
            Action.READ_PUBLISHED: self.results.click,
            Action.BROWSE_CHECKPOINT: self.checkpoint.browse.click,
            Action.BROWSE_CLASSES: self.classes.browse.click,
            Action.ADD_CHOSEN: self.add,
        }
        bind_scope(self, keymap, Scope.ADD_MODELS, keys)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(16)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        form.addRow("Name here", self.name)
        form.addRow("Checkpoint", self.checkpoint)
        form.addRow("Class list", self.classes)
        vbox(
            label("Add models", rank="title"),
            self._header(),
            grow(self.table),
            self.known,
            gap(8),
            label(_OWN, rank="caption", wrap=True),
            form,
            self._banner_space,
            self._footer(),
            on=self,
            margins=(24, 24, 24, 16),
        )

    def _header(self) -> QHBoxLayout:
        return hbox(grow(self.search), self.results)

    def _footer(self) -> QHBoxLayout:
        return hbox(self.cancel, stretch(1), self.enter)


def _presses(event: QEvent, key: Qt.Key) -> bool:
    if not isinstance(event, QKeyEvent):
        return False
    return event.type() == QEvent.Type.KeyPress and event.key() == key
