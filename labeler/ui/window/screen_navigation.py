"""What is next to the tasks: classes, guide, models, results, and the lead's other screens."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from labeler.app.labeling.rules import ReadRulesRecord
from labeler.core.study.entities import Stage
from labeler.core.study.phases import Phase
from labeler.ui.window.hint_bar import HintSet
from labeler.ui.window.session_context import SessionContext

if TYPE_CHECKING:
    from labeler.app.study.home import HomeCardKind
    from labeler.app.study.home_facts import HomeFacts
    from labeler.app.study.settings import StudySettings
    from labeler.app.study.setup.steps import SetupStep
    from labeler.core.training.request import TrainingRequest
    from labeler.ui.labeling.labeling_task import TaskContext


class ScreenNavigation(SessionContext):
    """Each screen is imported when it is first shown, so that the way to any of them is short.

    The lead's own are closed to everyone else, whatever asks for them.
    """

    @abstractmethod
    def train(self, request: "TrainingRequest | None" = None) -> None:
        """Go to a training, which progress may suggest."""

    def go_home(self) -> None:
        """Leave whatever is open for the home of who is signed in."""
        self._close_guide()
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(self.show_home)
        elif self._person is not None and self._set_up is not None:
            self._set_up.leave(self.show_home)
        elif self._person is not None:
            self.show_home()

    def show_classes(self, *, guide: bool = False) -> None:
        from labeler.ui.classes.classes_screen import ClassesScreen

        study = self._require_study()
        screen = ClassesScreen(
            appearance=self._appearance,
            keymap=self._window.keymap,
            study=study,
            workers=self._workers,
            memory=self._memory,
        )
        self._window.show_screen(screen, hints=HintSet.CLASSES)
        screen.start(guide=guide)

    def show_guide(self) -> None:
        """Show the guide on its own screen, where it can be written too."""
        from labeler.ui.guide.guide_controller import GuideController

        person = self._require_person()
        self._guide = GuideController(
            self._window,
            appearance=self._appearance,
            keymap=self._window.keymap,
            study=self._require_study(),
            code=person.code,
            role=person.role,
            workers=self._workers,
            clock=self._clock,
        )
        self._guide.left.connect(self.go_home)
        self._guide.read()

    def show_models(self) -> None:
        """Show the models; what is being scored goes on behind other screens."""
        from labeler.ui.models.models_controller import ModelsController

        if self.is_blind:
            return
        if self._models is None:
            self._models = ModelsController(
                self._window,
                appearance=self._appearance,
                study=self._require_study(),
                code=self._require_person().code,
                workers=self._workers,
                clock=self._clock,
                describe_error=self._sentence,
            )
            self._models.home_wanted.connect(self.show_home)
            self._models.set_up_wanted.connect(self._set_up_models)
        self._models.show()

    def _set_up_models(self) -> None:
        """Go to the models' step of setting up: anyone who came from there is back."""
        from labeler.app.study.setup.steps import SetupStep

        self.show_set_up(SetupStep.MODELS)

    def show_set_up(self, step: "SetupStep | None" = None) -> None:
        """Show the lead how far the study is set up, and a step of it, or what comes next."""
        from labeler.ui.study.setup.setup_controller import SetupController

        if self.is_blind:
            return
        controller = self._set_up = SetupController(
            self._window,
            appearance=self._appearance,
            study=self._require_study(),
            code=self._require_person().code,
            workers=self._workers,
            clock=self._clock,
            describe_error=self._sentence,
        )
        controller.home_wanted.connect(self.go_home)
        controller.models_wanted.connect(self.show_models)
        controller.restore_wanted.connect(self.restore)
        controller.show(step)

    @abstractmethod
    def restore(self, backup: str) -> None:
        """Put a backup in the study's place and open it again."""

    def show_reviewers(self) -> None:
        """Show the lead how the reviewers judge, and resolve their verdicts."""
        from labeler.ui.review.reviewers_screen import ReviewersController

        if self.is_blind:
            return
        controller = ReviewersController(
            self._window,
            appearance=self._appearance,
            study=self._require_study(),
            workers=self._workers,
            describe_error=self._sentence,
        )
        controller.home_wanted.connect(self.show_home)
        controller.show()

    def show_results(self) -> None:
        """Show the lead what came of the study; no one else has a way there."""
        if self.is_blind:
            return
        from labeler.ui.results.results_controller import ResultsController

        person = self._require_person()
        controller = ResultsController(
            self._window,
            appearance=self._appearance,
            study=self._require_study(),
            code=person.code,
            role=person.role,
            workers=self._workers,
            clock=self._clock,
            describe_error=self._sentence,
        )
        controller.home_wanted.connect(self.show_home)
        controller.show()

    def show_training_review(self, *, discussion: bool = False) -> None:
        """Look back at training: the progress, or the group's discussion."""
        from labeler.ui.training.training_review import TrainingReviewController

        self._training_review = TrainingReviewController(
            self._window,
            appearance=self._appearance,
            study=self._require_study(),
            person=self._require_person(),
            workers=self._workers,
            describe_error=self._sentence,
        )
        self._training_review.home_wanted.connect(self.show_home)
        self._training_review.training_wanted.connect(self.train)
        if discussion:
            self._training_review.show_discussion()
        else:
            self._training_review.show_progress()

    def _close_guide(self) -> None:
        if self._guide is not None:
            leaving, self._guide = self._guide, None
            leaving.close()

    def _close_models(self) -> None:
        if self._models is not None:
            leaving, self._models = self._models, None
            leaving.close()


