"""Beginning a study of one's own from the window."""

from pathlib import Path

import pytest

from labeler.app.labeling.sign_in import sign_in
from labeler.app.presenters.start import NewStudy
from labeler.app.sign_in_facts import sign_in_facts
from labeler.app.start import demo_folder, new_study_with_lead
from labeler.core.errors import Refused
from labeler.core.study import Role
from labeler.store.opening import open_study
from tests.adjustable_clock import AdjustableClock


def wanted(folder: Path, **changes: str) -> NewStudy:
    return NewStudy(**{"name": "Birds", "folder": folder, "lead_code": "L", **changes})


def test_a_new_study_has_a_lead_who_can_sign_in(tmp_path: Path) -> None:
    clock = AdjustableClock()
    made = new_study_with_lead(wanted(tmp_path / "birds"), clock=clock)
    with open_study(made, clock=clock) as store:
        facts = sign_in_facts(store)
        assert (facts.study_name, facts.roles) == ("Birds", (Role.LEAD,))
        assert not facts.has_lead_passphrase
        assert sign_in(store, "L", Role.LEAD).code == "L"


def test_the_leads_role_can_be_kept_behind_a_passphrase(tmp_path: Path) -> None:
    clock = AdjustableClock()
    made = new_study_with_lead(wanted(tmp_path / "birds", passphrase="heron"), clock=clock)
    with open_study(made, clock=clock) as store:
        assert sign_in_facts(store).has_lead_passphrase
        with pytest.raises(Refused):
            sign_in(store, "L", Role.LEAD, "stork")
        assert sign_in(store, "L", Role.LEAD, "heron").role is Role.LEAD


def test_a_code_that_cannot_be_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"can't be a participant's code"):
        new_study_with_lead(wanted(tmp_path / "birds", lead_code="a b"), clock=AdjustableClock())
    assert not (tmp_path / "birds").exists()


def test_a_passphrase_is_not_written_where_it_can_be_read_by_chance(tmp_path: Path) -> None:
    assert "heron" not in repr(wanted(tmp_path, passphrase="heron"))


def test_the_demo_lies_among_the_persons_own_data(own_folders: Path) -> None:
    assert demo_folder().is_relative_to(own_folders)
