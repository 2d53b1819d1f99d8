"""Takes a signed-in person from screen to screen."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from labeler.app.labeling.rules import ReadRulesRecord, rules_view
from labeler.app.study.phase_facts import EVALUATION_NOT_OPEN
from labeler.app.study.setting_definitions import StudySettings
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.time_text import format_ago
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.study.entities import Role, Stage
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.training.request import TrainingRequest
from labeler.ui.labeling.evaluation_task import EvaluationTask
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.window.context import StudyContext
from labeler.ui.window.hint_bar import HintSet

if TYPE_CHECKING:
    from labeler.app.curation.class_review_session import ReviewedClasses
    from labeler.app.study.home_cards import HomeCardKind
    from labeler.app.study.home_facts import HomeFacts
    from labeler.ui.guide.guide_controller import GuideController
    from labeler.ui.models.models_controller import ModelsController
    from labeler.ui.study.home_screen import HomeScreen
    from labeler.ui.study.setup.setup_controller import SetupController
    from labeler.ui.training.training_review import TrainingReviewController


class LeavableTask(Protocol):
    """A task that a person can leave and continue later."""

    def leave(self, then: Callable[[], None]) -> None: ...


class StudyNavigation(QObject):
    """Shows the screens of one person in one study, from home to every task and back.

    The lead's screens don't open for anyone else. Screens that a labeler doesn't need for the first
    image are imported when they are opened: all of them together take longer than the window.
    """

    sign_out_wanted = Signal()
    restore_wanted = Signal(str)
    failed = Signal(str)

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.window)
        self.context = context
        self.task: LeavableTask | None = None
        self.guide: GuideController | None = None
        self._models: ModelsController | None = None
        self._set_up: SetupController | None = None
        self._home: HomeScreen | None = None
        self._training_review: TrainingReviewController | None = None
        self._phase_states: dict[Phase, PhaseState] = {}
        self._backed_up_at: datetime | None = None

    def close(self) -> None:
        """Leave everything so that it can be continued."""
        self._close_guide()
        if self._training_review is not None:
            self._training_review.keep()
        self._leave_task(_do_nothing)
        if self._models is not None:
            self._models.close()

    # Home.

    def go_home(self) -> None:
        """Leave the current screen for the home screen."""
        self._close_guide()
        if self.task is not None:
            self._leave_task(self.show_home)
        elif self._set_up is not None:
            self._set_up.leave(self.show_home)
        else:
            self.show_home()

    def show_home(self, sentence: str = "") -> None:
        """Show the home screen; `sentence` says what went wrong before."""
        from labeler.app.study.home_facts import home_facts

        study, person = self.context.study, self.context.person
        self.context.run(
            "read home",
            lambda: (
                home_facts(study.store, person.code, person.role),
                study.roles_of(person.code),
            ),
            done=lambda found: self._render_home(*found, sentence=sentence),
            # What went wrong before says more than that home can't be read either.
            failed=lambda error: self.failed.emit(sentence or error),
        )

    def _save_results(self, screen: "HomeScreen") -> None:
        from labeler.ui.sharing.bundle_controller import ask_to_save_results

        ask_to_save_results(self.context, screen)

    def show_backup(self) -> None:
        """Let the home screen show that a backup was made just now."""
        screen, now = self.context.window.screen_shown, self.context.clock.utc()
        self._backed_up_at = now
        if self._home is not None and screen is self._home:
            self._home.show_backup(format_ago(now, now=now), backed_up=True)

    def _render_home(self, facts: "HomeFacts", roles: tuple[Role, ...], *, sentence: str) -> None:
        from labeler.app.study.home import home_view
        from labeler.ui.study.home_screen import HomeScreen

        if facts.last_backup_at is None:
            # It may have been made while the facts were read.
            facts = replace(facts, last_backup_at=self._backed_up_at)
        self._phase_states = {each.phase: each.state for each in facts.phases}
        screen = self._home = HomeScreen(self.context.appearance, self.context.keymap)
        screen.render_view(home_view(facts, roles=roles, now=self.context.clock.utc()))
        screen.entered.connect(self._enter)
        screen.classes_wanted.connect(self.show_classes)
        screen.guide_wanted.connect(self.show_guide)
        screen.rules_wanted.connect(partial(self._read_rules, again=True))
        screen.progress_wanted.connect(self.show_training_review)
        screen.discussion_wanted.connect(partial(self.show_training_review, discussion=True))
        screen.reviewers_wanted.connect(self.show_reviewers)
        screen.models_wanted.connect(self.show_models)
        screen.results_wanted.connect(partial(self._save_results, screen))
        screen.set_up_wanted.connect(self.show_set_up)
        screen.set_up_step_wanted.connect(self.show_set_up)
        screen.settings_wanted.connect(self.context.window.show_settings)
        screen.role_wanted.connect(self._change_role)
        screen.sign_out_wanted.connect(self.sign_out_wanted)
        self.context.window.show_screen(screen)
        screen.say(sentence)
        if screen.keeps_space_for_decks:
            self._read_decks(screen)

    def _read_decks(self, screen: "HomeScreen") -> None:
        """Show the suggested decks as soon as they are read; home doesn't wait for them."""
        from labeler.app.training.decks import TrainingDecks, read_training_decks
        from labeler.core.training.decks import MAX_SUGGESTED
        from labeler.ui.training.deck_tiles import suggested_decks_grid
        from labeler.ui.training.training_controller import class_pictures

        study, code = self.context.study, self.context.code

        def show(found: TrainingDecks) -> None:
            if self.context.window.screen_shown is screen:
                row = suggested_decks_grid(
                    self.context.appearance,
                    self.context.keymap,
                    found.suggested,
                    class_pictures(self.context),
                    columns=MAX_SUGGESTED,
                )
                row.wanted.connect(self.train)
                row.bind_keys(screen, self.context.keymap)
                screen.show_decks(row)

        self.context.run(
            "read decks",
            lambda: read_training_decks(study.store, code, study.guide()),
            done=show,
            failed=screen.say,
        )

    def _change_role(self, role: Role) -> None:
        folder = self.context.study.places.folder
        self.context.memory.remember_person(folder, code=self.context.code, role=role)
        self.sign_out_wanted.emit()

    # Tasks.

    def _enter(self, card: "HomeCardKind") -> None:
        from labeler.app.study.home_cards import HomeCardKind

        if card is HomeCardKind.EVALUATE:
            self.begin_evaluation()
        elif card is HomeCardKind.TRAIN:
            self.train()
        elif card is HomeCardKind.RESULTS:
            self.show_results()
        elif card is HomeCardKind.CROWD:
            self.show_crowd_rounds()
        elif card is HomeCardKind.CURATION:
            self.show_curation()
        elif card is HomeCardKind.CLASS_REVIEW:
            self.review_classes()
        elif card is HomeCardKind.DUPLICATES:
            self.show_near_duplicates()
        elif card in (HomeCardKind.CONTAINS, HomeCardKind.CLASSIFY):
            self._answer_crowd_tasks(CrowdTask(card.value))
        else:
            self._enter_review(Phase(card.value))

    def begin_evaluation(self) -> None:
        """Go to the evaluation, or to its rules if the person hasn't read them."""
        if ReadRulesRecord().has_read(study=self._study_key, code=self.context.code):
            self._evaluate()
        else:
            self._read_rules(again=False)

    def _read_rules(self, *, again: bool) -> None:
        from labeler.app.study.home_facts import home_facts

        study, person = self.context.study, self.context.person
        self.context.run(
            "read rules",
            lambda: (
                home_facts(study.store, person.code, person.role),
                study.settings(),
                study.has_any_references(),
            ),
            done=lambda found: self._show_rules(*found, again=again),
            failed=self.show_home,
        )

    def _show_rules(
        self, facts: "HomeFacts", settings: StudySettings, has_references: bool, *, again: bool
    ) -> None:
        evaluation = next((each for each in facts.phases if each.phase is Phase.EVALUATE), None)
        if not again and evaluation is not None and not evaluation.can_work:
            self.show_home(f"{EVALUATION_NOT_OPEN} {evaluation.sentence}")
            return
        view = rules_view(
            images=facts.own.total if facts.own else 0,
            idle_seconds=settings.idle_seconds,
            questions=settings.questions,
            references=has_references,
            again=again,
        )
        screen = RulesScreen(self.context.appearance, self.context.keymap, view, again=again)
        screen.begin_wanted.connect(self._rules_read)
        screen.home_wanted.connect(self.show_home)
        self.context.window.show_screen(screen)

    def _rules_read(self) -> None:
        ReadRulesRecord().remember(study=self._study_key, code=self.context.code)
        self._evaluate()

    @property
    def _study_key(self) -> str:
        return str(self.context.study.places.folder.resolve())

    def _evaluate(self) -> None:
        task = self.task = EvaluationTask(self.context)
        task.home_wanted.connect(self.go_home)
        task.stopped.connect(self._task_stopped)
        task.start()

    def train(self, request: TrainingRequest | None = None) -> None:
        """Show the trainings to choose from, or start the requested one."""
        from labeler.ui.training.training_controller import TrainingController

        task = self.task = TrainingController(self.context)
        task.home_wanted.connect(self.go_home)
        task.stopped.connect(self._task_stopped)
        task.progress_wanted.connect(lambda: self._leave_task(self.show_training_review))
        if request is None:
            task.show_start()
        else:
            # A person who declines stays on the screen that suggested the training.
            task.declined.connect(lambda: self._leave_task(_do_nothing))
            task.ask_for(request)

    def _enter_review(self, phase: Phase) -> None:
        """Go to the blind verdicts while the phase is open, to the discussion afterwards."""
        from labeler.app.study.home_cards import can_settle_disagreements

        stage = Stage.INITIAL if phase is Phase.ANNOTATE else Stage.FINAL
        state = self._phase_states.get(phase)
        if state is not None and can_settle_disagreements(phase, state):
            self._discuss(stage)
        else:
            self._review(stage)

    def _review(self, stage: Stage) -> None:
        from labeler.ui.review.review_controller import ReviewController

        task = self.task = ReviewController(self.context, stage)
        task.home_wanted.connect(self.go_home)
        task.stopped.connect(self._task_stopped)
        task.start()

    def _answer_crowd_tasks(self, kind: CrowdTask) -> None:
        from labeler.ui.crowd.crowd_controller import CrowdController

        task = self.task = CrowdController(self.context, kind)
        task.home_wanted.connect(self.go_home)
        task.stopped.connect(self._task_stopped)
        task.start()

    def review_classes(self) -> None:
        """Review the classes of the newest revision that isn't final."""
        from labeler.ui.curation.class_review_controller import classes_of_revision

        self._review_classes(classes_of_revision(self.context))

    def _review_revision(self, dataset: str, revision: int) -> None:
        from labeler.ui.curation.class_review_controller import classes_of_revision

        classes = classes_of_revision(self.context, dataset, revision)
        self._review_classes(classes, back=self.show_curation)

    def _look_through_pool(self, pool: str, first: str) -> None:
        from labeler.ui.curation.class_review_controller import classes_of_pool

        self._review_classes(classes_of_pool(self.context, pool, first), back=self.show_curation)

    def _review_classes(
        self, classes: "ReviewedClasses", *, back: Callable[[], None] | None = None
    ) -> None:
        from labeler.ui.curation.class_review_controller import ClassReviewController

        task = self.task = ClassReviewController(self.context, classes, goes_home=back is None)
        task.home_wanted.connect(lambda: self._leave_task(back or self.show_home))
        task.start()

    def _discuss(self, stage: Stage) -> None:
        from labeler.ui.review.disagreements_controller import DisagreementsController

        task = self.task = DisagreementsController(self.context, stage)
        task.home_wanted.connect(self.go_home)
        task.stopped.connect(self._task_stopped)
        task.reviewers_wanted.connect(lambda: self._leave_task(self.show_reviewers))
        task.start()

    def _leave_task(self, then: Callable[[], None]) -> None:
        if self.task is not None:
            task, self.task = self.task, None
            task.leave(then)

    def _task_stopped(self, sentence: str) -> None:
        """Go home from a task that can't continue, and show the reason there."""
        self._leave_task(lambda: self.show_home(sentence))

    # Other screens.

    def show_classes(self) -> None:
        from labeler.ui.classes.classes_screen import ClassesScreen

        screen = ClassesScreen(self.context)
        self.context.window.show_screen(screen, hints=HintSet.CLASSES)
        screen.start()

    def show_guide(self) -> None:
        """Show the guide, where it can be edited as well."""
        from labeler.ui.guide.guide_controller import GuideController

        self.guide = GuideController(self.context)
        self.guide.left.connect(self.go_home)
        self.guide.read()

    def _close_guide(self) -> None:
        if self.guide is not None:
            guide, self.guide = self.guide, None
            guide.close()

    def show_models(self) -> None:
        """Show the models; scoring continues while other screens are open."""
        from labeler.ui.models.models_controller import ModelsController

        if self.context.is_blind:
            return
        if self._models is None:
            self._models = ModelsController(self.context)
            self._models.home_wanted.connect(self.show_home)
            self._models.set_up_wanted.connect(partial(self.show_set_up, SetupStep.MODELS))
        self._models.show()

    def show_set_up(self, step: SetupStep | None = None) -> None:
        """Show a step of the set-up, or the next one to do."""
        from labeler.ui.study.setup.setup_controller import SetupController

        if self.context.is_blind:
            return
        controller = self._set_up = SetupController(self.context)
        controller.home_wanted.connect(self.go_home)
        controller.models_wanted.connect(self.show_models)
        controller.near_duplicates_wanted.connect(
            lambda: controller.leave(self.show_near_duplicates)
        )
        controller.restore_wanted.connect(self.restore_wanted)
        controller.show(step)

    def show_reviewers(self) -> None:
        """Show how the reviewers judged, where their verdicts are resolved."""
        from labeler.ui.review.reviewers_screen import ReviewersController

        if self.context.is_blind:
            return
        controller = ReviewersController(self.context)
        controller.home_wanted.connect(self.show_home)
        controller.show()

    def show_crowd_rounds(self, *, back: Callable[[], None] | None = None) -> None:
        from labeler.ui.crowd.rounds_screen import CrowdRoundsScreen

        if self.context.is_blind:
            return
        screen = CrowdRoundsScreen(self.context, goes_home=back is None)
        screen.home_wanted.connect(back or self.show_home)
        self.context.window.show_screen(screen)
        screen.refresh()

    def show_curation(self) -> None:
        """Show the workspace for building a dataset."""
        from labeler.ui.curation.workspace_controller import WorkspaceController

        if self.context.is_blind:
            return
        controller = WorkspaceController(self.context)
        controller.home_wanted.connect(self.show_home)
        controller.rounds_wanted.connect(partial(self.show_crowd_rounds, back=self.show_curation))
        controller.near_duplicates_wanted.connect(
            partial(self.show_near_duplicates, back=self.show_curation)
        )
        controller.candidates_wanted.connect(self._look_through_pool)
        controller.review_wanted.connect(self._review_revision)
        controller.models_wanted.connect(self.show_models)
        controller.show()

    def show_near_duplicates(self, *, back: Callable[[], None] | None = None) -> None:
        """Show the search for near-duplicates and their review; its button goes back or home."""
        from labeler.ui.curation.duplicates_controller import DuplicatesController

        if self.context.is_blind:
            return
        controller = DuplicatesController(self.context, goes_home=back is None)
        controller.home_wanted.connect(back or self.show_home)
        controller.show()

    def show_results(self) -> None:
        from labeler.ui.results.results_controller import ResultsController

        if self.context.is_blind:
            return
        controller = ResultsController(self.context)
        controller.home_wanted.connect(self.show_home)
        controller.show()

    def show_training_review(self, *, discussion: bool = False) -> None:
        """Show the training progress, or the group's discussion."""
        from labeler.ui.training.training_review import TrainingReviewController

        controller = self._training_review = TrainingReviewController(self.context)
        controller.home_wanted.connect(self.show_home)
        controller.training_wanted.connect(self.train)
        if discussion:
            controller.show_discussion()
        else:
            controller.show_progress()


def _do_nothing() -> None:
    """Show no other screen."""
