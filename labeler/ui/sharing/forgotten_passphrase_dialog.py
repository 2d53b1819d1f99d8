"""The dialog for a person who forgot a bundle's passphrase: a request to the lead, and a reply."""

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QFormLayout, QLineEdit, QPushButton, QWidget

from labeler.app.sharing.forgotten_passphrase import KEY_SUFFIX
from labeler.app.sharing.lead_keys import PASSPHRASES_DIFFER
from labeler.ui.kit.input.file_field import open_file_dialog
from labeler.ui.kit.layout.boxes import hbox, stretch, vbox
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner, ErrorBannerSpace
from labeler.ui.kit.text.labels import label
from labeler.ui.study.dialog_fields import field_with_button, text_field
from labeler.ui.window.theme import Appearance

_WIDTH, _REFUSAL_LINES = 600, 2
_KEY_FILES = f"Key file (*{KEY_SUFFIX})"
ABOUT = (
    "Your work isn't lost. No one can read your passphrase, but the lead can unlock the bundle for "
    "you, and you choose a new one."
)
_REQUEST = "1. Save a request and send it to the lead. Your answers aren't in it."
_REPLY = "2. The lead sends back a file and tells you a code. Enter both, and a new passphrase."
REQUEST_SAVED = "{} is saved. Send it to the lead."
REPLY_MISSING = "Choose the file that the lead sent back."
CODE_MISSING = "Enter the code that the lead told you."
PASSPHRASE_MISSING = "Enter a new passphrase."


@dataclass(frozen=True, slots=True)
class NewPassphrase:
    """The lead's reply with its code, and the passphrase that was chosen."""

    reply: Path
    code: str = field(repr=False)
    passphrase: str = field(repr=False)


class ForgottenPassphraseDialog(QDialog):
    """It stays open until the new passphrase is set, so that no entries are lost."""

    request_wanted = Signal(Path)
    renewal_wanted = Signal(NewPassphrase)

    def __init__(self, appearance: Appearance, parent: QWidget, *, code: str) -> None:
        """`code` is the person's, for the proposed name of the request."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Forgotten passphrase")
        self.setMinimumWidth(_WIDTH)
        self._proposed = f"{code}-request{KEY_SUFFIX}"
        self.save = QPushButton("Save request…")
        self.reply = text_field("Reply")
        self.code = text_field("Code")
        self.passphrase = text_field("New passphrase", secret=True)
        self.again = text_field("Passphrase again", secret=True)
        self.error_banner = ErrorBanner(appearance)
        self.said = ErrorBanner(appearance, BannerKind.DONE)
        self._lay_out(appearance)
        self.save.clicked.connect(self._ask_for_request)
        for each in (self.reply, self.code, self.passphrase, self.again):
            each.textChanged.connect(lambda: self.error_banner.say(""))
        self.save.setFocus()

    def proceed(self) -> None:
        """Set the new passphrase, unless something is missing."""
        missing, at = self._missing()
        if missing:
            self.refuse(missing)
            at.setFocus()
            return
        reply = Path(self.reply.text().strip()).expanduser()
        self.renewal_wanted.emit(NewPassphrase(reply, self.code.text(), self.passphrase.text()))

    def refuse(self, sentence: str) -> None:
        """Show why nothing was saved or set."""
        self.said.say("")
        self.error_banner.say(sentence)

    def show_request(self, file: Path) -> None:
        """Say that the request is saved."""
        self.error_banner.say("")
        self.said.say(REQUEST_SAVED.format(file))
        self.reply.setFocus()

    def _missing(self) -> tuple[str, QLineEdit]:
        if not self.reply.text().strip():
            return REPLY_MISSING, self.reply
        if not self.code.text().strip():
            return CODE_MISSING, self.code
        if not self.passphrase.text():
            return PASSPHRASE_MISSING, self.passphrase
        differ = self.passphrase.text() != self.again.text()
        return (PASSPHRASES_DIFFER if differ else ""), self.again

    def _ask_for_request(self) -> None:
        proposed = str(Path.home() / self._proposed)
        file, _kind = QFileDialog.getSaveFileName(self, "Save request", proposed, _KEY_FILES)
        if file:
            self.request_wanted.emit(Path(file))

    def _ask_for_reply(self) -> None:
        asked = open_file_dialog(self, "Choose reply", names=_KEY_FILES)
        asked.fileSelected.connect(self.reply.setText)
        asked.open()

    def _lay_out(self, appearance: Appearance) -> None:
        fields = QWidget()
        form = QFormLayout(fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        browse = field_with_button(self.reply, "Browse for the reply", self._ask_for_reply)
        form.addRow("Reply", browse)
        for each in (self.code, self.passphrase, self.again):
            form.addRow(each.accessibleName(), each)
        self.cancel, self.do = QPushButton("Cancel"), QPushButton("Set passphrase")
        self.cancel.setAutoDefault(False)
        self.do.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.do.clicked.connect(self.proceed)
        vbox(
            label("Forgotten passphrase", rank="title"),
            label(ABOUT, wrap=True),
            label(_REQUEST, wrap=True),
            hbox(self.save, stretch()),
            label(_REPLY, wrap=True),
            fields,
            ErrorBannerSpace(appearance, self.error_banner, self.said, lines=_REFUSAL_LINES),
            hbox(stretch(), self.cancel, self.do),
            on=self,
            spacing=16,
            margins=(24, 24, 24, 16),
        )
