"""Who takes part, by code, and in which roles."""

from PySide6.QtWidgets import QTreeWidgetItem

from labeler.app.presenters.set_up import SetUp
from labeler.app.setting_up.facts import SetUpFacts
from labeler.core.study import Role
from labeler.ui.look import Look
from labeler.ui.set_up.form import card
from labeler.ui.set_up.panel import SetUpPanel, button, field, fill, in_a_row, table
from labeler.ui.widgets.tick_box import TickBox

_ABOUT = (
    "Everybody signs in with a code. Reports name people by it; a name is kept apart and shown to "
    "nobody unless you ask for it. Choose somebody in the list to change their roles."
)


class PeoplePanel(SetUpPanel):
    """Adds people, and gives those who are there other roles."""

    def __init__(self, look: Look, set_up: SetUp) -> None:
        super().__init__(look, set_up, title="People", about=_ABOUT)
        self.people = table("People", ("Code", "Roles", "Description"))
        self.code = field("Code", placeholder="For example A")
        self.name = field("Name", placeholder="Optional")
        self.description = field("Description", placeholder="Optional, shown in reports")
        self.roles = {role: TickBox(look, role.value.capitalize()) for role in Role}
        self.roles[Role.LABELER].setChecked(True)
        self.add = button("&Add this person")
        self.change = button("&Change the roles")
        frame, form = card()
        form.add("Code", self.code)
        form.add("Roles", in_a_row(*self.roles.values(), stretch=False))
        form.add("Name", self.name)
        form.add("Description", self.description)
        form.add("", in_a_row(self.add, self.change, stretch=False))
        self.column.addWidget(self.people)
        self.column.addWidget(frame)
        self._held: dict[str, frozenset[Role]] = {}
        self.add.clicked.connect(self._add)
        self.code.returnPressed.connect(self.add.click)
        self.code.textChanged.connect(self._named)
        self.change.clicked.connect(self._change)
        self.people.itemClicked.connect(self._chose)
        self.people.itemActivated.connect(self._chose)
        self._named()

    def render_facts(self, facts: SetUpFacts) -> None:
        self._held = {person.code: person.roles for person in facts.people}
        if self.code.text().strip() in self._held:
            # It was added: the next person follows.
            for part in (self.code, self.name, self.description):
                part.clear()
            for role, box in self.roles.items():
                box.setChecked(role is Role.LABELER)
            if self.isVisible():
                self.code.setFocus()
        fill(
            self.people,
            [
                (person.code, ", ".join(sorted(person.roles)), person.description)
                for person in facts.people
            ],
        )
        self._named()

    def _chose(self, item: QTreeWidgetItem) -> None:
        """Take the person into the form, where their roles can be changed."""
        self.code.setText(item.text(0))
        for role, box in self.roles.items():
            box.setChecked(role in self._held[item.text(0)])

    def _named(self) -> None:
        """A code that is there can be changed, another one added."""
        code = self.code.text().strip()
        self.add.setEnabled(bool(code) and code not in self._held)
        self.change.setEnabled(code in self._held)
        # Only the roles of somebody who is there can change.
        for part in (self.name, self.description):
            part.setEnabled(code not in self._held)

    def _wanted(self) -> frozenset[Role]:
        return frozenset(role for role, box in self.roles.items() if box.isChecked())

    def _add(self) -> None:
        code, roles = self.code.text().strip(), self._wanted()
        name, description = self.name.text().strip(), self.description.text().strip()
        self._set_up.do(
            lambda _progress: self._set_up.desk.add_person(
                code, roles=roles, name=name, description=description
            )
        )

    def _change(self) -> None:
        code, roles = self.code.text().strip(), self._wanted()
        self._set_up.do(lambda _progress: self._set_up.desk.change_roles(code, roles))
