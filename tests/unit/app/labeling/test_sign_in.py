"""A person signs in with a code, in a role that they hold; a lead perhaps with a passphrase."""

import pytest

from labeler.app.study.people import add_person
from labeler.app.study.settings import set_lead_passphrase
from labeler.app.study.sign_in import (
    CODE_NEEDED,
    PASSPHRASE_NEEDED,
    WRONG_PASSPHRASE,
    SignedIn,
    roles_of,
    sign_in,
    unknown_code_text,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Participant, ParticipantKind, Role


@pytest.fixture(autouse=True)
def _people(store) -> None:
    add_person(store, "L", roles=[Role.LEAD, Role.REVIEWER])
    with store.write() as study:
        study.participants.add(Participant("resnet50", ParticipantKind.MODEL))


def test_a_person_signs_in_with_a_role_that_they_hold(store) -> None:
    assert sign_in(store, " A ", Role.LABELER) == SignedIn("A", Role.LABELER)
    assert sign_in(store, "L", Role.LEAD) == SignedIn("L", Role.LEAD)
    assert roles_of(store, "L") == (Role.REVIEWER, Role.LEAD)


@pytest.mark.parametrize(
    ("code", "role", "sentence"),
    [
        ("", Role.LABELER, CODE_NEEDED),
        ("Z", Role.LABELER, unknown_code_text("Z")),
        ("resnet50", Role.LABELER, "'resnet50' is a model. Only people"),
        ("A", Role.REVIEWER, "doesn't have the role reviewer .roles: labeler."),
    ],
)
def test_who_cannot_sign_in_is_told_why_and_nothing_of_others(store, code, role, sentence) -> None:
    with pytest.raises(RefusedError, match=sentence) as refusal:
        sign_in(store, code, role)

    assert not {"L", "R", "'A'"} & set(str(refusal.value).replace(".", " ").split()) - {f"'{code}'"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (None, PASSPHRASE_NEEDED),
        ("", PASSPHRASE_NEEDED),
        ("open sesame", WRONG_PASSPHRASE),
    ],
)
def test_the_leads_role_needs_the_passphrase_and_others_none(store, given, sentence) -> None:
    set_lead_passphrase(store, "Öffne dich")

    with pytest.raises(RefusedError, match=sentence):
        sign_in(store, "L", Role.LEAD, given)
    assert sign_in(store, "L", Role.LEAD, "Öffne dich").role is Role.LEAD
    assert sign_in(store, "L", Role.REVIEWER).role is Role.REVIEWER


def test_who_holds_one_role_need_not_choose_it(store) -> None:
    assert sign_in(store, "A", Role.REVIEWER, chosen=False) == SignedIn("A", Role.LABELER)
    assert sign_in(store, "A", Role.LEAD, chosen=False) == SignedIn("A", Role.LABELER)
    add_person(store, "M", roles=[Role.LEAD])
    assert sign_in(store, "M", Role.LABELER, chosen=False) == SignedIn("M", Role.LEAD)


def test_who_holds_several_roles_chooses_one(store) -> None:
    with pytest.raises(RefusedError, match="doesn't have the role labeler"):
        sign_in(store, "L", Role.LABELER, chosen=False)
    assert sign_in(store, "L", Role.REVIEWER, chosen=False).role is Role.REVIEWER


def test_nobody_becomes_a_lead_without_the_passphrase_by_choosing_nothing(store) -> None:
    add_person(store, "M", roles=[Role.LEAD])
    set_lead_passphrase(store, "heron")
    for role in Role:
        with pytest.raises(RefusedError):
            sign_in(store, "M", role, chosen=False)
    assert sign_in(store, "M", Role.LEAD, "heron", chosen=False).role is Role.LEAD
