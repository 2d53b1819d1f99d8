"""Training at the workbench: answer, feedback, next, and a summary at the end."""

import pytest

from labeler.app.labeling.presenter import RESUMED, WorkbenchPresenter
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.phases import open_phase
from labeler.app.training.feedback import (
    NOT_IN_GUIDE,
    REPEATED,
    FeedbackView,
    TrainingSummary,
)
from labeler.app.training.session import TrainingLabelingSession
from labeler.app.training.training_flow import ANSWER_FIRST, NO_MARKS, NO_WAY_BACK, TrainingFlow
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.phases import Phase
from labeler.core.training.request import TrainingRequest
from labeler.store.study_opening import open_study
from tests.unit.app.labeling.workbench.workbench_driver import DOG, FISH, named, prepared, refitted
from tests.unit.app.late_runner import LateRunner

ANYTHING = TrainingRequest(seed=1)


class Trainee:
    """A labeler at the training's workbench; nothing happens until the runner is reported to."""

    def __init__(self, store, clock, request: TrainingRequest | None) -> None:
        self.store, self.clock, self.runner = store, clock, LateRunner()
        self.feedback: list[FeedbackView] = []
        self.summaries: list[TrainingSummary] = []
        session = TrainingLabelingSession(store, "A", request)
        images = TrialImageLoader(
            fetch=session.picture, prepare=prepared, refit=refitted, runner=self.runner, clock=clock
        )
        self.flow = TrainingFlow(
            session,
            self.runner,
            name_class=named,
            has_distinction=lambda _one, _other: False,
        )
        self.bench = WorkbenchPresenter(
            session=session,
            flow=self.flow,
            database=self.runner,
            images=images,
            clock=clock,
            name_class=named,
        )
        self.flow.listen_for_feedback(self.feedback.append, self.summaries.append)
        self.bench.begin()
        self.work()

    @property
    def view(self):
        return self.bench.view

    def work(self) -> None:
        while self.runner.tickets:
            self.runner.finish_all()
        if self.view.image is not None:
            self.bench.painted(self.view.image.trial_id)
        while self.runner.tickets:
            self.runner.finish_all()

    def target(self) -> str:
        """What the image shows, which only a test may know before the answer."""
        rows = "SELECT wnid FROM class JOIN image ON target_id = class.id JOIN trial ON image_id"
        with self.store.read() as study:
            connection = study.session.connection()
            trial_id = self.view.trial.trial_id.replace("-", "")
            found = connection.exec_driver_sql(f"{rows} = image.id WHERE trial.id = ?", (trial_id,))
            return found.scalar_one()

    def answer(self, *, right: bool = True) -> None:
        target = self.target()
        self.bench.choose(target if right else (DOG if target == FISH else FISH))
        self.clock.go_on(seconds=5)
        self.bench.submit()
        self.work()


@pytest.fixture
def train(healthy, clock):
    trainees: list[Trainee] = []
    with open_study(healthy, clock=clock) as store:
        open_phase(store, Phase.TRAIN)

        def sit(request: TrainingRequest | None = ANYTHING) -> Trainee:
            trainees.append(Trainee(store, clock, request))
            return trainees[-1]

        yield sit
        for trainee in trainees:
            trainee.bench.leave()
            trainee.work()


def test_after_an_answer_comes_its_feedback_and_the_image_stays(train) -> None:
    trainee = train()
    image, target = trainee.view.image, trainee.target()

    trainee.answer()

    assert trainee.view.stage is WorkbenchStage.FEEDBACK
    assert trainee.view.image == image
    (result,) = trainee.feedback
    assert (result.right, result.word, result.heading) == (True, "Right", f"name of {target}")
    assert result.compared == (target,)


def test_a_wrong_answer_is_compared_with_the_right_class(train) -> None:
    trainee = train()
    target = trainee.target()

    trainee.answer(right=False)

    (result,) = trainee.feedback
    other = DOG if target == FISH else FISH
    assert (result.right, result.word) == (False, "Wrong")
    assert result.heading == f"name of {target}, not name of {other}"
    assert result.compared == (other, target)
    assert result.details == f"{REPEATED} {NOT_IN_GUIDE}"


