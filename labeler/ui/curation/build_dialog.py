"""A dialog for a new revision: what to sample, a preview of what is missing, and build."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from labeler.app.curation.building import BuildPreview, BuildRequest
from labeler.app.curation.workspace import WorkspaceView
from labeler.core.curation.entities import Strategy
from labeler.core.curation.strategies import PER_CLASS, bin_words
from labeler.core.text import count_noun
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import ChoiceBox, NumberField
from labeler.ui.kit.layout.boxes import stretch
from labeler.ui.kit.text.confirm_dialog import QuestionDialog
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.window.theme import Appearance

_WIDTH, _PREVIEW_HEIGHT, _MOST_CLASSES = 640, 180, 200
NO_PARENT = "none"


class BuildDialog(QuestionDialog):
    """Asks for a name, a strategy and its numbers."""

    preview_wanted = Signal(object)
    build_wanted = Signal(object)

    def __init__(
        self,
        appearance: Appearance,
        parent: QWidget,
        view: WorkspaceView,
        *,
        seed: int,
        class_name: Callable[[str], str],
    ) -> None:
        super().__init__(appearance, parent, "Build a revision", width=_WIDTH)
        self._view, self._class_name = view, class_name
        self.name = QLineEdit(view.built or "new-dataset")
        self.name.setAccessibleName("Dataset")
        self.strategy = ChoiceBox(appearance, "Strategy")
        self.strategy.addItems([str(each) for each in Strategy])
        self.strategy.setCurrentText(str(Strategy.MATCHED_FREQUENCY))
        self.per_class = NumberField(least=1, most=1000, value=PER_CLASS)
        self.reference = ChoiceBox(appearance, "Reference dataset")
        self.reference.addItems(list(view.references))
        self.parent_revision = ChoiceBox(appearance, "Parent")
        self.parent_revision.addItems([NO_PARENT, *(str(each.revision) for each in view.revisions)])
        self.parent_revision.setCurrentIndex(self.parent_revision.count() - 1)
        self.seed = NumberField(least=0, most=2**31 - 1, value=seed)
        self.outcome = QPlainTextEdit()
        self.outcome.setReadOnly(True)
        self.outcome.setFixedHeight(_PREVIEW_HEIGHT)
        self.outcome.setAccessibleName("Preview")
        self.banner = ErrorBanner(appearance)
        self.preview = CommandButton(appearance, "Preview")
        self.build = CommandButton(appearance, "Build", kind=ButtonKind.PRIMARY)
        self.preview.clicked.connect(lambda: self.preview_wanted.emit(self.request()))
        self.build.clicked.connect(self._answer)
        self.lay_out(
            self._form(),
            self.banner,
            self.outcome,
            buttons=(self.preview, stretch(1), self.cancel, self.build),
        )

    def _form(self) -> QWidget:
        holder = QWidget()
        form = QFormLayout(holder)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow("Dataset", self.name)
        form.addRow("Strategy", self.strategy)
        form.addRow("Images per class", self.per_class)
        form.addRow("Reference", self.reference)
        form.addRow("Keep images of revision", self.parent_revision)
        form.addRow("Seed", self.seed)
        return holder

    def _answer(self) -> None:
        self.accept()
        self.build_wanted.emit(self.request())

    def request(self) -> BuildRequest:
        """Return what is asked for."""
        name, parent = self.name.text().strip(), self.parent_revision.currentText()
        same = name == self._view.built and parent not in ("", NO_PARENT)
        return BuildRequest(
            dataset=name,
            pool=self._view.pool,
            strategy=Strategy(self.strategy.currentText()),
            seed=self.seed.value(),
            per_class=self.per_class.value(),
            reference=self.reference.currentText() or None,
            parent=int(parent) if same else None,
        )

    def show_preview(self, preview: BuildPreview) -> None:
        """Show what would be built, what is missing, and why candidates aren't eligible."""
        self.banner.say("")
        self.outcome.setPlainText("\n".join(preview_lines(preview, self._class_name)))


def preview_lines(preview: BuildPreview, class_name: Callable[[str], str]) -> list[str]:
    """Return the preview in lines: the sum, exclusions, then each incomplete class."""
    built = preview.built
    lines = [
        f"{count_noun(len(built.images), 'image')}, {built.complete_classes:,} of "
        f"{count_noun(len(built.draws), 'class', 'classes')} complete.",
        *(
            f"{count_noun(count, 'candidate')} not eligible: {reason.replace('_', ' ')}."
            for reason, count in preview.exclusions.items()
        ),
        *preview.notes,
    ]
    for draw in [each for each in built.draws if each.missing][:_MOST_CLASSES]:
        bins = ", ".join(f"{n} of {bin_words(place)}" for place, n in draw.missing_in_bins.items())
        found = preview.reference_images.get(draw.label, 0)
        why = f"only {found} reference images with enough answers" if draw.refused else bins
        lines.append(
            f"{class_name(draw.label)}: {draw.missing} missing{f' ({why})' if why else ''}"
        )
    return lines
