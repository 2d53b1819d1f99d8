"""The page that opens a bundle: an opening code the first time, then a passphrase."""

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QSizePolicy

from labeler.app.keymap import Key
from labeler.app.sharing.lead_keys import PASSPHRASES_DIFFER
from labeler.app.sharing.opening import BundleStart
from labeler.images.pack_file import PACK_SUFFIX
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.file_field import open_file_dialog
from labeler.ui.kit.layout.boxes import hbox, stretch, vbox
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import ErrorBanner, ErrorBannerSpace
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.theme import Appearance

_WIDTH = 416
_REFUSAL_LINES = 4
NEW_HINT = (
    "Enter the opening code that the lead gave you, and choose a passphrase. You need the "
    "passphrase each time you open this bundle."
)
CODE_MISSING = "Enter the opening code that the lead gave you."
PASSPHRASE_MISSING = "Enter your passphrase."


@dataclass(frozen=True, slots=True)
class BundleSecrets:
    """What was entered; the code is empty for a bundle that was opened before."""

    passphrase: str = field(repr=False)
    code: str = field(default="", repr=False)
    pack: Path | None = None


class OpenBundleScreen(Page):
    """Asks for what opens the bundle; Enter in any field opens it."""

    open_wanted = Signal(BundleSecrets)
    other_study_wanted = Signal()
    forgotten = Signal()

    def __init__(self, appearance: Appearance, start: BundleStart) -> None:
        super().__init__(appearance, width=_WIDTH)
        self._start = start
        self._waits = False
        self._pack: Path | None = None
        self.code = _field("Opening code")
        self.passphrase = _field("Passphrase", secret=True)
        self.again = _field("Passphrase again", secret=True)
        self.pack = CommandButton(appearance, "Choose pack…", icon="pictures")
        self.pack.setVisible(False)
        self.open = CommandButton(
            appearance, "Open", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.forgot = CommandButton(appearance, "Forgot passphrase…")
        self.other = CommandButton(appearance, "Open another study…")
        self.error_banner = ErrorBanner(appearance)
        self._lay_out()
        self._connect()
        self.set_initial_focus(self.code if start.is_new else self.passphrase)

    def refuse(self, sentence: str, *, pack_missing: bool = False) -> None:
        """Show why the bundle wasn't opened; without its pack, offer to choose it."""
        self._waits = False
        self.error_banner.say(sentence)
        if pack_missing:
            self.pack.setVisible(True)
            self.set_initial_focus(self.pack)
        else:
            wrong = self.code if self._start.is_new else self.passphrase
            wrong.selectAll()
            self.set_initial_focus(wrong)

    def submit(self) -> None:
        """Open the bundle with what was entered, unless something is missing."""
        if self._waits:  # Holding Enter down opens it only once.
            return
        missing = self._missing()
        self.error_banner.say(missing)
        if not missing:
            self._waits = True
            code = self.code.text() if self._start.is_new else ""
            self.open_wanted.emit(BundleSecrets(self.passphrase.text(), code, self._pack))

    def choose_pack(self, file: str) -> None:
        """Take the images from this pack, and try again."""
        self._pack = Path(file)
        self.submit()

    def _missing(self) -> str:
        if self._start.is_new and not self.code.text().strip():
            return CODE_MISSING
        if not self.passphrase.text():
            return PASSPHRASE_MISSING
        if self._start.is_new and self.passphrase.text() != self.again.text():
            return PASSPHRASES_DIFFER
        return ""

    def _lay_out(self) -> None:
        start = self._start
        self.column.setSpacing(16)
        self.column.addWidget(IconLabel(self._appearance, "labeler", colour="accent", size=40))
        self.column.addWidget(label(start.study_name, rank="title", wrap=True))
        self.column.addWidget(label(f"Bundle of {start.code}, {start.role.value}", rank="muted"))
        card = QFrame()
        card.setProperty("kind", "card")
        fields = (self.code, self.passphrase, self.again) if start.is_new else (self.passphrase,)
        parts = [part for each in fields for part in (_caption(each), each)]
        hint = [label(NEW_HINT, rank="caption", wrap=True)] if start.is_new else []
        vbox(*hint, *parts, self.pack, self.open, on=card, spacing=8, margins=(24, 16, 24, 24))
        self.column.addWidget(card)
        links = (self.other,) if start.is_new else (self.forgot, self.other)
        for link in links:
            link.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.column.addLayout(hbox(*links, stretch()))
        self.column.addWidget(
            ErrorBannerSpace(self._appearance, self.error_banner, lines=_REFUSAL_LINES)
        )

    def _connect(self) -> None:
        for each in (self.code, self.passphrase, self.again):
            each.returnPressed.connect(self.submit)
            each.textEdited.connect(lambda: self.error_banner.say(""))
        self.open.clicked.connect(self.submit)
        self.pack.clicked.connect(self._ask_for_pack)
        self.forgot.clicked.connect(self.forgotten)
        self.other.clicked.connect(self.other_study_wanted)

    def _ask_for_pack(self) -> None:
        asked = open_file_dialog(self, "Choose pack", names=f"Pack (*{PACK_SUFFIX})")
        asked.fileSelected.connect(self.choose_pack)
        asked.open()


def _field(name: str, *, secret: bool = False) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    if secret:
        made.setEchoMode(QLineEdit.EchoMode.Password)
    return made


def _caption(of: QLineEdit) -> QLabel:
    made = label(of.accessibleName(), rank="caption")
    made.setBuddy(of)
    return made
