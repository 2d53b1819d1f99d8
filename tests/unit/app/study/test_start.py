"""Creating a study from the window."""

from pathlib import Path

import pytest

from labeler.app.study.demo_support import demo_folder
from labeler.app.study.settings import study_settings
from labeler.app.study.sign_in import sign_in, sign_in_facts
from labeler.app.study.start import NewStudyForm, new_study_with_lead
from labeler.core.classes.taxonomy import Taxonomy, dump, load_default
from labeler.core.errors import RefusedError
from labeler.core.study.entities import CODE_RULE, Role
from labeler.demo.identity import demo_sign_in_hint
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock


def wanted(folder: Path, **changes: str) -> NewStudyForm:
    return NewStudyForm(**{"name": "Birds", "folder": folder, "lead_code": "L", **changes})


def test_a_new_study_has_a_lead_who_can_sign_in(tmp_path: Path) -> None:
    clock = AdjustableClock()
    made = new_study_with_lead(wanted(tmp_path / "birds"), clock=clock)
    with open_study(made, clock=clock) as store:
        facts = sign_in_facts(store, demo_sign_in_hint)
        assert (facts.study_name, facts.roles) == ("Birds", (Role.LEAD,))
        assert not facts.has_lead_passphrase
        assert sign_in(store, "L", Role.LEAD).code == "L"


def test_the_leads_role_can_be_kept_behind_a_passphrase(tmp_path: Path) -> None:
    clock = AdjustableClock()
    made = new_study_with_lead(wanted(tmp_path / "birds", passphrase="heron"), clock=clock)
    with open_study(made, clock=clock) as store:
        assert sign_in_facts(store, demo_sign_in_hint).has_lead_passphrase
        with pytest.raises(RefusedError):
            sign_in(store, "L", Role.LEAD, "stork")
        assert sign_in(store, "L", Role.LEAD, "heron").role is Role.LEAD


def test_an_invalid_code_leaves_nothing_on_disk(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=CODE_RULE):
        new_study_with_lead(wanted(tmp_path / "birds", lead_code="a b"), clock=AdjustableClock())
    assert not (tmp_path / "birds").exists()


def test_a_passphrase_is_not_in_the_repr(tmp_path: Path) -> None:
    assert "heron" not in repr(wanted(tmp_path, passphrase="heron"))


def test_the_demo_is_in_the_persons_own_folder(own_folders: Path) -> None:
    assert demo_folder().is_relative_to(own_folders)


def test_a_new_study_has_the_names_and_the_questions_that_were_asked_for(tmp_path: Path) -> None:
    clock = AdjustableClock()
    names = tmp_path / "suomi.csv"
    names.write_text("wnid,name\nn02363005,majava\n", encoding="utf-8")
    wish = NewStudyForm(
        name="Birds",
        folder=tmp_path / "birds",
        lead_code="L",
        names=(names,),
        asks_confidence=True,
    )
    with open_study(new_study_with_lead(wish, clock=clock), clock=clock) as store:
        assert "majava" in store.taxonomy["n02363005"].lemmas
        assert study_settings(store).asks_confidence


def test_a_new_study_can_have_other_classes(tmp_path: Path) -> None:
    clock = AdjustableClock()
    default = load_default()
    few = Taxonomy(source="few", class_wnids=default.class_wnids[:3], nodes=default.nodes.values())
    file = tmp_path / "few.json"
    file.write_bytes(dump(few))
    wish = NewStudyForm(name="Few", folder=tmp_path / "few", lead_code="L", taxonomy=file)
    with open_study(new_study_with_lead(wish, clock=clock), clock=clock) as store:
        assert store.taxonomy.class_wnids == default.class_wnids[:3]


def test_an_invalid_names_file_creates_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.tab").write_text("nothing\n")
    wish = NewStudyForm(
        name="X", folder=tmp_path / "study", lead_code="L", names=(tmp_path / "x.tab",)
    )
    with pytest.raises(RefusedError, match="a line must have a synset"):
        new_study_with_lead(wish, clock=AdjustableClock())
    assert not (tmp_path / "study").exists()
