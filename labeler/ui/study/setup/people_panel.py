"""Adding, changing and removing people, and their roles."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidgetItem

from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.people import person_removal_confirmation
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.study.entities import Participant, Role, next_free_code
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.study.setup.form import form_card
from labeler.ui.study.setup.setup_panel import SetupPanel, push_button, row_layout, text_field
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "People sign in with a code, which also identifies them in reports. Names are stored "
    "separately and hidden by default. Select a person in the list to change or remove them."
)
_NAME, _DESCRIPTION = 2, 3
_OPTIONAL, _HIDDEN = "Optional", "Turn on “Show names” to edit"


class PeoplePanel(SetupPanel):
    """A list of people, and a form to add, change or remove one."""

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="People", about=_ABOUT)
        self.people = text_table("People", ("Code", "Roles", "Name", "Description"))
        # A long description is cut off instead of widening the table.
        self.people.header().setSectionResizeMode(_DESCRIPTION, QHeaderView.ResizeMode.Stretch)
        self.show_names = CheckBox(appearance, "Show names")
        self.code = text_field("Code")
        self.use_free = push_button("", "Use the next free letter")
        self.use_free.setToolTip("The next free letter")
        self.name = text_field("Name", placeholder=_OPTIONAL)
        self.description = text_field("Description", placeholder="Optional, shown in reports")
        self.roles = {role: CheckBox(appearance, role.value.capitalize()) for role in Role}
        self.roles[Role.LABELER].setChecked(True)
        self.add = push_button("&Add person")
        self.change = push_button("&Save changes")
        self.remove = push_button("&Remove…", "Remove this person")
        self._held: dict[str, Participant] = {}
        self._names: Mapping[str, str] = {}
        self._chosen = ""
        self._lay_out()
        self._connect()
        self._see_names()
        self._named()

    def render_facts(self, facts: SetupFacts) -> None:
        self._held = {person.code: person for person in facts.people}
        self._names = facts.names
        self._render_people()
        self._propose(next_free_code(self._held))
        self._named()

    def _render_people(self) -> None:
        shown = self.show_names.isChecked()
        fill_table(
            self.people,
            [
                (
                    person.code,
                    ", ".join(sorted(person.roles)),
                    self._names.get(person.code, "") if shown else "",
                    person.description,
                )
                for person in self._held.values()
            ],
        )
        for item in self._rows():
            item.setToolTip(_DESCRIPTION, item.text(_DESCRIPTION))

    def _rows(self) -> list[QTreeWidgetItem]:
        return self.people.findItems("", Qt.MatchFlag.MatchContains)

    def _mark(self, code: str) -> None:
        """Highlight the row of the person in the form."""
        self.people.setCurrentIndex(QModelIndex())
        for item in self._rows():
            if item.text(0) == code:
                self.people.setCurrentItem(item)

    def _propose(self, code: str) -> None:
        """Propose a free code."""
        self.code.setPlaceholderText(f"For example {code}")
        self.use_free.setText(f"Use {code}")

    def _use_free(self) -> None:
        self.code.setText(next_free_code(self._held))
        self.add.setFocus()

    def _see_names(self) -> None:
        """Show or hide the names."""
        self.people.setColumnHidden(_NAME, not self.show_names.isChecked())
        self._render_people()
        if self._chosen:
            self._fill_name()
        self._named()

    def _chose(self, item: QTreeWidgetItem) -> None:
        """Fill the form with the selected person."""
        self.code.setText(item.text(0))

    def _named(self) -> None:
        """Enable the buttons: a known code can be changed or removed, another one added."""
        code = self.code.text().strip()
        is_there = code in self._held
        if not is_there and self._chosen:
            self._reset()
        elif is_there and code != self._chosen:
            self._fill(self._held[code])
        self.add.setEnabled(bool(code) and not is_there)
        for button in (self.change, self.remove):
            button.setEnabled(is_there)
        hidden = is_there and not self.show_names.isChecked()
        self.name.setEnabled(not hidden)
        self.name.setPlaceholderText(_HIDDEN if hidden else _OPTIONAL)

    def _fill(self, person: Participant) -> None:
        self._chosen = person.code
        self._mark(person.code)
        self.description.setText(person.description)
        self._fill_name()
        for role, box in self.roles.items():
            box.setChecked(role in person.roles)

    def _fill_name(self) -> None:
        shown = self.show_names.isChecked()
        self.name.setText(self._names.get(self._chosen, "") if shown else "")

    def _reset(self) -> None:
        """Clear the previous person's details."""
        self._chosen = ""
        self._mark("")
        for part in (self.name, self.description):
            part.clear()
        for role, box in self.roles.items():
            box.setChecked(role is Role.LABELER)

    def _is_done(self) -> None:
        """Clear the form for the next person."""
        self.code.clear()
        self._reset()
        self._named()
        if self.isVisible():
            self.code.setFocus()

    def _wanted(self) -> frozenset[Role]:
        return frozenset(role for role, box in self.roles.items() if box.isChecked())

    def _add(self) -> None:
        code, roles = self.code.text().strip(), self._wanted()
        name, description = self.name.text().strip(), self.description.text().strip()
        self._set_up.do(
            lambda _progress: self._set_up.study_setup.add_person(
                code, roles=roles, name=name, description=description
            ),
            then=self._is_done,
        )

    def _change(self) -> None:
        code, roles = self.code.text().strip(), self._wanted()
        description, name = self.description.text().strip(), self.name.text().strip()
        held, held_name = self._held[code], self._names.get(code, "")
        # A hidden name can't have been changed.
        renamed = self.show_names.isChecked() and name != held_name
        self._set_up.do(
            lambda _progress: self._set_up.study_setup.change_person(
                code,
                roles=roles,
                description=description if description != held.description else None,
                name=name if renamed else None,
            ),
            then=self._is_done,
        )

    def _request_removal(self) -> None:
        """Report why the person can't be removed, or ask for confirmation."""
        code = self.code.text().strip()
        self._set_up.watch(
            lambda _progress: self._set_up.study_setup.require_removable_person(code),
            done=lambda _removable: self._ask_to_remove(code),
        )

    def _ask_to_remove(self, code: str) -> None:
        self.confirm(person_removal_confirmation(code), then=lambda: self._remove(code))

    def _remove(self, code: str) -> None:
        self._set_up.do(
            lambda _progress: self._set_up.study_setup.remove_person(code), then=self._is_done
        )

    def _connect(self) -> None:
        self.add.clicked.connect(self._add)
        self.code.returnPressed.connect(self.add.click)
        self.code.textChanged.connect(self._named)
        self.use_free.clicked.connect(self._use_free)
        self.change.clicked.connect(self._change)
        self.remove.clicked.connect(self._request_removal)
        self.show_names.toggled.connect(lambda _on: self._see_names())
        self.people.itemClicked.connect(self._chose)
        self.people.itemActivated.connect(self._chose)

    def _lay_out(self) -> None:
        frame, form = form_card()
        form.add("Code", row_layout(self.code, self.use_free))
        form.add("Roles", row_layout(*self.roles.values(), stretch=False))
        form.add("Description", self.description)
        form.add("Name", self.name)
        form.add("", row_layout(self.add, self.change, self.remove, stretch=False))
        # The list grows below the form, which doesn't move.
        self.column.addWidget(frame)
        self.column.addWidget(self.people)
        self.column.addLayout(row_layout(self.show_names, stretch=False))
