"""The sign-in form: what it asks for, and what is missing."""

import pytest

from labeler.app.study.sign_in import (
    CODE_NEEDED,
    PASSPHRASE_NEEDED,
    WRONG_PASSPHRASE,
    Credentials,
    SignInFacts,
    SignInForm,
    unknown_code_text,
)
from labeler.core.study.entities import Role


def page(*roles: Role, passphrase: bool = True, **remembered: object) -> SignInForm:
    facts = SignInFacts(
        study_name="Birds", roles=roles or tuple(Role), has_lead_passphrase=passphrase
    )
    return SignInForm(facts, **remembered)  # type: ignore[arg-type]


def test_the_last_code_and_role_are_offered() -> None:
    view = page(code="A", role=Role.REVIEWER).view
    assert (view.code, view.role) == ("A", Role.REVIEWER)


def test_a_remembered_role_that_is_no_longer_held_is_not_offered() -> None:
    view = page(Role.LABELER, role=Role.LEAD).view
    assert (view.roles, view.role) == ((Role.LABELER,), Role.LABELER)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("protected", [True, False])
def test_a_lead_is_asked_for_the_passphrase_if_there_is_one(role: Role, protected: bool) -> None:
    view = page(passphrase=protected).choose(role)
    assert view.asks_passphrase is (protected and role is Role.LEAD)


def test_signing_in_needs_a_code() -> None:
    signing = page(code="  ")
    assert signing.credentials("") is None
    assert signing.view.error == CODE_NEEDED


def test_signing_in_as_lead_needs_the_passphrase() -> None:
    signing = page(code="L", role=Role.LEAD)
    assert signing.credentials("") is None
    assert signing.view.error == PASSPHRASE_NEEDED


def test_credentials_hold_what_was_entered_and_hide_the_passphrase() -> None:
    signing = page(code="x", role=Role.LEAD)
    signing.enter(" L ")
    given = signing.credentials("heron")
    assert given == Credentials(code="L", role=Role.LEAD, passphrase="heron", chosen=False)
    assert "heron" not in repr(given)


def test_a_passphrase_typed_for_another_role_is_not_passed_on() -> None:
    signing = page(code="A", role=Role.LEAD)
    signing.choose(Role.LABELER)
    given = signing.credentials("heron")
    assert given is not None
    assert given.passphrase is None


def test_a_change_clears_the_error() -> None:
    signing = page(code="A")
    assert signing.refuse(unknown_code_text("A")).error
    assert signing.enter("B").error == ""
    signing.refuse("No.")
    assert signing.choose(Role.REVIEWER).error == ""


def test_retyping_the_passphrase_clears_the_error() -> None:
    signing = page(code="L", role=Role.LEAD)
    signing.refuse(WRONG_PASSPHRASE)
    assert signing.retype().error == ""


def test_a_code_brings_its_last_role_unless_the_person_chose_one() -> None:
    signing = page(code="A", role=Role.LABELER, role_of={"L": Role.LEAD}.get)
    assert signing.enter("L").role is Role.LEAD
    assert signing.view.asks_passphrase
    assert signing.enter("L2").role is Role.LABELER
    signing.choose(Role.REVIEWER)
    assert signing.enter("L").role is Role.REVIEWER


def test_a_last_role_that_is_no_longer_held_is_ignored() -> None:
    signing = page(Role.LABELER, role_of={"L": Role.LEAD}.get)
    assert signing.enter("L").role is Role.LABELER


def test_the_demo_has_a_hint_and_a_usual_code() -> None:
    facts = SignInFacts(
        study_name="Demo",
        roles=tuple(Role),
        has_lead_passphrase=False,
        hint="Be A.",
        usual_code="A",
    )
    assert (SignInForm(facts).view.code, SignInForm(facts).view.hint) == ("A", "Be A.")
    assert SignInForm(facts, code="B").view.code == "B"


def test_a_role_counts_as_chosen_after_a_choice() -> None:
    signing = page(code="A")
    before = signing.credentials("")
    signing.choose(Role.REVIEWER)
    after = signing.credentials("")
    assert before is not None
    assert after is not None
    assert (before.chosen, after.chosen) == (False, True)


def test_the_passphrase_is_not_required_for_another_persons_role() -> None:
    signing = page(code="L", role=Role.LEAD)
    signing.enter("A")
    given = signing.credentials("")
    assert given == Credentials(code="A", role=Role.LEAD, passphrase=None, chosen=False)
    signing.choose(Role.LEAD)
    assert signing.credentials("") is None, "a chosen role needs its passphrase"