@pytest.mark.parametrize("how", ["enter", "submit", "next_trial"])
def test_one_key_leads_to_the_next_image(train, how) -> None:
    trainee = train()
    trainee.answer()
    before = trainee.view.trial.trial_id

    {
        "enter": lambda: trainee.bench.choose_or_submit(FISH),
        "submit": trainee.bench.submit,
        "next_trial": trainee.flow.next_trial,
    }[how]()
    trainee.work()

    assert trainee.view.stage is WorkbenchStage.TRIAL
    assert trainee.view.trial.trial_id != before
    assert trainee.flow.feedback is None


def test_the_answer_stays_as_it_was_while_the_feedback_is_read(train) -> None:
    trainee = train()
    trainee.answer()
    answer = trainee.view.answer

    trainee.bench.choose(DOG)
    trainee.bench.toggle_escape_hatch()
    trainee.bench.flag(TrialFlag.INAPPROPRIATE)

    assert trainee.view.answer == answer


def test_reading_the_feedback_is_no_time_on_the_image(train) -> None:
    trainee = train()
    trainee.answer()
    trainee.clock.go_on(minutes=1)
    trainee.bench.tick()
    trainee.flow.next_trial()
    trainee.work()

    assert trainee.view.progress.pace_ms == 5_000


def test_at_the_end_the_training_is_summed_up(train) -> None:
    trainee = train(TrainingRequest(length=2, seed=1))
    for _ in range(2):
        trainee.answer()
        trainee.flow.next_trial()
        trainee.work()

    assert trainee.view.stage is WorkbenchStage.FINISHED
    (summary,) = trainee.summaries
    assert (summary.right, summary.wrong, summary.comes_back) == (2, 0, ())


def test_a_missed_class_makes_the_training_longer(train) -> None:
    trainee = train(TrainingRequest(length=1, seed=1))
    assert trainee.view.trial.total == 1

    trainee.answer(right=False)

    assert trainee.view.trial.total == trainee.view.progress.total == 2
    trainee.flow.next_trial()
    trainee.work()
    assert (trainee.view.stage, trainee.view.trial.position) == (WorkbenchStage.TRIAL, 2)


@pytest.mark.parametrize("at_feedback", [True, False])
def test_a_training_can_be_ended_at_any_time(train, at_feedback) -> None:
    trainee = train()
    trainee.answer(right=False)
    if not at_feedback:
        trainee.flow.next_trial()
        trainee.work()

    trainee.flow.finish()
    trainee.work()

    assert trainee.view.stage is WorkbenchStage.FINISHED
    (summary,) = trainee.summaries
    assert (summary.right, summary.wrong, len(summary.comes_back)) == (0, 1, 1)


def test_no_one_goes_back_or_marks_in_a_training(train) -> None:
    trainee = train()

    trainee.flow.back()
    assert trainee.view.notice == NO_WAY_BACK
    trainee.flow.toggle_mark()
    assert trainee.view.notice == NO_MARKS
    trainee.flow.next_trial()
    assert trainee.view.notice == ANSWER_FIRST


def test_leaving_at_the_feedback_continues_with_the_next_image(train) -> None:
    trainee = train()
    trainee.answer()
    answered = trainee.view.trial.position
    trainee.bench.leave()
    trainee.work()

    later = train(None)

    assert later.view.trial.position == answered + 1


def test_leaving_in_the_middle_comes_back_to_the_same_image(train) -> None:
    trainee = train()
    trainee.bench.choose(FISH)
    here = trainee.view.trial.trial_id
    trainee.bench.leave()
    trainee.work()

    later = train(None)

    assert later.view.trial.trial_id == here
    assert later.view.answer.label.wnid == FISH
    assert later.view.notice == RESUMED


def test_a_flagged_image_is_left_for_the_next(train) -> None:
    trainee = train()

    trainee.bench.flag(TrialFlag.NOT_SHOWN)
    trainee.work()

    assert (trainee.view.stage, trainee.view.trial.position) == (WorkbenchStage.TRIAL, 2)
    assert trainee.view.progress.set_aside == 1
