"""Where a person can go from home, and how they come back: the tasks, and what lies beside them."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject

from labeler.app.preferences import Preferences
from labeler.app.presenters.answer_storing import sentence_for
from labeler.app.read_rules import ReadRules
from labeler.core.clock import Clock
from labeler.core.phases import Phase
from labeler.core.study import Role, Stage
from labeler.ui.look import Look
from labeler.ui.main_window import MainWindow
from labeler.ui.widgets.hint_bar import Hints
from labeler.ui.window_memory import WindowMemory
from labeler.ui.workers import Workers

if TYPE_CHECKING:
    from labeler.app.home_facts import HomeFacts
    from labeler.app.labeling.signed_in import SignedIn
    from labeler.app.opened_study import OpenedStudy
    from labeler.app.presenters.home import Card
    from labeler.app.study_settings import StudySettings
    from labeler.core.training import TrainingRequest
    from labeler.ui.guide_journey import GuideJourney
    from labeler.ui.labeling_task import Surroundings
    from labeler.ui.looking_back import LookingBack
    from labeler.ui.models_journey import ModelsJourney

T = TypeVar("T")


class Leavable(Protocol):
    """Something that a person sits at, and leaves as it is."""

    def leave(self, then: Callable[[], None]) -> None: ...


class Journeys(QObject):
    """Knows what a person sits at; how they came to be at home is left open.

    Each screen is imported when it is first shown, so that the way to any of them is short.
    """

    def __init__(
        self,
        window: MainWindow,
        *,
        look: Look,
        preferences: Preferences,
        memory: WindowMemory,
        workers: Workers,
        clock: Clock,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._look = look
        self._preferences, self._memory = preferences, memory
        self._workers, self._clock = workers, clock
        self._study: OpenedStudy | None = None
        self._person: SignedIn | None = None
        self._models: ModelsJourney | None = None
        self._guide: GuideJourney | None = None
        self._looking_back: LookingBack | None = None
        self._task: Leavable | None = None
        self._home: HomeFacts | None = None

    @abstractmethod
    def show_home(self, sentence: str = "") -> None:
        """Show the home of who is signed in; `sentence` says what didn't go as it should."""

    @property
    def task(self) -> "Leavable | None":
        """What the person sits at, if anything: an evaluation or a training."""
        return self._task

    @property
    def is_blind(self) -> bool:
        """Whether whoever sits here may read nothing that could tell a target: all but a lead."""
        return self._person is None or self._person.role is not Role.LEAD

    def go_home(self) -> None:
        """Leave whatever is open for the home of who is signed in."""
        self._close_guide()
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(self.show_home)
        elif self._person is not None:
            self.show_home()

    # Beside the tasks.

    def show_classes(self, *, guide: bool = False) -> None:
        from labeler.ui.screens.classes import ClassesScreen

        study = self._require_study()
        screen = ClassesScreen(
            look=self._look,
            keymap=self._window.keymap,
            study=study,
            workers=self._workers,
            memory=self._memory,
        )
        self._window.show_screen(screen, hints=Hints.CLASSES)
        screen.start(guide=guide)

    def show_guide(self) -> None:
        """Show the guide on its own screen, where it can be written too."""
        from labeler.ui.guide_journey import GuideJourney

        person = self._require_person()
        self._guide = GuideJourney(
            self._window,
            look=self._look,
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
        from labeler.ui.models_journey import ModelsJourney

        if self._models is None:
            self._models = ModelsJourney(
                self._window,
                look=self._look,
                study=self._require_study(),
                code=self._require_person().code,
                workers=self._workers,
                clock=self._clock,
                told=self._sentence,
            )
            self._models.home_wanted.connect(self.show_home)
        self._models.show()

    def show_set_up(self) -> None:
        """Show the lead how far the study is set up, and what comes next."""
        from labeler.ui.set_up_journey import SetUpJourney

        journey = SetUpJourney(
            self._window,
            look=self._look,
            study=self._require_study(),
            code=self._require_person().code,
            workers=self._workers,
            clock=self._clock,
            told=self._sentence,
        )
        journey.home_wanted.connect(self.show_home)
        journey.restore_wanted.connect(self.restore)
        journey.show()

    @abstractmethod
    def restore(self, backup: str) -> None:
        """Put a backup in the study's place and open it anew."""

    def show_reviewers(self) -> None:
        """Show the lead how the reviewers judge, and resolve their verdicts."""
        from labeler.ui.reviewers_journey import ReviewersJourney

        if self.is_blind:
            return
        journey = ReviewersJourney(
            self._window,
            look=self._look,
            study=self._require_study(),
            workers=self._workers,
            told=self._sentence,
        )
        journey.home_wanted.connect(self.show_home)
        journey.show()

    def show_results(self) -> None:
        """Show the lead what came of the study; nobody else has a way there."""
        if self.is_blind:
            return
        from labeler.ui.results_journey import ResultsJourney

        person = self._require_person()
        journey = ResultsJourney(
            self._window,
            look=self._look,
            study=self._require_study(),
            code=person.code,
            role=person.role,
            workers=self._workers,
            clock=self._clock,
            told=self._sentence,
        )
        journey.home_wanted.connect(self.show_home)
        journey.show()

    def look_back(self, *, discussion: bool = False) -> None:
        """Look back at training: the progress, or the group's discussion."""
        from labeler.ui.looking_back import LookingBack

        self._looking_back = LookingBack(
            self._window,
            look=self._look,
            study=self._require_study(),
            person=self._require_person(),
            workers=self._workers,
            told=self._sentence,
        )
        self._looking_back.home_wanted.connect(self.show_home)
        self._looking_back.training_wanted.connect(self.train)
        if discussion:
            self._looking_back.show_discussion()
        else:
            self._looking_back.show_progress()

    # The tasks.

    def _enter(self, card: "Card") -> None:
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
        if ReadRules().has_read(study=str(study.places.folder.resolve()), code=person.code):
            self.evaluate()
        else:
            self._ask(
                lambda: (study.home(person.code, person.role), study.settings()),
                done=lambda known: self._show_rules(*known),
                failed=self.show_home,
            )

    def _show_rules(self, facts: "HomeFacts", settings: "StudySettings") -> None:
        from labeler.app.presenters.rules import rules_view
        from labeler.ui.screens.rules import RulesScreen

        view = rules_view(
            images=facts.own.total if facts.own else 0,
            idle_seconds=settings.idle_seconds,
            asks_confidence=settings.asks_confidence,
        )
        screen = RulesScreen(self._look, self._window.keymap, view)
        screen.begin_wanted.connect(self._rules_read)
        screen.home_wanted.connect(self.show_home)
        self._window.show_screen(screen)

    def _rules_read(self) -> None:
        study, person = self._require_study(), self._require_person()
        ReadRules().remember(study=str(study.places.folder.resolve()), code=person.code)
        self.evaluate()

    def evaluate(self) -> None:
        """Sit down at the evaluation."""
        from labeler.ui.evaluation import Evaluation

        evaluation = self._task = Evaluation(self._window, self._surroundings())
        evaluation.home_wanted.connect(self.go_home)
        evaluation.stopped.connect(self._stopped)
        evaluation.start()

    def train(self, request: "TrainingRequest | None" = None) -> None:
        """Go to the page before a training, or straight into the one that is asked for."""
        from labeler.ui.training import TrainingJourney

        journey = self._task = TrainingJourney(self._window, self._surroundings())
        journey.home_wanted.connect(self.go_home)
        journey.stopped.connect(self._stopped)
        journey.progress_wanted.connect(lambda: self._leave_task(self.look_back))
        if request is None:
            journey.show_start()
        else:
            # Whoever thinks again stays where the training was suggested.
            journey.declined.connect(self._forget_task)
            journey.ask_for(request)

    def _forget_task(self) -> None:
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
        from labeler.app.presenters.home import is_settled

        stage = Stage.INITIAL if phase is Phase.ANNOTATE else Stage.FINAL
        states = {} if self._home is None else {p.phase: p.state for p in self._home.phases}
        if phase in states and is_settled(phase, states[phase]):
            self.discuss(stage)
        else:
            self.review(stage)

    def review(self, stage: Stage) -> None:
        """Sit down at a review."""
        from labeler.ui.review import Review

        review = self._task = Review(self._window, self._surroundings(), stage)
        review.home_wanted.connect(self.go_home)
        review.stopped.connect(self._stopped)
        review.start()

    def discuss(self, stage: Stage) -> None:
        """Sit down with the others to settle what reviewers differ on."""
        from labeler.ui.discussing import Discussing

        role = self._require_person().role
        task = self._task = Discussing(self._window, self._surroundings(), role=role, stage=stage)
        task.stopped.connect(self._stopped)
        task.reviewers_wanted.connect(lambda: self._leave_task(self.show_reviewers))
        task.start()

    def _stopped(self, sentence: str) -> None:
        """The task can't go on; the reason is told at home."""
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(lambda: self.show_home(sentence))

    def _surroundings(self) -> "Surroundings":
        from labeler.ui.labeling_task import Surroundings

        return Surroundings(
            look=self._look,
            keymap=self._window.keymap,
            study=self._require_study(),
            code=self._require_person().code,
            preferences=self._preferences,
            memory=self._memory,
            workers=self._workers,
            clock=self._clock,
        )

    def _close_guide(self) -> None:
        if self._guide is not None:
            leaving, self._guide = self._guide, None
            leaving.close()

    def _close_models(self) -> None:
        if self._models is not None:
            leaving, self._models = self._models, None
            leaving.close()

    # Asking the study.

    def _ask(
        self, work: Callable[[], T], *, done: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        self._workers.database.submit(
            lambda _job: work(),
            done=done,
            failed=lambda error: failed(self._sentence(error)),
        )

    def _sentence(self, error: Exception) -> str:
        return sentence_for(error, clock=self._clock, blind=self.is_blind)

    def _require_study(self) -> "OpenedStudy":
        assert self._study is not None, "this screen belongs to a study"
        return self._study

    def _require_person(self) -> "SignedIn":
        assert self._person is not None, "this screen belongs to somebody who signed in"
        return self._person
