"""The question for a person who has the same task open in another window."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from labeler.app.confirmation import Confirmation
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from labeler.ui.window.theme import Appearance

SECOND_WINDOW = Confirmation(
    "You are already working in another window",
    "Take over to continue here: the other window stops before it stores anything more. Open "
    "read-only to look without changing anything, and continue in the other window.",
    "Take over",
)
OPEN_READ_ONLY = "Open read-only"


def ask_about_window(
    appearance: Appearance,
    parent: QWidget,
    take_over: Callable[[], None],
    look: Callable[[], None],
    go_back: Callable[[], None],
) -> ConfirmDialog:
    """Ask which window to work in, and call what was chosen."""
    dialog = ConfirmDialog(
        appearance, parent, SECOND_WINDOW, instead=OPEN_READ_ONLY, kind=ButtonKind.PRIMARY
    )
    dialog.confirmed.connect(take_over)
    dialog.chose_instead.connect(look)
    dialog.rejected.connect(go_back)
    dialog.open()
    return dialog
