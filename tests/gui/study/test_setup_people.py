"""People in Set up: changed in the form, named only on request, removed if they did nothing."""

import pytest

from labeler.app.study.people import ROLE_NEEDED
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.study_setup import OWN_REMOVAL
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from labeler.ui.study.setup.people_panel import PeoplePanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.leading import add_labeler, confirmation, folder_of, go_to, pressed, set_up, words_of
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def with_ann(lead: WindowSession) -> tuple[SetupScreen, PeoplePanel]:
    """Add a labeler A named Ann in the window."""
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.PEOPLE)
    panel = screen.panels[SetupStep.PEOPLE]
    assert isinstance(panel, PeoplePanel)
    panel.name.setText("Ann")
    panel.description.setText("frist")
    return screen, add_labeler(lead, screen, "A")


def choose(panel: PeoplePanel, row: int) -> None:
    panel.people.itemClicked.emit(panel.people.topLevelItem(row), 0)


def test_a_name_is_shown_and_corrected_on_request(lead: WindowSession) -> None:
    screen, panel = with_ann(lead)
    choose(panel, 1)
    assert panel.description.text() == "frist"
    assert panel.name.text() == ""
    assert not panel.name.isEnabled()
    assert panel.people.isColumnHidden(2)
    lead.click(panel.show_names)
    assert panel.name.text() == "Ann"
    row = panel.people.topLevelItem(1)
    assert row is not None
    assert row.text(2) == "Ann"
    panel.name.setText("Anne")
    panel.description.setText("first")
    pressed(lead, panel.change, screen, "The description and name of A changed.")
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        assert study.participants.names() == {"A": "Anne"}
    lead.click(panel.show_names)
    row = panel.people.topLevelItem(1)
    assert row is not None
    assert row.text(2) == ""


def test_a_hidden_name_is_kept_when_something_else_changes(lead: WindowSession) -> None:
    screen, panel = with_ann(lead)
    choose(panel, 1)
    panel.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, panel.change, screen, "A is now labeler, reviewer.")
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        assert study.participants.names() == {"A": "Ann"}


def test_the_form_is_cleared_for_the_next_person(lead: WindowSession) -> None:
    _screen, panel = with_ann(lead)
    choose(panel, 1)
    panel.code.setText("AB")
    assert panel.description.text() == ""
    assert panel.add.isEnabled()
    assert panel.name.isEnabled()


def test_a_person_is_removed_after_a_confirmation(lead: WindowSession) -> None:
    screen, panel = with_ann(lead)
    choose(panel, 1)
    lead.click(panel.remove)
    lead.wait(lambda: bool(lead.window.findChildren(ConfirmDialog)))
    asked = confirmation()
    assert "A can no longer sign in" in words_of(asked)
    pressed(lead, asked.do, screen, "Removed A.")
    lead.wait(lambda: panel.people.topLevelItemCount() == 1)


def test_editing_clears_the_error(lead: WindowSession) -> None:
    screen, panel = with_ann(lead)
    choose(panel, 1)
    lead.click(panel.roles[Role.LABELER])
    lead.click(panel.change)
    lead.wait(lambda: ROLE_NEEDED in screen.error_banner.sentence)
    assert panel.code.text() == "A", "the entry is kept"
    lead.click(panel.roles[Role.REVIEWER])
    assert not screen.error_banner.sentence


def test_a_person_in_use_is_refused_without_a_confirmation(lead: WindowSession) -> None:
    screen, panel = with_ann(lead)
    choose(panel, 0)
    lead.click(panel.remove)
    lead.wait(lambda: OWN_REMOVAL in screen.error_banner.sentence)
    assert not lead.window.findChildren(ConfirmDialog)


def test_the_highlighted_row_is_the_one_in_the_form(lead: WindowSession) -> None:
    screen, panel = with_ann(lead)
    assert panel.people.currentItem() is None
    panel.code.setText("A")
    assert panel.people.currentItem().text(0) == "A"
    panel.roles[Role.REVIEWER].setChecked(True)
    pressed(lead, panel.change, screen, "A is now labeler, reviewer.")
    lead.wait(lambda: not panel.code.text())
    assert panel.people.currentItem() is None
    assert not panel.people.selectedItems()


def test_a_long_description_does_not_hide_the_names(lead: WindowSession) -> None:
    screen, panel = with_ann(lead)
    choose(panel, 1)
    panel.description.setText("a long description " * 30)
    pressed(lead, panel.change, screen, "The description of A changed.")
    lead.click(panel.show_names)
    row = panel.people.topLevelItem(1)
    names = panel.people.visualItemRect(row).adjusted(
        panel.people.columnViewportPosition(2), 0, 0, 0
    )
    assert row.text(2) == "Ann"
    assert panel.people.viewport().rect().contains(names.topLeft())
    assert panel.people.header().length() <= panel.people.viewport().width()
    assert row.toolTip(3) == row.text(3), "the tooltip has the full text"


def test_the_next_free_letter_is_proposed(lead: WindowSession) -> None:
    screen = set_up(lead)
    go_to(lead, screen, SetupStep.PEOPLE)
    panel = screen.panels[SetupStep.PEOPLE]
    assert isinstance(panel, PeoplePanel)
    for code in ("A", "B"):
        assert panel.use_free.text() == f"Use {code}"
        lead.click(panel.use_free)
        assert panel.code.text() == code
        assert panel.add.hasFocus()
        pressed(lead, panel.add, screen, f"Added {code}")
        lead.wait(lambda code=code: panel.use_free.text() != f"Use {code}")
    assert panel.code.text() == ""
