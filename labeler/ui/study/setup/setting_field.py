"""The field of one declared setting, with its hint."""

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QSpinBox

from labeler.app.study.setting_definitions import DeclaredSetting, NumberSetting
from labeler.app.study.setup.settings import SettingView
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.study.setup.form import CardForm, HintLabel, with_hint
from labeler.ui.study.setup.setup_panel import integer_field, row_layout
from labeler.ui.window.theme import Appearance


class SettingField:
    """A box or a number field; `changed` is called when its value changes."""

    def __init__(
        self, appearance: Appearance, setting: DeclaredSetting, changed: Callable[[], None]
    ) -> None:
        self._heading = setting.heading
        self._hint = HintLabel()
        self.widget: QCheckBox | QSpinBox
        if isinstance(setting, NumberSetting):
            self.widget = _number_field(setting)
            self.widget.valueChanged.connect(lambda _value: changed())
        else:
            self.widget = CheckBox(appearance, setting.caption)
            self.widget.toggled.connect(lambda _on: changed())

    @property
    def value(self) -> int:
        if isinstance(self.widget, QSpinBox):
            return self.widget.value()
        return self.widget.isChecked()

    def set_value(self, value: int) -> None:
        if isinstance(self.widget, QSpinBox):
            self.widget.setValue(value)
        else:
            self.widget.setChecked(bool(value))

    def render_setting(self, view: SettingView) -> None:
        self.set_value(view.value)
        self.widget.setEnabled(view.may_change)
        self._hint.setText(view.hint)

    def add_to(self, form: CardForm) -> None:
        """Add a row with the field and its hint."""
        shown = self.widget
        part = row_layout(shown, stretch=False) if isinstance(shown, QSpinBox) else shown
        form.add(self._heading, with_hint(part, self._hint))


def _number_field(setting: NumberSetting) -> QSpinBox:
    made = integer_field(
        setting.subject.capitalize(),
        least=setting.least,
        most=setting.most,
        value=setting.least,
        none=setting.none,
    )
    made.setSuffix(setting.suffix)
    return made
