"""Progress from the study: one's own for a labeler, everyone's for a lead, no one's otherwise."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import Role
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.progress import TrainingScore
from labeler.core.training.request import SavedFamily
from labeler.core.training.suggestions import SuggestionReason
from labeler.store.schema import ExposureRow
from labeler.store.study_store import StudyStore

FISH, DOG, CAT = "n01440764", "n02085620", "n02123045"


def test_answers_are_counted_over_time_and_by_class(training) -> None:
    fish, dog = training.images[FISH][0], training.images[DOG][0]
    training.answer("A", fish, DOG, days=20)
    training.answer("A", fish, FISH)
    training.answer("A", dog, DOG, minutes=1)
    facts = training.review().progress()
    assert facts.overall == TrainingScore(3, 2)
    assert facts.lately == TrainingScore(2, 2)
    assert [day.score for day in facts.days] == [TrainingScore(1, 0), TrainingScore(2, 2)]
    assert {scores.score.answered for scores in facts.classes} == {2, 1}
    (pair,) = facts.pairs
    assert (pair.times, pair.shown) == (1, 3)


def test_answers_are_counted_by_session(training) -> None:
    fish = training.images[FISH][0]
    training.answer("A", fish, DOG, days=2)
    training.answer("A", fish, FISH)
    review = training.review()
    facts = review.progress()
    assert [each.score for each in facts.sessions] == [TrainingScore(1, 0), TrainingScore(1, 1)]
    first = TrainingFilter(session=facts.sessions[0].number)
    assert [image.answer.right for image in review.images(facts, first)] == [False]


def test_the_images_behind_a_number_come_newest_first_with_what_is_accepted(training) -> None:
    fish = training.images[FISH][0]
    training.answer("A", fish, DOG)
    training.answer("A", fish, FISH, minutes=5)
    review = training.review()
    facts = review.progress()
    images = review.images(facts, TrainingFilter())
    assert [image.answer.right for image in images] == [True, False]
    assert images[0].accepted == (FISH,)
    assert [
        image.answer.right for image in review.images(facts, TrainingFilter(only_missed=True))
    ] == [False]


def test_a_labeler_sees_nobody_elses_progress(training) -> None:
    training.answer("B", training.images[FISH][0], FISH)
    assert training.review("A").progress().people == ("A",)
    with pytest.raises(RefusedError, match="Only the lead"):
        training.review("A").progress("B")
    with pytest.raises(RefusedError, match="Only the lead"):
        training.review("R", Role.REVIEWER).progress("B")


def test_a_lead_sees_everybodys_progress_those_who_trained_first(training) -> None:
    training.answer("B", training.images[FISH][0], FISH)
    facts = training.review("L", Role.LEAD).progress()
    assert facts.people == ("B", "A", "L")
    assert (facts.code, facts.overall.answered) == ("B", 1)


def test_whoever_begins_gets_everything_suggested(training) -> None:
    facts = training.review().progress()
    assert facts.overall == TrainingScore()
    assert [(s.why, s.title) for s in facts.suggestions] == [
        (SuggestionReason.NEVER_MET, "Everything")
    ]


def test_a_training_image_can_be_looked_at_again(training) -> None:
    image = training.images[FISH][0]
    training.answer("A", image, FISH)
    assert training.review().picture(image).data.startswith(b"\xff\xd8")


def test_an_image_that_is_gone_is_told_without_its_place(training, healthy) -> None:
    image = training.images[FISH][0]
    training.answer("A", image, FISH)
    for file in (healthy.parent / "pictures" / "training" / FISH).iterdir():
        file.unlink()
    with pytest.raises(EnvironmentFault, match="can't be read") as result:
        training.review().picture(image)
    assert "pictures" not in str(result.value)


def test_a_lead_who_looks_at_an_image_is_known_to_have_seen_it(
    training, store: StudyStore, rows: Callable
) -> None:
    image = training.images[FISH][0]
    training.answer("A", image, FISH)
    for _time in range(2):
        training.review("L", Role.LEAD).picture(image)
        training.review("A").picture(image)
    with store.read() as study:
        assert len(list(study.session.scalars(select(ExposureRow)))) == 2


def test_a_missed_class_is_due_for_repetition_and_comes_first(training, clock) -> None:
    training.answer("A", training.images[FISH][0], DOG, days=2)
    training.answer("A", training.images[DOG][0], DOG)
    first, *_ = training.review().progress().suggestions
    assert (first.why, first.wnids, first.count, first.of) == (SuggestionReason.DUE, (FISH,), 1, 2)


def test_a_saved_family_has_its_own_row(training, store: StudyStore) -> None:
    with store.write() as study:
        study.families.save("A", SavedFamily("swimmers", (FISH,), shared=False))
    training.answer("A", training.images[FISH][0], FISH)
    saved = [(f.title, s.score) for f, s in training.review().progress().families if f.saved]
    assert saved == [("swimmers", TrainingScore(1, 1))]
