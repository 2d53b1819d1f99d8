"""The study's settings: questions, idle time, washout, compared datasets, passphrase."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QLabel, QLineEdit

from labeler.app.confirmation import Confirmation
from labeler.app.progress import ProgressReporter
from labeler.app.study.setting_definitions import SETTINGS
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.settings import (
    PASSPHRASE_HINT,
    PASSPHRASE_REMOVAL,
    StudySettingsForm,
    StudySettingsView,
    compared_pair_changed,
    settings_changed,
    study_settings_view,
    unsaved_settings_confirmation,
)
from labeler.app.study.setup.setup import SetupPresenter
from labeler.app.study.setup.study_setup import Sentences
from labeler.app.study.start import PASSPHRASES_DIFFER
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.confusions_card import ConfusionsCard
from labeler.ui.study.setup.form import HintLabel, WheelGuard, form_card, with_hint
from labeler.ui.study.setup.setting_field import SettingField
from labeler.ui.study.setup.setup_panel import (
    SetupPanel,
    push_button,
    row_layout,
    text_field,
)
from labeler.ui.study.setup.translated_names_card import TranslatedNamesCard
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "These settings apply to everyone in the study. Choose them before the evaluation opens, so "
    "that all answers are given under the same rules."
)
_COMPARE = "The report shows the gap between these two datasets. You can change this at any time."
_FIXED = "These were set when the study was created and can't be changed:"


class StudySettingsPanel(SetupPanel):
    """Shows the current settings, and applies changes."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="Study settings", about=_ABOUT)
        self.notice = ErrorBanner(appearance, BannerKind.WAITING)
        self.fields = {
            setting.name: SettingField(appearance, setting, self._see_change)
            for setting in SETTINGS
        }
        self.apply = push_button("&Apply")
        self.original = ChoiceBox(appearance, "Original dataset")
        self.new = ChoiceBox(appearance, "New dataset")
        self.compare = push_button("&Compare")
        self.names = TranslatedNamesCard(set_up)
        self.confusions = ConfusionsCard(appearance, set_up)
        self.passphrase_state = HintLabel()
        self.passphrase = _passphrase_field("Passphrase")
        self.again = _passphrase_field("Confirm passphrase")
        self.set_passphrase = push_button("&Set passphrase")
        self.remove_passphrase = push_button("&Remove…", "Remove the passphrase")
        self.fixed: dict[str, QLabel] = {}
        self._fixed_card, self._fixed = form_card()
        for box in (self.original, self.new):
            WheelGuard(box)
        self._shown: StudySettingsView | None = None
        self._lay_out()
        self._connect()

    def render_facts(self, facts: SetupFacts) -> None:
        self.names.render_facts(facts)
        self.confusions.render_facts(facts)
        view = study_settings_view(facts)
        if view == self._shown:
            return  # Keeps unapplied changes.
        self._shown = view
        self._render(view)

    @property
    def unapplied(self) -> Confirmation | None:
        return (
            None
            if self._shown is None
            else unsaved_settings_confirmation(self._shown, self._form_values())
        )

    def apply_all(self, then: Callable[[], None]) -> None:
        """Apply the changes on all cards as one task."""
        if self._shown is None or not self._passphrases_agree():
            return
        study_setup, form, given = (
            self._set_up.study_setup,
            self._form_values(),
            self.passphrase.text(),
        )
        settings, pair = (
            settings_changed(self._shown, form),
            compared_pair_changed(self._shown, form),
        )

        def apply(_progress: ProgressReporter) -> Sentences:
            said: Sentences = ()
            if settings:
                said += study_setup.change_settings(**form.values)
            if pair:
                said += study_setup.compare(original=form.original, new=form.new)
            return said + study_setup.set_passphrase(given) if given else said

        def go_on() -> None:
            self._clear_passphrase()
            then()

        self._set_up.do(apply, then=go_on)

    def take_back(self) -> None:
        self._clear_passphrase()
        if self._shown is not None:
            self._render(self._shown)

    def _form_values(self) -> StudySettingsForm:
        return StudySettingsForm(
            values={name: field.value for name, field in self.fields.items()},
            original=self.original.currentText(),
            new=self.new.currentText(),
            typed=bool(self.passphrase.text() or self.again.text()),
        )

    def _render(self, view: StudySettingsView) -> None:
        self.notice.say(view.notice)
        for one in view.settings:
            self.fields[one.setting.name].render_setting(one)
        self._render_compared(view)
        self.passphrase_state.setText(PASSPHRASE_HINT[view.has_passphrase])
        self.remove_passphrase.setEnabled(view.has_passphrase)
        self._render_fixed(view)
        self._see_change()

    def _render_fixed(self, view: StudySettingsView) -> None:
        for one in view.fixed:
            if one.what not in self.fixed:
                self.fixed[one.what] = HintLabel(rank="body")
                shown = with_hint(self.fixed[one.what], HintLabel(one.why))
                self._fixed.add(one.what, shown, is_text=True)
            self.fixed[one.what].setText(one.value)

    def _render_compared(self, view: StudySettingsView) -> None:
        for box, chosen in ((self.original, view.original), (self.new, view.new)):
            box.clear()
            box.addItems(view.datasets)
            box.setCurrentText(chosen)
        self._compare_card.setVisible(len(view.datasets) > 1)

    def _see_change(self) -> None:
        """Enable the buttons of the cards that have changes."""
        view = self._shown
        if view is None:
            return
        form = self._form_values()
        self.apply.setEnabled(settings_changed(view, form))
        self.compare.setEnabled(compared_pair_changed(view, form))
        self.set_passphrase.setEnabled(bool(self.passphrase.text()))

    def _connect(self) -> None:
        for changed in (
            self.original.currentTextChanged,
            self.new.currentTextChanged,
            self.passphrase.textChanged,
        ):
            changed.connect(lambda *_value: self._see_change())
        self.names.files.textChanged.connect(lambda text: self.set_waiting(bool(text.strip())))
        self.apply.clicked.connect(self._apply)
        self.compare.clicked.connect(self._compare)
        self.set_passphrase.clicked.connect(self._set_passphrase)
        self.again.returnPressed.connect(self._set_passphrase)
        self.remove_passphrase.clicked.connect(
            lambda: self.confirm(PASSPHRASE_REMOVAL, then=self._remove_passphrase)
        )

    def _apply(self) -> None:
        values = self._form_values().values
        self._set_up.do(lambda _progress: self._set_up.study_setup.change_settings(**values))

    def _compare(self) -> None:
        original, new = self.original.currentText(), self.new.currentText()
        self._set_up.do(
            lambda _progress: self._set_up.study_setup.compare(original=original, new=new)
        )

    def _set_passphrase(self) -> None:
        given = self.passphrase.text()
        if self._passphrases_agree():
            self._clear_passphrase()
            self._set_up.do(lambda _progress: self._set_up.study_setup.set_passphrase(given))

    def _passphrases_agree(self) -> bool:
        """Whether both entries match; if not, show an error and focus the second."""
        if self.passphrase.text() == self.again.text():
            return True
        self._set_up.refuse(PASSPHRASES_DIFFER)
        self.again.setFocus()
        return False

    def _clear_passphrase(self) -> None:
        for part in (self.passphrase, self.again):
            part.clear()

    def _remove_passphrase(self) -> None:
        self._set_up.do(lambda _progress: self._set_up.study_setup.remove_passphrase())

    def _lay_out(self) -> None:
        self.column.addWidget(self.notice)
        self.column.addWidget(self._questions())
        self._compare_card = self._compared()
        self.column.addWidget(self._compare_card)
        self.column.addWidget(self.names)
        self.column.addWidget(self.confusions)
        self.column.addWidget(self._passphrase())
        self.column.addWidget(label(_FIXED, rank="muted"))
        self.column.addWidget(self._fixed_card)

    def _questions(self) -> QFrame:
        frame, form = form_card()
        for setting in SETTINGS:
            self.fields[setting.name].add_to(form)
        form.add("", row_layout(self.apply, stretch=False))
        return frame

    def _compared(self) -> QFrame:
        frame, form = form_card()
        pair = row_layout(self.original, label("with"), self.new, stretch=False)
        form.add("Compare", with_hint(pair, HintLabel(_COMPARE)))
        form.add("", row_layout(self.compare, stretch=False))
        return frame

    def _passphrase(self) -> QFrame:
        frame, form = form_card()
        for part in (self.passphrase, self.again):
            part.setMaximumWidth(320)
        form.add("Passphrase", self.passphrase)
        form.add("Confirm", with_hint(self.again, self.passphrase_state))
        form.add("", row_layout(self.set_passphrase, self.remove_passphrase, stretch=False))
        return frame


def _passphrase_field(name: str) -> QLineEdit:
    made = text_field(name)
    made.setEchoMode(QLineEdit.EchoMode.Password)
    return made
