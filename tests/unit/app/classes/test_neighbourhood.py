"""The classes around a class, in groups."""

import pytest

from labeler.app.classes.class_view import ClassLink
from labeler.app.classes.neighbourhood import NeighbourGroups, Neighbourhood, NeighbourKind
from labeler.core.classes.look_alike_ranking import LookAlikeEvidence, LookAlikeRanking
from labeler.core.classes.taxonomy import load_default

BEAVER, MARMOT = "n02363005", "n02361337"
TUSKER = "n01871265"


@pytest.fixture
def neighbourhood() -> Neighbourhood:
    taxonomy = load_default()
    evidence = LookAlikeEvidence(guide_pairs={(MARMOT, BEAVER)})
    return Neighbourhood(taxonomy=taxonomy, ranking=LookAlikeRanking(taxonomy, evidence))


def names(view: NeighbourGroups, kind: NeighbourKind) -> list[str]:
    return [link.name for group in view.groups if group.kind is kind for link in group.classes]


def test_a_class_is_in_the_middle_of_titled_groups(neighbourhood: Neighbourhood) -> None:
    view = neighbourhood.walk(BEAVER)
    assert view.centre == ClassLink(BEAVER, "beaver")
    titles = [group.title for group in view.groups]
    assert titles == ["This class", "Siblings", "Look-alikes", "Cousins"]
    assert names(view, NeighbourKind.CENTRE) == ["beaver"]
    assert names(view, NeighbourKind.SIBLING) == ["hamster", "porcupine", "marmot"]
    assert names(view, NeighbourKind.LOOK_ALIKE)[0] == "marmot"


def test_a_group_without_classes_isnt_shown(neighbourhood: Neighbourhood) -> None:
    kinds = [group.kind for group in neighbourhood.walk(TUSKER).groups]
    assert NeighbourKind.SIBLING not in kinds
    assert NeighbourKind.COUSIN in kinds


def test_names_are_those_that_no_other_class_has(neighbourhood: Neighbourhood) -> None:
    assert neighbourhood.walk("n02012849").centre.name.startswith("crane (")
