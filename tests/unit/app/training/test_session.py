"""Training sessions: feedback after each answer, repeated classes, nothing lost."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from labeler.app.labeling.answer_writer import AnswerJournaled, AnswerStored
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase, pending_text
from labeler.app.training.selection import NO_POOL_IMAGES, NOTHING_TO_TRAIN_ON
from labeler.app.training.session import NO_UNFINISHED_TRAINING
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import AnswerDraft, TrialFlag
from labeler.core.study.entities import ExposureOccasion, Role, SessionTask
from labeler.core.study.phases import Phase
from labeler.core.training.request import TrainingOrder, TrainingRequest, TrainingSource
from labeler.store.datasets.exposures import TRAINED_ON_SAMPLE
from labeler.store.labeling.trial_tasks import REVEALED
from labeler.store.schema import (
    ExposureRow,
    MultilabelRow,
    PredictionRow,
    SampleImageRow,
    SessionRow,
    TrainingPoolRow,
)

FISH, DOG = "n01440764", "n02085620"


def rows(store, kind, **conditions) -> list:
    with store.read() as study:
        return list(study.session.scalars(select(kind).filter_by(**conditions)))


def test_a_training_begins_with_all_its_images_waiting(store, trainee) -> None:
    start = trainee.start

    assert [trial.position for trial in trainee.trials] == [1, 2, 3, 4]
    assert all(trial.waits for trial in trainee.trials)
    assert (start.trial, start.resumed, start.finished) == (trainee.trials[0], False, False)
    (session,) = rows(store, SessionRow)
    assert (session.task, session.role) == (SessionTask.TRAIN, Role.LABELER)


def test_only_images_of_the_pool_are_drawn(store, trainee) -> None:
    pool = {row.image_id for row in rows(store, TrainingPoolRow)}

    assert {trainee.image(trial.trial_id) for trial in trainee.trials} <= pool


def test_nothing_is_reported_before_the_answer_is_stored(trainee) -> None:
    with pytest.raises(RefusedError, match="waits for your answer") as refusal:
        trainee.session.feedback(trainee.waiting)
    assert not re.search(r"n\d{8}|JPEG", str(refusal.value))


def test_a_right_answer_is_reported_as_right(trainee) -> None:
    target = trainee.target(trainee.waiting)

    feedback = trainee.do_next(right=True).feedback

    assert feedback.right
    assert (feedback.label, feedback.target, feedback.accepted) == (target, target, (target,))


def test_a_wrong_answer_is_reported_with_the_class_that_it_was(trainee) -> None:
    target = trainee.target(trainee.waiting)

    feedback = trainee.do_next(right=False).feedback

    assert not feedback.right
    assert feedback.target == target != feedback.label


def test_a_label_that_the_review_judged_correct_is_accepted(store, trainee) -> None:
    trial_id, target = trainee.waiting, trainee.target(trainee.waiting)
    other = DOG if target == FISH else FISH
    with store.write() as study:
        index = store.taxonomy.index_of(other)
        image = trainee.image(trial_id)
        study.session.add(
            MultilabelRow(image_id=image, class_id=index, state="correct", rule="majority")
        )

    feedback = trainee.do_next(right=False).feedback

    assert feedback.right
    assert feedback.accepted == (target, other)


def test_an_answer_whose_class_was_reported_is_final(trainee) -> None:
    trial_id = trainee.waiting
    trainee.do_next(right=False)

    with pytest.raises(RefusedError, match=REVEALED):
        trainee.session.answers.commit(trainee.answer(trial_id, FISH))
    with pytest.raises(RefusedError, match=REVEALED):
        trainee.session.open_trial(trial_id)


def test_the_same_answer_committed_again_is_stored_once(store, trainee) -> None:
    answer = trainee.answer(trainee.waiting, FISH)

    assert (
        trainee.session.answers.commit(answer)
        == trainee.session.answers.commit(answer)
        == AnswerStored(answer.answer_id, 1)
    )
    assert len(rows(store, PredictionRow, task=SessionTask.TRAIN)) == 1


def test_a_missed_class_comes_again_in_the_same_training(trainee) -> None:
    met = []
    while trainee.waiting is not None:
        trial_id = trainee.waiting
        right = trainee.target(trial_id) == DOG
        met.append((trainee.target(trial_id), trainee.image(trial_id)))
        trainee.do_next(right=right)

    fish = [image for target, image in met if target == FISH]
    assert len(fish) == 3
    assert len(set(fish)) == 2
    assert fish[-1] != fish[-2]


def test_hearing_the_feedback_again_adds_nothing(trainee) -> None:
    trial_id = trainee.waiting
    trainee.do_next(right=False)

    assert trainee.session.feedback(trial_id) == trainee.session.feedback(trial_id)


def test_each_image_is_on_record_with_the_class_that_was_reported(store, trainee) -> None:
    trial_id = trainee.waiting
    trainee.commit(trial_id, right=False)

    (seen,) = rows(store, ExposureRow)
    assert (seen.occasion, seen.image_id) == (ExposureOccasion.TRAINING, trainee.image(trial_id))
    assert store.taxonomy.class_wnids[seen.class_id] == trainee.target(trial_id)
    assert seen.session_id == trainee.start.session_id


def test_an_image_that_was_seen_and_left_is_on_record_too(store, trainee) -> None:
    kept = AnswerDraft(shown_at="2026-03-01T09:30:00.000Z")
    trainee.session.keep(trainee.waiting, kept)
    trainee.session.keep(trainee.waiting, kept)

    (seen,) = rows(store, ExposureRow)
    assert (seen.image_id, seen.class_id) == (trainee.image(trainee.waiting), None)


def test_a_training_continues_where_it_was_left(trainee, train) -> None:
    trainee.do_next(right=True)
    left = trainee.waiting
    answer = {"label": FISH, "note": "hm", "shown_at": "2026"}
    kept = AnswerDraft(**answer, shortlist=(FISH, DOG), query="fi")
    trainee.session.keep(left, kept)

    later = train()

    assert (later.start.first, later.start.resumed) == (left, True)
    assert [trial.trial_id for trial in later.trials] == [t.trial_id for t in trainee.trials]
    assert later.session.open_trial(left).draft == kept
    assert later.session.request == TrainingRequest()


def test_resuming_without_an_unfinished_training_is_refused(train) -> None:
    with pytest.raises(RefusedError, match=NO_UNFINISHED_TRAINING):
        train()


def test_another_training_ends_the_one_before(store, trainee, train) -> None:
    train(TrainingRequest(length=1))

    later = train()

    assert len(later.trials) == 1


def test_a_training_can_be_ended_at_any_time_and_has_a_summary(trainee, train, clock) -> None:
    first = trainee.target(trainee.waiting)
    trainee.do_next(right=False)
    trainee.do_next(right=True)

    summary = trainee.session.finish()

    assert (summary.right, summary.wrong, summary.answered) == (1, 1, 2)
    assert summary.unanswered >= 2
    assert [each.wnid for each in summary.comes_back] == [first]
    assert clock.utc() - timedelta(hours=1) < summary.comes_back[0].due
    with pytest.raises(RefusedError, match=NO_UNFINISHED_TRAINING):
        train()


def test_a_missed_class_is_due_the_next_day_and_drawn(trainee, train, clock) -> None:
    missed = trainee.target(trainee.waiting)
    trainee.do_next(right=False)
    trainee.session.finish()
    clock.go_on(days=1)

    later = train(TrainingRequest(source=TrainingSource.DUE))

    assert {later.target(trial.trial_id) for trial in later.trials} == {missed}


def test_nothing_is_due_when_nothing_was_missed(train) -> None:
    with pytest.raises(RefusedError, match=NOTHING_TO_TRAIN_ON[TrainingSource.DUE]):
        train(TrainingRequest(source=TrainingSource.DUE))


def test_a_class_comes_back_as_another_image(store, train) -> None:
    request = TrainingRequest(source=TrainingSource.SUBTREES, subject=(FISH,), length=1)
    images = set()
    for _ in range(2):
        trainee = train(request)
        images.add(trainee.image(trainee.waiting))
        trainee.do_next(right=True)

    assert len(images) == 2


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        (TrainingRequest(), {FISH, DOG}),
        (TrainingRequest(source=TrainingSource.SUBTREES, subject=(DOG,)), {DOG}),
        (TrainingRequest(source=TrainingSource.SUBTREES, subject=("n02084071",)), {DOG}),
        (TrainingRequest(source=TrainingSource.LOOK_ALIKES, subject=(DOG,)), {DOG}),
    ],
)
def test_a_training_draws_from_what_was_chosen(train, request_, wanted) -> None:
    trainee = train(request_)

    assert {trainee.target(trial.trial_id) for trial in trainee.trials} == wanted


def test_own_mistakes_are_what_was_missed_and_what_it_was_taken_for(trainee, train) -> None:
    trainee.do_next(right=False)

    later = train(TrainingRequest(source=TrainingSource.MISTAKES))

    assert {later.target(trial.trial_id) for trial in later.trials} == {FISH, DOG}


def test_the_seed_decides_the_order_and_the_program_chooses_one(store, train) -> None:
    def drawn(seed):
        trainee = train(TrainingRequest(seed=seed))
        return [trainee.image(trial.trial_id) for trial in trainee.trials]

    assert drawn(7) == drawn(7)
    assert len({tuple(drawn(None)) for _ in range(6)}) > 1


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (TrainingRequest(length=0), "from 1 to 500 images, not 0"),
        (TrainingRequest(seed=-1), "not a valid seed"),
        (
            TrainingRequest(source=TrainingSource.SUBTREES, subject=("n0",)),
            "neither a class nor a branch",
        ),
        (
            TrainingRequest(source=TrainingSource.SUBTREES),
            NOTHING_TO_TRAIN_ON[TrainingSource.SUBTREES],
        ),
        (
            TrainingRequest(source=TrainingSource.FAMILY, subject=("cats",)),
            "no family called “cats”",
        ),
        (
            TrainingRequest(source=TrainingSource.MISTAKES),
            NOTHING_TO_TRAIN_ON[TrainingSource.MISTAKES],
        ),
        (
            TrainingRequest(source=TrainingSource.SUBTREES, subject=("n02123045",)),
            NO_POOL_IMAGES,
        ),
    ],
)
def test_what_can_not_be_trained_on_is_refused_and_nothing_begins(
    store, train, request_, sentence
) -> None:
    with pytest.raises(RefusedError, match=re.escape(sentence)):
        train(request_)
    with store.read() as study:
        assert study.training.current("A") is None


def test_no_one_trains_before_the_lead_opens_it_or_after_the_lock(store, trainee, train) -> None:
    lock_phase(store, Phase.TRAIN)

    with pytest.raises(RefusedError, match="the lead has locked it"):
        train()
    with pytest.raises(RefusedError, match="isn't open"):
        trainee.session.answers.commit(trainee.answer(trainee.waiting, FISH))


def test_only_labelers_train(train) -> None:
    with pytest.raises(RefusedError, match="doesn't have the role labeler"):
        train(TrainingRequest(), code="R")


def test_an_image_that_can_not_be_shown_is_set_aside_and_not_drawn_again(trainee, train) -> None:
    trial_id = trainee.waiting
    trainee.session.flag(trial_id, TrialFlag.NOT_SHOWN, note="", spent=TimeSpent(), shown_at=None)

    assert trainee.session.finish().set_aside == 1
    later = train(TrainingRequest())
    images = {later.image(trial.trial_id) for trial in later.trials}
    assert len(images) == 3
    assert trainee.image(trial_id) not in images


def test_a_picture_of_the_sample_never_comes_into_a_training(store, train) -> None:
    with store.write() as study:
        # As if the pool's first picture were a copy of one in the sample.
        study.session.execute(
            text(
                "UPDATE image SET content_hash = (SELECT content_hash FROM image JOIN sample_image"
                " ON image_id = id LIMIT 1) WHERE id = (SELECT min(image_id) FROM training_pool)"
            )
        )
        copy = study.session.scalars(select(TrainingPoolRow.image_id)).first()

    trainee = train(TrainingRequest())

    assert len(trainee.trials) == 3
    assert copy not in {trainee.image(trial.trial_id) for trial in trainee.trials}


def test_who_trained_is_not_evaluated_on_the_same_picture_even_if_they_came_later(
    store, trainee, train
) -> None:
    add_person(store, "B", roles=[Role.LABELER])
    open_phase(store, Phase.EVALUATE)
    later = train(TrainingRequest(), code="B")
    later.do_next(right=True)
    with store.write() as study:
        # The picture that B has just seen turns out to be one of the sample's.
        image = later.image(later.start.first)
        sampled = study.session.scalars(select(SampleImageRow.image_id)).first()
        study.session.execute(
            text(
                "UPDATE image SET content_hash = (SELECT content_hash FROM image WHERE id = :one)"
                " WHERE id = :other"
            ),
            {"one": image, "other": sampled},
        )
        study.labeling.prepare_trials("A")
        with pytest.raises(RefusedError, match=TRAINED_ON_SAMPLE) as refusal:
            study.labeling.prepare_trials("B")
    assert not re.search(r"JPEG|n\d{8}", str(refusal.value))


def test_an_answer_that_the_study_can_not_take_waits_in_a_journal_of_its_own(
    store, trainee, train, monkeypatch
) -> None:
    def busy(*_args, **_options) -> None:
        raise EnvironmentFault("The study is busy.")

    with monkeypatch.context() as patched:
        patched.setattr("labeler.store.labeling.answers.Answers.commit", busy)
        outcome = trainee.session.answers.commit(trainee.answer(trainee.waiting, FISH))
    assert isinstance(outcome, AnswerJournaled)
    with pytest.raises(RefusedError, match=pending_text(1, "answer", "labeler")):
        lock_phase(store, Phase.TRAIN)

    later = train()

    assert len(later.start.replayed.stored) == 1
    assert later.waiting != trainee.waiting
    lock_phase(store, Phase.TRAIN)


def test_the_order_can_be_chosen(train) -> None:
    trainee = train(TrainingRequest(order=TrainingOrder.BY_CLASS))

    targets = [trainee.target(trial.trial_id) for trial in trainee.trials]
    assert targets == sorted(targets)


def test_training_leaves_the_evaluation_alone(store, trainee) -> None:
    open_phase(store, Phase.EVALUATE)
    trainee.do_next(right=False)

    with store.write() as study:
        assert study.labeling.prepare_trials("A") == 4
        assert study.labeling.progress("A").answered == 0
        assert study.labeling.active_ms("A", idle_after_ms=1000) == 0
        assert not study.labeling.is_locked("A")


def test_an_answer_changed_in_flight_belongs_to_its_own_session(trainee) -> None:
    answer = trainee.answer(trainee.waiting, FISH)

    with pytest.raises(RefusedError, match="isn't a training by the labeler"):
        trainee.session.answers.commit(
            replace(answer, session_id="00000000-0000-0000-0000-000000000000")
        )
