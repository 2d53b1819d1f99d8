"""A dialog for a new revision: what to sample, a preview of what is missing, and build."""

from collections.abc import Callable
from fractions import Fraction

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit, QTabWidget, QWidget

from labeler.app.curation.building import BuildPreview, BuildRequest
from labeler.app.curation.preview_text import excluded_lines, missing_lines, outcome_lines
from labeler.app.curation.workspace import WorkspaceView
from labeler.core.curation.eligibility import MIN_SHOWN
from labeler.core.curation.entities import Revision, Strategy
from labeler.core.curation.strategies import PER_CLASS, THRESHOLD
from labeler.core.errors import RefusedError
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import ChoiceBox, NumberField
from labeler.ui.kit.layout.boxes import stretch
from labeler.ui.kit.text.confirm_dialog import QuestionDialog
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.window.theme import Appearance

_WIDTH, _PREVIEW_HEIGHT, _MOST_LINES = 720, 220, 5000
NO_PARENT = "none"
ALL_ELIGIBLE = "Every candidate is eligible."


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
        self.answers = NumberField(least=1, most=1000, value=MIN_SHOWN)
        self.threshold = QLineEdit(f"{float(THRESHOLD):g}")
        self.class_thresholds = QLineEdit()
        self.class_thresholds.setPlaceholderText("n01440764=0.6")
        self._repeat(view.newest)
        self.outcome, self.excluded = _read_only("Preview"), _read_only("Not eligible")
        self.previews = QTabWidget()
        self.previews.addTab(self.outcome, "Preview")
        self.previews.addTab(self.excluded, "Not eligible")
        self.previews.setFixedHeight(_PREVIEW_HEIGHT)
        self.banner = ErrorBanner(appearance)
        self.preview = CommandButton(appearance, "Preview")
        self.build = CommandButton(appearance, "Build", kind=ButtonKind.PRIMARY)
        self.preview.clicked.connect(self._preview)
        self.strategy.currentTextChanged.connect(self._enable)
        self.build.clicked.connect(self._answer)
        self.lay_out(
            self._form(),
            self.banner,
            self.previews,
            buttons=(self.preview, stretch(1), self.cancel, self.build),
        )
        self._enable()

    def _repeat(self, before: Revision | None) -> None:
        """Begin with the numbers of the revision before."""
        if before is None:
            return
        found = before.parameters
        self.strategy.setCurrentText(str(before.strategy))
        self.reference.setCurrentText(str(found.get("reference") or self.reference.currentText()))
        self.seed.setValue(before.seed)
        for field, name in ((self.per_class, "per_class"), (self.answers, "min_shown")):
            field.setValue(int(str(found.get(name, field.value()))))
        if "threshold" in found:
            self.threshold.setText(str(found["threshold"]))
        single = found.get("thresholds")
        if isinstance(single, dict):
            words = (f"{wnid}={number}" for wnid, number in single.items())
            self.class_thresholds.setText(" ".join(words))

    def _form(self) -> QWidget:
        holder = QWidget()
        form = QFormLayout(holder)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow("Dataset", self.name)
        form.addRow("Strategy", self.strategy)
        form.addRow("Images per class", self.per_class)
        form.addRow("Answers per candidate", self.answers)
        form.addRow("Reference", self.reference)
        form.addRow("Threshold", self.threshold)
        form.addRow("Threshold of classes", self.class_thresholds)
        form.addRow("Keep images of revision", self.parent_revision)
        form.addRow("Seed", self.seed)
        return holder

    def _enable(self) -> None:
        """Only the numbers of the chosen strategy can be changed."""
        strategy = Strategy(self.strategy.currentText())
        self.reference.setEnabled(strategy is Strategy.MATCHED_FREQUENCY)
        for field in (self.threshold, self.class_thresholds):
            field.setEnabled(strategy is Strategy.THRESHOLD)

    def _preview(self) -> None:
        if (request := self._valid_request()) is not None:
            self.preview_wanted.emit(request)

    def _answer(self) -> None:
        if (request := self._valid_request()) is not None:
            self.accept()
            self.build_wanted.emit(request)

    def _valid_request(self) -> BuildRequest | None:
        """Return what is asked for, or say what can't be read."""
        try:
            return self.request()
        except RefusedError as error:
            self.banner.say(str(error))
            return None

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
            min_shown=self.answers.value(),
            threshold=_fraction(self.threshold.text()),
            thresholds=_class_thresholds(self.class_thresholds.text()),
            reference=self.reference.currentText() or None,
            parent=int(parent) if same else None,
        )

    def show_preview(self, preview: BuildPreview) -> None:
        """Show what would be built, what is missing, and why candidates aren't eligible."""
        self.banner.say("")
        missing = [*outcome_lines(preview), *missing_lines(preview, self._class_name)]
        excluded = list(excluded_lines(preview, self._class_name)) or [ALL_ELIGIBLE]
        for box, lines in ((self.outcome, missing), (self.excluded, excluded)):
            box.setPlainText("\n".join(_shortened(lines)))


def _shortened(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_LINES
    return lines if more <= 0 else [*lines[:_MOST_LINES], f"… and {more:,} more."]


def _read_only(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setReadOnly(True)
    made.setAccessibleName(name)
    return made


def _fraction(text: str) -> Fraction:
    """Return the number that was typed, exactly."""
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise RefusedError(f"“{text}” isn't a number such as 0.7 or 7/10.") from None


def _class_thresholds(text: str) -> dict[str, Fraction]:
    """Return the thresholds of single classes, such as n01440764=0.6 n01443537=0.5."""
    found = {}
    for part in text.replace(",", " ").split():
        wnid, equals, number = part.partition("=")
        if not equals:
            raise RefusedError(f"Write “{part}” as WNID=NUMBER, such as n01440764=0.6.")
        found[wnid] = _fraction(number)
    return found
