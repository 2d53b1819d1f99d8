"""Asking once more before something is done that can't be undone."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from labeler.app.study.setup.confirmations import Confirmation
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.window.look import Appearance


def ask_to_confirm(
    look: Appearance,
    parent: QWidget,
    asked: Confirmation,
    *,
    then: Callable[[], None],
    kind: ButtonKind = ButtonKind.DANGER,
) -> None:
    """Ask, and go on only when the deed is confirmed."""
    from labeler.ui.study.setup.confirm_dialog import ConfirmDialog

    dialog = ConfirmDialog(
        look, parent, heading=asked.heading, words=asked.words, deed=asked.deed, kind=kind
    )
    dialog.confirmed.connect(then)
    dialog.open()
