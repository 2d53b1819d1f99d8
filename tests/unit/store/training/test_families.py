"""A family is a list of classes under a name: one's own, or everyone's."""

import pytest

from labeler.core.errors import RefusedError
from labeler.core.study.entities import Participant, ParticipantKind, Role
from labeler.core.training.request import SavedFamily

FISH, DOG, CAT = "n01440764", "n02085620", "n02123045"


@pytest.fixture(autouse=True)
def _people(store) -> None:
    with store.write() as study:
        for code in ("A", "B", "L"):
            roles = frozenset({Role.LEAD if code == "L" else Role.LABELER})
            study.participants.add(Participant(code, ParticipantKind.HUMAN, "", roles))


def save(store, code: str, name: str, *wnids: str, shared: bool = False) -> None:
    with store.write() as study:
        study.families.save(code, SavedFamily(name, wnids, shared))


def families(store, code: str) -> list[SavedFamily]:
    with store.read() as study:
        return study.families.of(code)


def test_a_family_comes_back_with_its_classes_in_class_order(store) -> None:
    save(store, "A", "pets", CAT, DOG)

    assert families(store, "A") == [SavedFamily("pets", (DOG, CAT), shared=False)]


def test_a_family_is_its_owners_unless_it_is_shared(store) -> None:
    save(store, "A", "mine", DOG)
    save(store, "L", "ours", FISH, shared=True)

    assert [family.name for family in families(store, "A")] == ["mine", "ours"]
    assert [family.name for family in families(store, "B")] == ["ours"]


def test_the_same_name_again_takes_the_place_of_the_family_before(store) -> None:
    save(store, "A", "pets", DOG)
    save(store, "A", "pets", CAT)

    assert [family.wnids for family in families(store, "A")] == [(CAT,)]


def test_a_family_can_be_forgotten_by_its_owner_alone(store) -> None:
    save(store, "L", "ours", FISH, shared=True)

    with (
        store.write() as study,
        pytest.raises(RefusedError, match="You have no family called “ours”"),
    ):
        study.families.remove("A", "ours")
    with store.write() as study:
        study.families.remove("L", "ours")

    assert families(store, "A") == []


@pytest.mark.parametrize(
    ("name", "wnids", "sentence"),
    [
        (" pets", (DOG,), "can't be a family's name"),
        ("", (DOG,), "can't be a family's name"),
        ("x" * 61, (DOG,), "can't be a family's name"),
        ("pets", (), "has no class"),
        ("pets", ("n00000000",), "'n00000000' is no class"),
    ],
)
def test_what_is_no_family_is_refused(store, name, wnids, sentence) -> None:
    with pytest.raises(RefusedError, match=sentence):
        save(store, "A", name, *wnids)
    assert families(store, "A") == []
