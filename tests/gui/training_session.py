"""A labeler who trains at the real window, and the keys that they press there."""

from PySide6.QtCore import Qt

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.home_cards import HomeCardKind
from labeler.ui.training.summary_screen import TrainingSummaryScreen
from labeler.ui.training.training_controller import TrainingController, TrainingTask
from labeler.ui.training.training_screen import TrainingWorkbenchScreen
from labeler.ui.training.training_start_screen import TrainingStartScreen
from tests.gui.small_study import BEAVER, MARMOT
from tests.gui.window_session import ALT, CONTROL, WindowSession

NAMES = {BEAVER: "beaver", MARMOT: "marmot"}


class Training:
    """A labeler who trains at the real window."""

    def __init__(self, session: WindowSession) -> None:
        self.session = session

    @property
    def start(self) -> TrainingStartScreen:
        screen = self.session.wait_for(TrainingStartScreen)
        assert isinstance(screen, TrainingStartScreen)
        return screen

    @property
    def task(self) -> TrainingTask:
        journey = self.session.opened.navigation.task
        assert isinstance(journey, TrainingController)
        assert journey.task is not None
        return journey.task

    @property
    def screen(self) -> TrainingWorkbenchScreen:
        return self.task.screen

    @property
    def stage(self) -> WorkbenchStage:
        return self.task.workbench.view.stage

    @property
    def position(self) -> int:
        trial = self.task.workbench.view.trial
        assert trial is not None
        return trial.position

    def target(self) -> str:
        """What the image shows, which only a test may know before the answer."""
        trial = self.task.workbench.view.trial
        assert trial is not None
        rows = self.session.study.read(
            "SELECT wnid FROM class JOIN image ON target_id = class.id"
            " JOIN trial ON image_id = image.id WHERE trial.id = ?",
            trial.trial_id.replace("-", ""),
        )
        return rows[0][0]

    def begin(self, names: str = "marmot, beaver") -> None:
        """From home into a training, with the keyboard alone."""
        self.session.click(self.session.home().cards[HomeCardKind.TRAIN].button)
        self.begin_there(names)

    def begin_there(self, names: str = "marmot, beaver") -> None:
        """Into a training from the page before it."""
        start = self.start
        self.session.press(Qt.Key.Key_2, ALT)
        self.session.wait(start.names.field.hasFocus)
        self.session.type_in(names)
        self.session.press(Qt.Key.Key_Return)
        self.wait_for_trial()

    def wait_for_trial(self) -> None:
        self.session.wait_for(TrainingWorkbenchScreen)
        self.session.wait(self._is_shown)

    def _is_shown(self) -> bool:
        trial = self.task.workbench.trial
        shown = self.stage is WorkbenchStage.TRIAL and trial is not None and trial.is_shown
        return shown and self.task.tools.is_activated

    def answer(self, *, right: bool = True) -> None:
        """Answer the trial and wait for what is reported."""
        target = self.target()
        given = target if right else (MARMOT if target == BEAVER else BEAVER)
        self.session.press(Qt.Key.Key_F, CONTROL)
        self.session.press(Qt.Key.Key_Escape)
        self.session.type_in(NAMES[given])
        self.session.press(Qt.Key.Key_Return)
        self.session.press(Qt.Key.Key_Return)
        self.session.wait(lambda: self.stage is WorkbenchStage.FEEDBACK)

    def go_on(self) -> None:
        before = self.task.workbench.trial
        self.session.press(Qt.Key.Key_Return)
        self.session.wait(lambda: self.task.workbench.trial is not before)
        if self.stage is not WorkbenchStage.STORING:
            self.wait_for_trial()

    def summary(self) -> TrainingSummaryScreen:
        screen = self.session.wait_for(TrainingSummaryScreen)
        assert isinstance(screen, TrainingSummaryScreen)
        return screen
