"""Takes a person from screen to screen: start, sign-in, home, classes, and the tasks."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject, QTimer

from labeler.app.preferences import Preferences
from labeler.app.presenters.answer_storing import sentence_for
from labeler.app.presenters.sign_in import Credentials, SignInFacts
from labeler.app.read_rules import ReadRules
from labeler.app.recent_studies import RecentStudies
from labeler.core.clock import Clock
from labeler.core.phases import Phase
from labeler.core.study import Role, Stage
from labeler.ui.look import Look
from labeler.ui.main_window import MainWindow
from labeler.ui.screens.opening import OpeningScreen
from labeler.ui.widgets.hint_bar import Hints
from labeler.ui.window_memory import WindowMemory
from labeler.ui.workers import Workers

if TYPE_CHECKING:
    from labeler.app.home_facts import HomeFacts
    from labeler.app.labeling.sign_in import SignedIn
    from labeler.app.opened_study import OpenedStudy
    from labeler.app.presenters.home import Card
    from labeler.app.study_settings import StudySettings
    from labeler.core.training import TrainingRequest
    from labeler.ui.guide_journey import GuideJourney
    from labeler.ui.labeling_task import Surroundings
    from labeler.ui.looking_back import LookingBack
    from labeler.ui.models_journey import ModelsJourney

T = TypeVar("T")
_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Wish:
    """What the program was started for: a study, perhaps a labeler who wants to go on there."""

    study: Path | None = None
    code: str | None = None


class Leavable(Protocol):
    """Something that a person sits at, and leaves as it is."""

    def leave(self, then: Callable[[], None]) -> None: ...


class Shell(QObject):
    """Knows the open study and who is signed in, and which screen comes after which.

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
        self._wanted_code: str | None = None
        self._minutes = QTimer(self, interval=_MINUTE_MS)
        self._minutes.timeout.connect(self._each_minute)
        self._minutes.start()
        window.home_wanted.connect(self.go_home)
        window.closing.connect(self.close)

    @property
    def task(self) -> "Leavable | None":
        """What the person sits at, if anything: an evaluation or a training."""
        return self._task

    @property
    def is_blind(self) -> bool:
        """Whether whoever sits here may read nothing that could tell a target: all but a lead."""
        return self._person is None or self._person.role is not Role.LEAD

    def start(self, wish: Wish) -> None:
        """Show what the program was started for."""
        self._wanted_code = wish.code
        if wish.study is None:
            self.show_start()
        else:
            self.open_study(wish.study)

    def close(self) -> None:
        """Leave everything so that it is found again."""
        self._close_guide()
        if self._looking_back is not None:
            self._looking_back.keep()
        if self._task is not None:
            self._task.leave(lambda: None)
        self._close_models()
        self._workers.finish()
        if self._study is not None:
            self._study.close()
            self._study = None

    def show_start(self, sentence: str = "") -> None:
        """Show the first page; `sentence` says what didn't go as it should."""
        from labeler.ui.entrance import Entrance

        entrance = Entrance(self._look, workers=self._workers, clock=self._clock, sentence=sentence)
        entrance.study_wanted.connect(self.open_study)
        self._window.show_screen(entrance.screen)

    # A study and a person.

    def open_study(self, path: Path) -> None:
        """Open the study; its window is there while the database is still being opened."""
        self._window.show_screen(OpeningScreen(self._look))
        self._ask(lambda: _opened(path, self._clock), done=self._has_opened, failed=self.show_start)

    def _has_opened(self, opened: "tuple[OpenedStudy, SignInFacts]") -> None:
        self._study, facts = opened
        RecentStudies().remember(self._study.name, self._study.places.folder)
        self._window.set_study(self._study.name)
        code, self._wanted_code = self._wanted_code, None
        if code is None:
            self._show_sign_in(facts)
        else:
            self._sign_in(
                Credentials(code=code, role=Role.LABELER),
                refused=lambda sentence: self._show_sign_in(facts, sentence),
                then=self._begin_evaluation,
            )

    def _show_sign_in(self, facts: SignInFacts, sentence: str = "") -> None:
        from labeler.app.presenters.sign_in import SignIn
        from labeler.ui.screens.sign_in import SignInScreen

        study = self._require_study()
        code, role = self._memory.person(study.places.folder)
        screen = SignInScreen(self._look, SignIn(facts, code=code, role=role))
        screen.other_study_wanted.connect(self._leave_study)
        screen.signed_in_wanted.connect(
            lambda code, role, passphrase: self._sign_in(
                Credentials(code=code, role=role, passphrase=passphrase), refused=screen.refuse
            )
        )
        self._window.show_screen(screen)
        if sentence:
            screen.refuse(sentence)

    def _sign_in(
        self,
        given: Credentials,
        *,
        refused: Callable[[str], None],
        then: Callable[[], None] | None = None,
    ) -> None:
        study = self._require_study()
        self._ask(
            lambda: study.sign_in(given),
            done=lambda person: self._has_signed_in(person, then or self.show_home),
            failed=refused,
        )

    def _has_signed_in(self, person: "SignedIn", then: Callable[[], None]) -> None:
        study = self._require_study()
        self._person = person
        self._memory.remember_person(study.places.folder, code=person.code, role=person.role)
        then()

    def _sign_out(self) -> None:
        self._close_models()
        study, self._person = self._require_study(), None
        self._ask(study.sign_in_facts, done=self._show_sign_in, failed=self.show_start)

    def _leave_study(self) -> None:
        study, self._study, self._person = self._require_study(), None, None
        self._window.set_study("")
        self._ask(study.close, done=lambda _nothing: self.show_start(), failed=self.show_start)

    # Home and what lies behind its cards.

    def go_home(self) -> None:
        """Leave whatever is open for the home of who is signed in."""
        self._close_guide()
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(self.show_home)
        elif self._person is not None:
            self.show_home()

    def _close_guide(self) -> None:
        if self._guide is not None:
            leaving, self._guide = self._guide, None
            leaving.close()

    def show_home(self, sentence: str = "") -> None:
        study, person = self._require_study(), self._require_person()
        self._ask(
            lambda: (study.home(person.code, person.role), study.roles_of(person.code)),
            done=lambda facts: self._render_home(*facts, sentence=sentence),
            failed=self.show_start,
        )

    def _render_home(self, facts: "HomeFacts", roles: tuple[Role, ...], *, sentence: str) -> None:
        from labeler.app.presenters.home import home_view
        from labeler.ui.screens.home import HomeScreen

        self._home = facts
        screen = HomeScreen(self._look, self._window.keymap)
        screen.render_view(home_view(facts, roles=roles, now=self._clock.utc()))
        screen.entered.connect(self._enter)
        screen.classes_wanted.connect(self.show_classes)
        screen.guide_wanted.connect(self.show_guide)
        screen.progress_wanted.connect(self.look_back)
        screen.discussion_wanted.connect(lambda: self.look_back(discussion=True))
        screen.models_wanted.connect(self.show_models)
        screen.settings_wanted.connect(self._window.show_settings)
        screen.role_wanted.connect(self._change_role)
        screen.sign_out_wanted.connect(self._sign_out)
        self._window.show_screen(screen)
        screen.say(sentence)

    def _change_role(self, role: Role) -> None:
        study, person = self._require_study(), self._require_person()
        self._memory.remember_person(study.places.folder, code=person.code, role=role)
        self._sign_out()

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

    def show_results(self) -> None:
        """Show the lead what came of the study."""
        from labeler.ui.results_journey import ResultsJourney

        journey = ResultsJourney(
            self._window,
            look=self._look,
            study=self._require_study(),
            code=self._require_person().code,
            workers=self._workers,
            told=self._sentence,
        )
        journey.home_wanted.connect(self.show_home)
        journey.show()

    def _close_models(self) -> None:
        if self._models is not None:
            leaving, self._models = self._models, None
            leaving.close()

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
        journey.progress_wanted.connect(self._leave_training)
        if request is None:
            journey.show_start()
        else:
            journey.begin(request)

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
        task.start()

    def _leave_training(self) -> None:
        """Leave the page before a training for the progress."""
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(self.look_back)

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

    def _stopped(self, sentence: str) -> None:
        """The task can't go on; the reason is told at home."""
        if self._task is not None:
            leaving, self._task = self._task, None
            leaving.leave(lambda: self.show_home(sentence))

    # Asking the study.

    def _ask(
        self, work: Callable[[], T], *, done: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        self._workers.database.submit(
            lambda _job: work(),
            done=done,
            failed=lambda error: failed(self._sentence(error)),
        )

    def _each_minute(self) -> None:
        study = self._study
        if study is not None:
            self._workers.background.submit(
                lambda _job: study.back_up(),
                done=_ignore,
                failed=lambda error: _ignore(self._sentence(error)),
                urgent=False,
            )

    def _sentence(self, error: Exception) -> str:
        return sentence_for(error, clock=self._clock, blind=self.is_blind)

    def _require_study(self) -> "OpenedStudy":
        assert self._study is not None, "this screen belongs to a study"
        return self._study

    def _require_person(self) -> "SignedIn":
        assert self._person is not None, "this screen belongs to somebody who signed in"
        return self._person


def _opened(path: Path, clock: Clock) -> "tuple[OpenedStudy, SignInFacts]":
    # The database's modules take longer to import than the window to appear.
    from labeler.app.opened_study import open_for_window

    study = open_for_window(path, clock=clock)
    return study, study.sign_in_facts()


def _ignore(_answer: object) -> None:
    """Nobody waits for it."""
