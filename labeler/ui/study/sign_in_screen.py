"""The sign-in screen: a code and a role, without revealing who else takes part."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QLineEdit, QVBoxLayout, QWidget

from labeler.app.keymap import Key
from labeler.app.study.sign_in import ROLE_DESCRIPTIONS, Credentials, SignInForm, SignInView
from labeler.core.study.entities import Role
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner, ErrorBannerSpace
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.theme import Appearance

_WIDTH = 416
# The longest error at this width.
_REFUSAL_LINES = 3


class SignInScreen(Page):
    """Asks for a code and a role; Enter in any field signs in."""

    signed_in_wanted = Signal(Credentials)
    other_study_wanted = Signal()

    def __init__(self, appearance: Appearance, presenter: SignInForm) -> None:
        super().__init__(appearance, width=_WIDTH)
        self._presenter = presenter
        self._waits = False
        view = presenter.view
        self.code = _field("Your code")
        self.passphrase = _field("The lead's passphrase")
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self._passphrase_caption = label("Passphrase", rank="caption")
        self.roles = {role: self._role(number, role) for number, role in enumerate(view.roles, 1)}
        self.error_banner = ErrorBanner(appearance)
        self.noted = ErrorBanner(appearance, BannerKind.DONE)
        self.enter = CommandButton(
            appearance, "Sign in", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.other = CommandButton(appearance, "Open another study…")
        self._lay_out(view)
        self._connect()
        self.code.setText(view.code)
        self.code.selectAll()
        self.set_initial_focus(self.code)
        self.render_view(view)

    def render_view(self, view: SignInView) -> None:
        self.roles[view.role].setChecked(True)
        for part in (self.passphrase, self._passphrase_caption):
            part.setVisible(view.asks_passphrase)
        self.error_banner.say(view.error)

    def refuse(self, sentence: str) -> None:
        """Show why signing in failed, and select the entry so that typing replaces it."""
        self._waits = False
        self.render_view(self._presenter.refuse(sentence))
        wrong = self.passphrase if self._presenter.view.asks_passphrase else self.code
        wrong.selectAll()
        self.set_initial_focus(wrong)

    def note(self, sentence: str) -> None:
        """Show the result of what was done before signing in."""
        self.noted.say(sentence)

    def sign_in(self) -> None:
        """Submit what was entered, unless something is missing."""
        if self._waits:  # Holding Enter down signs in only once.
            return
        credentials = self._presenter.credentials(self.passphrase.text())
        self.render_view(self._presenter.view)
        if credentials is not None:
            self._waits = True
            self.signed_in_wanted.emit(credentials)

    def _role(self, number: int, role: Role) -> CommandButton:
        key = Key(("Alt",), str(number))
        button = CommandButton(
            self._appearance,
            role.capitalize(),
            caption=ROLE_DESCRIPTIONS[role],
            keys=[key],
            kind=ButtonKind.ROLE,
        )
        button.setCheckable(True)
        shortcut = QShortcut(QKeySequence(str(key)), self, button.click)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        button.clicked.connect(lambda: self._choose(role))
        return button

    def _choose(self, role: Role) -> None:
        self.render_view(self._presenter.choose(role))
        wanting = self.passphrase if self._presenter.view.asks_passphrase else self.code
        self.set_initial_focus(wanting)

    def _lay_out(self, view: SignInView) -> None:
        self.column.setSpacing(16)
        self.column.addWidget(IconLabel(self._appearance, "labeler", colour="accent", size=40))
        self.column.addWidget(label(view.study_name, rank="title", wrap=True))
        self.column.addWidget(self.noted)
        card = QFrame()
        card.setProperty("kind", "card")
        form = QVBoxLayout(card)
        form.setContentsMargins(24, 16, 24, 24)
        form.setSpacing(8)
        for part in (_caption("Your code", self.code), self.code):
            form.addWidget(part)
        if view.hint:
            form.addWidget(label(view.hint, rank="caption", wrap=True))
        form.addWidget(label("Role", rank="caption"))
        for button in self.roles.values():
            form.addWidget(button)
        for part in (self._passphrase_caption, self.passphrase):
            form.addWidget(part)
            if view.may_ask_passphrase:
                _reserve_space(part)
        form.addSpacing(8)
        form.addWidget(self.enter)
        self.column.addWidget(card)
        self.column.addWidget(self.other, alignment=Qt.AlignmentFlag.AlignLeft)
        # At the bottom, where its reserved space doesn't look like a gap.
        self.column.addWidget(
            ErrorBannerSpace(self._appearance, self.error_banner, lines=_REFUSAL_LINES)
        )

    def _connect(self) -> None:
        group = QButtonGroup(self)
        for button in self.roles.values():
            group.addButton(button)
        self.code.textEdited.connect(lambda code: self.render_view(self._presenter.enter(code)))
        self.code.returnPressed.connect(self.sign_in)
        self.passphrase.textEdited.connect(lambda: self.render_view(self._presenter.retype()))
        self.passphrase.returnPressed.connect(self.sign_in)
        self.enter.clicked.connect(self.sign_in)
        self.other.clicked.connect(self.other_study_wanted)


def _field(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    return field


def _caption(text: str, field: QLineEdit) -> QLabel:
    made = label(text, rank="caption")
    made.setBuddy(field)
    return made


def _reserve_space(part: QWidget) -> None:
    """Keep the part's space while it is hidden, so that nothing else moves."""
    kept = part.sizePolicy()
    kept.setRetainSizeWhenHidden(True)
    part.setSizePolicy(kept)
