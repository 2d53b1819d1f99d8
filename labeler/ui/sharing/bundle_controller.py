"""Opens bundles, and saves the results of an open one."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from labeler.app.opened_study import OpenedStudy
from labeler.app.sharing.forgotten_passphrase import (
    KEY_SUFFIX,
    save_key_request,
    set_new_passphrase,
)
from labeler.app.sharing.opening import (
    NO_PACK,
    BundleStart,
    look_at_bundle,
    open_again,
    open_first_time,
)
from labeler.app.sharing.results import SavedResults, save_results, suggested_name
from labeler.app.study.sign_in import Credentials
from labeler.store.sharing.bundle_store import BundleStore
from labeler.store.sharing.results_file import RESULTS_SUFFIX
from labeler.ui.kit.text.text_dialogs import MessageDialog
from labeler.ui.sharing.forgotten_passphrase_dialog import (
    ForgottenPassphraseDialog,
    NewPassphrase,
)
from labeler.ui.sharing.open_bundle_screen import BundleSecrets, OpenBundleScreen
from labeler.ui.window.context import StudyContext, WindowContext

SAVED = (
    "Your results are in {file} ({size}). Send this file to the lead. It can be read by the lead "
    "only.\n\nIf the lead asks for the fingerprint of your key, it is:\n{fingerprint}"
)


class BundleOpening(QObject):
    """Shows the page that opens a bundle until it is open."""

    opened = Signal(OpenedStudy, Credentials)
    failed = Signal(str)
    other_study_wanted = Signal()

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._context = context

    def show(self, file: Path) -> None:
        self._context.run(
            "look at bundle",
            lambda: look_at_bundle(file),
            done=self._ask,
            failed=self.failed.emit,
        )

    def _ask(self, start: BundleStart) -> None:
        screen = OpenBundleScreen(self._context.appearance, start)
        screen.open_wanted.connect(lambda given: self._open(screen, start, given))
        screen.other_study_wanted.connect(self.other_study_wanted)
        screen.forgotten.connect(lambda: self._ask_for_new_passphrase(screen, start))
        self._context.window.show_screen(screen)

    def _ask_for_new_passphrase(self, screen: OpenBundleScreen, start: BundleStart) -> None:
        dialog = ForgottenPassphraseDialog(self._context.appearance, screen, code=start.code)
        dialog.request_wanted.connect(lambda file: self._save_request(dialog, start, file))
        dialog.renewal_wanted.connect(lambda given: self._renew(screen, dialog, start, given))
        dialog.open()

    def _save_request(
        self, dialog: ForgottenPassphraseDialog, start: BundleStart, file: Path
    ) -> None:
        named = with_suffix(file, KEY_SUFFIX)
        self._context.run(
            "save key request",
            lambda: save_key_request(start.file, named),
            done=lambda _saved: dialog.show_request(named),
            failed=dialog.refuse,
        )

    def _renew(
        self,
        screen: OpenBundleScreen,
        dialog: ForgottenPassphraseDialog,
        start: BundleStart,
        given: NewPassphrase,
    ) -> None:
        """Set the new passphrase, and open the bundle with it."""

        def opened(_set: None) -> None:
            dialog.accept()
            self._open(screen, start, BundleSecrets(given.passphrase))

        self._context.run(
            "set new passphrase",
            lambda: set_new_passphrase(
                start.file, given.reply, opening_code=given.code, passphrase=given.passphrase
            ),
            done=opened,
            failed=dialog.refuse,
        )

    def _open(self, screen: OpenBundleScreen, start: BundleStart, given: BundleSecrets) -> None:
        self._context.run(
            "open bundle",
            lambda: self._opened_study(start, given),
            done=lambda study: self.opened.emit(
                study, Credentials(code=start.code, role=start.role)
            ),
            failed=lambda sentence: screen.refuse(sentence, pack_missing=sentence == NO_PACK),
        )

    def _opened_study(self, start: BundleStart, given: BundleSecrets) -> OpenedStudy:
        clock = self._context.clock
        if start.is_new:
            store = open_first_time(
                start.file,
                opening_code=given.code,
                passphrase=given.passphrase,
                clock=clock,
                pack=given.pack,
            )
        else:
            store = open_again(
                start.file, passphrase=given.passphrase, clock=clock, pack=given.pack
            )
        return OpenedStudy(store, clock=clock)


def ask_to_save_results(context: StudyContext, screen: QWidget) -> None:
    """Ask where to save the results, save them, and say what to do with the file."""
    store = context.study.store
    assert isinstance(store, BundleStore), "only a bundle has results to send"
    proposed = str(Path.home() / suggested_name(store))
    file, _kind = QFileDialog.getSaveFileName(
        screen, "Save results", proposed, f"Results (*{RESULTS_SUFFIX})"
    )
    if file:
        save_results_to(context, screen, Path(file))


def save_results_to(context: StudyContext, screen: QWidget, file: Path) -> None:
    store = context.study.store
    assert isinstance(store, BundleStore), "only a bundle has results to send"
    named = with_suffix(file, RESULTS_SUFFIX)
    context.run(
        "save results",
        lambda: save_results(store, named),
        done=lambda saved: _show_saved(screen, saved),
        failed=lambda sentence: MessageDialog(sentence, screen).open(),
    )


def _show_saved(screen: QWidget, saved: SavedResults) -> None:
    sentence = SAVED.format(
        file=saved.file, size=f"{saved.bytes / 1000:,.0f} kB", fingerprint=saved.fingerprint
    )
    MessageDialog(sentence, screen).open()


def with_suffix(file: Path, suffix: str) -> Path:
    """Return the file that was chosen, with the suffix that such files need."""
    return file if file.suffix == suffix else file.with_name(file.name + suffix)
