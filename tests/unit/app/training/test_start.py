"""The training start page describes the training, or says why it can't start."""

from datetime import UTC, datetime, timedelta

import pytest

from labeler.app.training.facts import TrainingFacts, UnfinishedTraining
from labeler.app.training.selection import NOTHING_TO_TRAIN_ON, TrainingMaterial
from labeler.app.training.start import TrainingStart
from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.training.answers import TrainingAnswer
from labeler.core.training.request import (
    SavedFamily,
    TrainingOrder,
    TrainingRequest,
    TrainingSource,
)

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
MARMOT, BEAVER, PUG, BEAGLE = "n02361337", "n02363005", "n02110958", "n02088364"
OFFERED = {MARMOT: 3, BEAVER: 2, PUG: 5, BEAGLE: 5}
TAXONOMY = load_default()


def missed(target: str, label: str) -> TrainingAnswer:
    return TrainingAnswer(
        image=1,
        target=TAXONOMY.index_of(target),
        label=TAXONOMY.index_of(label),
        right=target == label,
        at=NOW - timedelta(hours=1),
    )


def start(*answers: TrainingAnswer, families=(), waits: UnfinishedTraining | None = None):
    grounds = TrainingMaterial(
        taxonomy=TAXONOMY,
        offered=OFFERED,
        answers=answers,
        families=families,
        guide_pairs=frozenset(),
        now=NOW,
    )
    return TrainingStart(TrainingFacts(grounds, waits))


def test_at_first_everything_is_offered() -> None:
    page = start()

    assert (
        page.view.summary == "15 images, from beagle, beaver, marmot, pug. No more are available."
    )
    assert page.request() == TrainingRequest()
    captions = {each.source: (each.caption, each.enabled) for each in page.view.sources}
    assert captions[TrainingSource.EVERYTHING] == ("4 classes, 15 images", True)
    assert captions[TrainingSource.FAMILY] == ("None saved yet", False)
    assert captions[TrainingSource.MISTAKES] == ("None so far", False)
    assert captions[TrainingSource.DUE] == ("None due", False)


def test_names_between_commas_become_classes_and_branches() -> None:
    page = start()
    page.choose(TrainingSource.SUBTREES)
    page.type("marmot, dog")

    assert page.request().subject == (MARMOT, "n02084071")
    page.set_length("4")
    assert page.view.summary == "4 images, from beagle, marmot, pug."
    assert page.chosen_classes() == (BEAGLE, PUG, MARMOT)


def test_a_name_is_completed_in_its_place() -> None:
    page = start()
    page.choose(TrainingSource.SUBTREES)
    view = page.type("beaver, marm")
    assert [node.name for node in view.candidates] == ["marmot"]

    assert page.complete(view.candidates[0].wnid).typed == "beaver, marmot, "
    assert page.view.candidates == ()


@pytest.mark.parametrize("typed", ["d", "bea", "dom", "animal with fur"])
def test_only_what_training_offers_is_a_candidate(typed) -> None:
    page = start()
    page.choose(TrainingSource.SUBTREES)

    candidates = page.type(typed).candidates

    assert candidates
    for node in candidates:
        offered = [wnid for wnid in TAXONOMY.classes_under(node.wnid) if wnid in OFFERED]
        assert node.classes == len(offered) > 0


def test_a_name_that_is_there_in_full_needs_no_completing() -> None:
    page = start()
    page.choose(TrainingSource.SUBTREES)

    assert page.type("dog").candidates == ()


@pytest.mark.parametrize(
    ("source", "text", "sentence"),
    [
        (TrainingSource.SUBTREES, "", NOTHING_TO_TRAIN_ON[TrainingSource.SUBTREES]),
        (TrainingSource.SUBTREES, "unicorn", "no class or branch called “unicorn”"),
        (TrainingSource.LOOK_ALIKES, "", NOTHING_TO_TRAIN_ON[TrainingSource.LOOK_ALIKES]),
        (TrainingSource.LOOK_ALIKES, "dog", "“dog” is a branch of the taxonomy. Name a class."),
        (TrainingSource.MISTAKES, "", NOTHING_TO_TRAIN_ON[TrainingSource.MISTAKES]),
    ],
)
def test_what_can_not_be_begun_says_why(source, text, sentence) -> None:
    page = start()
    page.choose(source)
    page.type(text)

    assert sentence in page.view.problem
    assert not page.view.can_begin
    with pytest.raises(RefusedError):
        page.request()


@pytest.mark.parametrize("length", ["0", "501", "many", ""])
def test_a_length_that_is_none_is_refused(length) -> None:
    page = start()

    assert page.set_length(length).problem == "The length must be a number from 1 to 500."


def test_a_seed_is_a_number_or_left_to_the_program() -> None:
    page = start()
    page.set_seed(" 42 ")
    page.set_order(TrainingOrder.BY_CLASS)

    assert page.request() == TrainingRequest(seed=42, order=TrainingOrder.BY_CLASS)
    assert "The seed must be a number" in page.set_seed("x").problem
    assert page.set_seed("  ").can_begin


def test_look_alikes_are_a_class_and_what_is_taken_for_it() -> None:
    page = start(missed(MARMOT, PUG))
    page.choose(TrainingSource.LOOK_ALIKES)
    page.type("marmot")

    assert page.request().subject == (MARMOT,)
    assert "pug" in page.view.summary


def test_mistakes_and_what_is_due_come_from_the_answers() -> None:
    page = start(missed(MARMOT, BEAVER), missed(PUG, PUG))
    captions = {each.source: each.caption for each in page.view.sources}

    assert captions[TrainingSource.MISTAKES] == "2 classes"
    assert captions[TrainingSource.DUE] == "1 class"


def test_a_family_is_chosen_by_its_name() -> None:
    page = start(families=(SavedFamily("dogs", (PUG, BEAGLE), shared=True),))
    page.choose(TrainingSource.FAMILY)

    assert page.request().subject == ("dogs",)
    assert page.view.summary.startswith("10 images, from beagle, pug.")


def test_a_training_that_waits_is_reported() -> None:
    page = start(waits=UnfinishedTraining(TrainingRequest(), 3, 20))

    assert page.view.going_on == "Everything: 3 of 20 images done"
