"""What the sign-in page learns of a study: roles, and of people nothing."""

from pathlib import Path

from labeler.app.study.people import add_person
from labeler.app.study.sign_in import sign_in_facts
from labeler.app.study.studies import new_study
from labeler.core.study.entities import Role
from labeler.demo.identity import DEMO_NAME, DEMO_PEOPLE, DEMO_SEED, demo_sign_in_hint
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock


def test_sign_in_facts_have_roles_but_no_codes(store: StudyStore) -> None:
    add_person(store, "Tattle", roles=[Role.LABELER, Role.LEAD])
    facts = sign_in_facts(store, demo_sign_in_hint)
    assert facts.roles == (Role.LABELER, Role.LEAD)
    assert "Tattle" not in repr(facts)


def test_the_demo_alone_names_its_people(tmp_path: Path) -> None:
    with new_study(
        tmp_path / "demo", clock=AdjustableClock(), name=DEMO_NAME, seed=DEMO_SEED
    ) as demo:
        facts = sign_in_facts(demo, demo_sign_in_hint)
    assert facts.usual_code == "A"
    assert all(code in facts.hint for code, _role, _description in DEMO_PEOPLE)


def test_another_study_of_the_demos_name_is_not_the_demo(tmp_path: Path) -> None:
    with new_study(tmp_path / "own", clock=AdjustableClock(), name=DEMO_NAME) as own:
        assert sign_in_facts(own, demo_sign_in_hint).hint == ""
