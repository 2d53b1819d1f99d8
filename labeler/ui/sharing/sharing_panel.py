"""The Set up step for people on other computers: keys, pack, bundles and merging."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QFileDialog, QFrame, QLineEdit, QWidget

from labeler.app.confirmation import Confirmation
from labeler.app.sharing.forgotten_passphrase import KEY_SUFFIX
from labeler.app.sharing.merge import MergedFile, outcome_lines
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.study.entities import Role
from labeler.core.text import count_noun
from labeler.images.pack_file import PACK_SUFFIX
from labeler.store.sharing.bundle_file import BUNDLE_SUFFIX, UPDATE_SUFFIX
from labeler.store.sharing.results_file import RESULTS_SUFFIX
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.study.setup.form import CardForm, HintLabel, with_hint
from labeler.ui.study.setup.setup_panel import SetupPanel, push_button, row_layout, text_field
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "For people whose computers aren't connected to yours: give each a bundle, everyone the pack, "
    "and merge the results that they send back."
)
_KEYS = (
    "Results can be opened only with these keys. Make them once, before the first bundle. A second "
    "lead makes keys with another name."
)
_LEAD = "lead"
_RESULTS = "Files can be merged in any order and repeatedly. You see what they bring first."
_FORGOTTEN = (
    "A person who forgot the passphrase of a bundle sends you a request. Answer it with a file and "
    "a code; no work is lost."
)
_PACK = "The pictures that people need. People who join a study on a server need it too."
_PASSPHRASE = "Needed to make bundles and updates, and to merge."
_TASKS = 50
LATE_HEADING, ACCEPT = "Let these late answers count?", "Let them count"
LATE_ANSWERS = (
    "These answers were committed after the lock. They are kept and listed, and don't count until "
    "you accept them. This can't be undone."
)
NO_LATE = "No answer that came after the lock waits to be accepted."
MERGE_HEADING, MERGE = "Merge these results?", "Merge"


class SharingPanel(SetupPanel):
    """Makes keys, packs, bundles and updates, and merges results after a preview."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="Other computers", about=_ABOUT)
        self._sharing = set_up.study_setup.sharing
        self.passphrase = text_field("Passphrase of the lead's keys")
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self.again = text_field("Passphrase again")
        self.again.setEchoMode(QLineEdit.EchoMode.Password)
        self.again.setPlaceholderText("Passphrase again")
        self.key_name = text_field("Name of the lead")
        self.key_name.setText(_LEAD)
        self.make_keys = push_button("Make keys…")
        self.make_pack = push_button("Make pack…")
        self.person = QComboBox()
        self.person.setAccessibleName("Person and role")
        self.with_pack = CheckBox(appearance, "With pack")
        self.with_pack.setToolTip("Put the newest pack into the same file.")
        self.make_bundle = push_button("Make bundle…")
        self.make_update = push_button("Make update…")
        self.merge = push_button("Merge results…")
        self.late = push_button("Late answers…")
        self.unlock = push_button("Unlock bundle…")
        self.column.addWidget(self._card())
        self._connect()

    def render_facts(self, facts: SetupFacts) -> None:
        """Offer every person in each role that can have a bundle."""
        before = self.person.currentText()
        self.person.clear()
        for person in facts.people:
            for role in Role:
                if role in person.roles and role is not Role.LEAD:
                    self.person.addItem(f"{person.code}, {role.value}", (person.code, role))
        self.person.setCurrentIndex(max(0, self.person.findText(before)))
        self.make_bundle.setEnabled(self.person.count() > 0)

    def preview_files(self, files: list[Path]) -> None:
        """Show what the files bring, and ask before they are merged."""
        passphrase = self.passphrase.text()
        self._set_up.preview(
            lambda progress: self._sharing.preview(files, passphrase, progress),
            done=self._ask_to_merge,
            by=self,
        )

    def look_for_late(self) -> None:
        """Show the answers that came after the lock, and ask whether they count."""
        self._set_up.preview(
            lambda _progress: self._sharing.waiting_answers(),
            done=self._ask_to_accept,
            by=self,
        )

    def save_reply(self, request: Path, reply: Path) -> None:
        """Answer the request of a person who forgot the passphrase."""
        passphrase = self.passphrase.text()
        self._set_up.do(lambda _progress: self._sharing.unlock_bundle(request, reply, passphrase))

    def save_bundle(self, file: Path) -> None:
        code, role = self.person.currentData()
        passphrase, with_pack = self.passphrase.text(), self.with_pack.isChecked()
        self._set_up.do(
            lambda _progress: self._sharing.make_bundle(
                code, role, file, passphrase, tasks=_TASKS, with_pack=with_pack
            )
        )

    def save_pack(self, file: Path) -> None:
        self._set_up.do(lambda progress: self._sharing.make_pack(file, progress))

    def save_update(self, file: Path) -> None:
        passphrase = self.passphrase.text()
        self._set_up.do(lambda progress: self._sharing.make_update(file, passphrase, progress))

    def save_keys(self, recovery: Path) -> None:
        passphrase, again, name = self.passphrase.text(), self.again.text(), self.key_name.text()
        self._set_up.do(
            lambda _progress: self._sharing.create_keys(name, passphrase, recovery, repeated=again)
        )

    def _ask_to_merge(self, seen: list[MergedFile]) -> None:
        lines = [line for one in seen for line in outcome_lines(one)]
        passphrase = self.passphrase.text()
        self.confirm(
            Confirmation(MERGE_HEADING, "\n".join(lines), MERGE),
            then=lambda: self._set_up.do(
                lambda progress: self._sharing.merge(seen, passphrase, progress)
            ),
            kind=ButtonKind.PRIMARY,
        )

    def _ask_to_accept(self, waiting: Mapping[str, int]) -> None:
        if not waiting:
            self._set_up.do(lambda _progress: (NO_LATE,))
            return
        lines = [f"{code}: {count_noun(count, 'answer')}" for code, count in waiting.items()]
        self.confirm(
            Confirmation(LATE_HEADING, "\n".join([LATE_ANSWERS, *lines]), ACCEPT),
            then=lambda: self._set_up.do(
                lambda _progress: self._sharing.accept_late(list(waiting))
            ),
            kind=ButtonKind.PRIMARY,
        )

    def _card(self) -> QWidget:
        card = QFrame()
        card.setProperty("kind", "card")
        form = CardForm(card)
        form.add("Passphrase", with_hint(row_layout(self.passphrase), HintLabel(_PASSPHRASE)))
        keys = row_layout(self.key_name, self.again, self.make_keys)
        form.add("Keys", with_hint(keys, HintLabel(_KEYS)))
        pack = row_layout(self.make_pack, stretch=False)
        form.add("Pack", with_hint(pack, HintLabel(_PACK)))
        form.add("Bundle", row_layout(self.person, self.with_pack, self.make_bundle))
        form.add("Update", row_layout(self.make_update, stretch=False))
        results = row_layout(self.merge, self.late, stretch=False)
        form.add("Results", with_hint(results, HintLabel(_RESULTS)))
        unlock = row_layout(self.unlock, stretch=False)
        form.add("Locked out", with_hint(unlock, HintLabel(_FORGOTTEN)))
        return card

    def _connect(self) -> None:
        self.make_keys.clicked.connect(
            lambda: self._ask_to_save("Save recovery file", "recovery.json", self.save_keys)
        )
        self.make_pack.clicked.connect(
            lambda: self._ask_to_save("Save pack", f"study{PACK_SUFFIX}", self.save_pack)
        )
        self.make_bundle.clicked.connect(self._ask_for_bundle)
        self.make_update.clicked.connect(
            lambda: self._ask_to_save("Save update", f"study{UPDATE_SUFFIX}", self.save_update)
        )
        self.merge.clicked.connect(self._ask_for_results)
        self.late.clicked.connect(self.look_for_late)
        self.unlock.clicked.connect(self._ask_for_request)

    def _ask_for_bundle(self) -> None:
        code, _role = self.person.currentData()
        self._ask_to_save("Save bundle", f"{code}{BUNDLE_SUFFIX}", self.save_bundle)

    def _ask_to_save(self, title: str, name: str, then: Callable[[Path], None]) -> None:
        file, _kind = QFileDialog.getSaveFileName(self, title, str(Path.home() / name))
        if file:
            then(Path(file))

    def _ask_for_results(self) -> None:
        files, _kind = QFileDialog.getOpenFileNames(
            self, "Merge results", str(Path.home()), f"Results (*{RESULTS_SUFFIX})"
        )
        if files:
            self.preview_files([Path(file) for file in files])

    def _ask_for_request(self) -> None:
        file, _kind = QFileDialog.getOpenFileName(
            self, "Choose request", str(Path.home()), f"Key file (*{KEY_SUFFIX})"
        )
        if file:
            self._ask_to_save(
                "Save reply",
                f"reply{KEY_SUFFIX}",
                lambda reply: self.save_reply(Path(file), reply),
            )
