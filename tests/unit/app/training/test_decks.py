"""The decks of a labeler come from the study's training pool, answers and guide."""

from collections.abc import Callable

from labeler.app.study.people import add_person
from labeler.app.training.decks import SECTION_TITLES, read_training_decks
from labeler.app.training.start_view import training_title
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.families import class_families
from labeler.core.classes.groups import default_groups
from labeler.core.study.entities import Role
from labeler.core.training.decks import DeckKind
from labeler.core.training.request import TrainingRequest, TrainingSource
from labeler.guide.pages import Guide
from labeler.store.study_store import StudyStore
from tests.unit.app.training.conftest import DOG, FISH, Trainee

NO_GUIDE = Guide(())


def titles(store: StudyStore, code: str = "A") -> list[str]:
    sections = read_training_decks(store, code, NO_GUIDE).sections
    return [deck.title for section in sections for deck in section.decks]


def test_without_answers_the_classes_were_never_met(store: StudyStore) -> None:
    decks = read_training_decks(store, "A", NO_GUIDE)
    (first,) = decks.suggested
    assert (first.title, set(first.pictures)) == ("Never met", {FISH, DOG})
    assert first.caption == "2 classes · new"


def test_mistakes_make_a_deck_for_the_one_who_made_them(
    store: StudyStore, trainee: Trainee
) -> None:
    add_person(store, "B", roles=[Role.LABELER])
    trainee.do_next(right=False)
    shown = read_training_decks(store, "A", NO_GUIDE).suggested
    assert "My mistakes" in [deck.title for deck in shown] + titles(store)
    assert "My mistakes" not in titles(store, "B")
    assert [deck.title for deck in read_training_decks(store, "B", NO_GUIDE).suggested] == [
        "Never met"
    ]


def test_the_group_is_everyone_with_answers(
    store: StudyStore, train: Callable[..., Trainee]
) -> None:
    add_person(store, "B", roles=[Role.LABELER])
    for code in ("A", "B"):
        trainee = train(TrainingRequest(seed=1), code=code)
        for _ in range(2):
            trainee.do_next(right=False)
    with store.read() as study:
        counts = study.training_record.group_counts()
    assert sum(answered for answered, _right in counts.values()) == 4
    assert all(right == 0 for _answered, right in counts.values())


def test_every_section_says_what_it_has(store: StudyStore, trainee: Trainee) -> None:
    trainee.do_next(right=False)
    for section in read_training_decks(store, "A", NO_GUIDE).sections:
        assert section.title in SECTION_TITLES.values()
        assert section.decks


def test_a_training_on_a_family_has_its_name(store: StudyStore) -> None:
    taxonomy = store.taxonomy
    for group in class_families(canonical_branches(default_groups(taxonomy))):
        for family in group.families:
            request = TrainingRequest(TrainingSource.SUBTREES, family.wnids)
            if len(family.wnids) > 1:
                assert training_title(request, taxonomy) == family.name


def test_every_kind_has_a_section() -> None:
    assert set(SECTION_TITLES) == set(DeckKind)