class TaskNavigation(ScreenNavigation):
    """Knows the way to every task; how a person came to be at home is left open."""

    def _enter(self, card: "HomeCardKind") -> None:
        if card.value == Phase.EVALUATE.value:
            self._begin_evaluation()
        elif card.value == Phase.TRAIN.value:
            self.train()
        elif card.value in (Phase.ANNOTATE.value, Phase.REVIEW.value):
            self._enter_review(Phase(card.value))
        else:
            self.show_results()

    def _begin_evaluation(self) -> None:
        study, person = self._require_study(), self._require_person()
        if ReadRulesRecord().has_read(study=str(study.places.folder.resolve()), code=person.code):
            self.evaluate()
        else:
            self._read_rules(again=False)

    def show_rules(self) -> None:
        """Let a labeler read the rules again, and come back home."""
        self._read_rules(again=True)

    def _read_rules(self, *, again: bool) -> None:
        study, person = self._require_study(), self._require_person()
        self._ask(
            lambda: (study.home(person.code, person.role), study.settings()),
            done=lambda known: self._show_rules(*known, again=again),
            failed=self.show_home,
        )

    def _show_rules(self, facts: "HomeFacts", settings: "StudySettings", *, again: bool) -> None:
        from labeler.app.labeling.rules import rules_view
        from labeler.ui.labeling.rules_screen import RulesScreen

        view = rules_view(
            images=facts.own.total if facts.own else 0,
            idle_seconds=settings.idle_seconds,
            asks_confidence=settings.asks_confidence,
            again=again,
        )
        screen = RulesScreen(self._appearance, self._window.keymap, view, again=again)
        screen.begin_wanted.connect(self._rules_read)
        screen.home_wanted.connect(self.show_home)
        self._window.show_screen(screen)

    def _rules_read(self) -> None:
        study, person = self._require_study(), self._require_person()
        ReadRulesRecord().remember(study=str(study.places.folder.resolve()), code=person.code)
        self.evaluate()

    def evaluate(self) -> None:
        """Sit down at the evaluation."""
        from labeler.ui.labeling.evaluation_task import EvaluationTask

        evaluation = self._task = EvaluationTask(self._window, self._surroundings())
        evaluation.home_wanted.connect(self.go_home)
        evaluation.stopped.connect(self._stopped)
        evaluation.start()

    def train(self, request: "TrainingRequest | None" = None) -> None:
        """Go to the page before a training, or straight into the one that is asked for."""
        from labeler.ui.training.training_controller import TrainingController

        controller = self._task = TrainingController(self._window, self._surroundings())
        controller.home_wanted.connect(self.go_home)
        controller.stopped.connect(self._stopped)
        controller.progress_wanted.connect(lambda: self._leave_task(self.show_training_review))
        if request is None:
            controller.show_start()
        else:
            # Anyone who thinks again stays where the training was suggested.
            controller.declined.connect(self._clear_task)
            controller.ask_for(request)

    def _clear_task(self) -> None:
        """Nothing was begun after all."""
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(lambda: None)

    def _leave_task(self, then: Callable[[], None]) -> None:
        """Leave what the person sits at for another screen."""
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(then)

    def _enter_review(self, phase: Phase) -> None:
        """Give blind verdicts while the phase is open; settle them when they are frozen."""
        from labeler.app.study.home import can_settle_disagreements

        stage = Stage.INITIAL if phase is Phase.ANNOTATE else Stage.FINAL
        states = {} if self._home is None else {p.phase: p.state for p in self._home.phases}
        if phase in states and can_settle_disagreements(phase, states[phase]):
            self.discuss(stage)
        else:
            self.review(stage)

    def review(self, stage: Stage) -> None:
        """Sit down at a review."""
        from labeler.ui.review.review_controller import ReviewController

        review = self._task = ReviewController(self._window, self._surroundings(), stage)
        review.home_wanted.connect(self.go_home)
        review.stopped.connect(self._stopped)
        review.start()

    def discuss(self, stage: Stage) -> None:
        """Sit down with the others to settle what reviewers differ on."""
        from labeler.ui.review.disagreements_controller import DisagreementsController

        role = self._require_person().role
        task = self._task = DisagreementsController(
            self._window, self._surroundings(), role=role, stage=stage
        )
        task.stopped.connect(self._stopped)
        task.home_wanted.connect(self.go_home)
        task.reviewers_wanted.connect(lambda: self._leave_task(self.show_reviewers))
        task.start()

    def _stopped(self, sentence: str) -> None:
        """The task can't go on; the reason is reported at home."""
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(lambda: self.show_home(sentence))

    def _surroundings(self) -> "TaskContext":
        from labeler.ui.labeling.labeling_task import TaskContext

        return TaskContext(
            appearance=self._appearance,
            keymap=self._window.keymap,
            study=self._require_study(),
            code=self._require_person().code,
            preferences=self._preferences,
            memory=self._memory,
            workers=self._workers,
            clock=self._clock,
        )
