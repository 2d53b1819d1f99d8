"""Asking once more before something is done that can't be undone."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from labeler.app.presenters.set_up_asking import Question
from labeler.ui.look import Look
from labeler.ui.widgets.entry_button import Kind


def confirm(
    look: Look,
    parent: QWidget,
    asked: Question,
    *,
    then: Callable[[], None],
    kind: Kind = Kind.DANGER,
) -> None:
    """Ask, and go on only when the deed is confirmed."""
    from labeler.ui.dialogs.confirming import ConfirmDialog

    dialog = ConfirmDialog(
        look, parent, heading=asked.heading, words=asked.words, deed=asked.deed, kind=kind
    )
    dialog.confirmed.connect(then)
    dialog.open()
