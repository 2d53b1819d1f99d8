"""What lies beside the tasks: classes, guide, models, results, and the lead's other screens."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from labeler.ui.window.hint_bar import HintSet
from labeler.ui.window.session_context import SessionContext

if TYPE_CHECKING:
    from labeler.app.study.setup.steps import SetupStep
    from labeler.core.training.request import TrainingRequest


class ScreenNavigation(SessionContext):
    """Each screen is imported when it is first shown, so that the way to any of them is short.

    The lead's own are closed to everybody else, whatever asks for them.
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
            look=self._look,
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
        from labeler.ui.models.models_controller import ModelsController

        if self.is_blind:
            return
        if self._models is None:
            self._models = ModelsController(
                self._window,
                look=self._look,
                study=self._require_study(),
                code=self._require_person().code,
                workers=self._workers,
                clock=self._clock,
                told=self._sentence,
            )
            self._models.home_wanted.connect(self.show_home)
            self._models.set_up_wanted.connect(self._set_up_models)
        self._models.show()

    def _set_up_models(self) -> None:
        """Go to the models' step of setting up: whoever came from there is back."""
        from labeler.app.study.setup.steps import SetupStep

        self.show_set_up(SetupStep.MODELS)

    def show_set_up(self, step: "SetupStep | None" = None) -> None:
        """Show the lead how far the study is set up, and a step of it, or what comes next."""
        from labeler.ui.study.setup.setup_controller import SetupController

        if self.is_blind:
            return
        journey = self._set_up = SetupController(
            self._window,
            look=self._look,
            study=self._require_study(),
            code=self._require_person().code,
            workers=self._workers,
            clock=self._clock,
            told=self._sentence,
        )
        journey.home_wanted.connect(self.go_home)
        journey.models_wanted.connect(self.show_models)
        journey.restore_wanted.connect(self.restore)
        journey.show(step)

    @abstractmethod
    def restore(self, backup: str) -> None:
        """Put a backup in the study's place and open it anew."""

    def show_reviewers(self) -> None:
        """Show the lead how the reviewers judge, and resolve their verdicts."""
        from labeler.ui.review.reviewers_journey import ReviewersController

        if self.is_blind:
            return
        journey = ReviewersController(
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
        from labeler.ui.results.results_controller import ResultsController

        person = self._require_person()
        journey = ResultsController(
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
        from labeler.ui.training.training_review import TrainingReviewController

        self._looking_back = TrainingReviewController(
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

    def _close_guide(self) -> None:
        if self._guide is not None:
            leaving, self._guide = self._guide, None
            leaving.close()

    def _close_models(self) -> None:
        if self._models is not None:
            leaving, self._models = self._models, None
            leaving.close()
