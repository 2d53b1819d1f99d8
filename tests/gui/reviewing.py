"""A small study in review, and a reviewer at its real window."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.study.entities import Role, Stage
from labeler.core.study.exchange_format import PARTICIPANTS, PREDICTIONS
from labeler.core.study.phases import Phase
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_opening import open_study
from labeler.ui.review.by_class_screen import ReviewByClassScreen
from labeler.ui.review.by_image_screen import ReviewByImageScreen
from labeler.ui.review.end_screen import ReviewEndScreen
from labeler.ui.review.review_controller import ReviewController
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import HAMSTER, TIGER, SmallStudy
from tests.gui.window_session import CONTROL, WindowSession

# By participant: the one class that they give to every image.
Sources = Mapping[str, str]
HUMANS: Sources = {"A": HAMSTER, "B": TIGER}
MODELS: Sources = {"tellingmodel": "n02363005", "othermodel": HAMSTER}


def put_into_review(
    study: SmallStudy,
    folder: Path,
    *,
    humans: Sources = HUMANS,
    models: Sources = MODELS,
    request: PlanSettings | None = None,
) -> None:
    """Have everyone answer, then plan and open the final review for the reviewers R and S."""
    folder.mkdir(parents=True)
    images = study.read(
        "SELECT dataset.name, image.name FROM image JOIN dataset ON dataset.id = dataset_id"
        " WHERE dataset.role = 'evaluation'"
    )
    people = [(code, "model", "") for code in models]
    _write(folder / PARTICIPANTS.name, PARTICIPANTS.columns, people)
    answers = [
        (code, dataset, image, 1, label, "", "", "", "", 0, "")
        for code, label in {**humans, **models}.items()
        for dataset, image in images
    ]
    _write(folder / PREDICTIONS.name, PREDICTIONS.columns, answers)
    with open_study(study.folder, clock=AdjustableClock()) as store:
        import_exchange(store, folder)
        lock_phase(store, Phase.EVALUATE, unfinished=True)
        for code in ("R", "S"):
            add_person(store, code, roles=[Role.REVIEWER])
        plan_review(store, request or PlanSettings(stage=Stage.FINAL, seed=5, reviewers=("R",)))
        open_phase(store, Phase.REVIEW)


def _write(file: Path, columns: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


@dataclass(frozen=True)
class Reviewing:
    """Reviewer R at the review."""

    session: WindowSession

    @property
    def review(self) -> ReviewController:
        review = self.session.opened.navigation.task
        assert isinstance(review, ReviewController)
        return review

    @property
    def by_image(self) -> ReviewByImageScreen:
        assert isinstance(self.review.screen, ReviewByImageScreen)
        return self.review.screen

    @property
    def by_class(self) -> ReviewByClassScreen:
        assert isinstance(self.review.screen, ReviewByClassScreen)
        return self.review.screen

    @property
    def focused(self) -> str | None:
        return self.by_image._view.focused_wnid

    def begin(self, code: str = "R", *, phase: Phase = Phase.REVIEW, waits: bool = True) -> None:
        """From sign-in to the first image, which is waited for."""
        screen = self.session.sign_in_screen()
        screen.code.selectAll()
        self.session.type_in(code)
        self.session.click(screen.roles[Role.REVIEWER])
        self.session.press(Qt.Key.Key_Return)
        button = self.session.home().cards[HomeCardKind(phase.value)].button
        assert button is not None
        self.session.click(button)
        self.session.wait(lambda: self.session.opened.navigation.task is not None)
        self.session.wait(lambda: self.review.screen is not None)
        if waits:
            self.wait_for_image()

    def wait_for_image(self) -> None:
        self.session.wait(lambda: self.by_image._view.image is not None)

    def press(self, key: Qt.Key) -> None:
        self.session.press(key)

    def judge_images(self, key_for: Callable[[str], Qt.Key]) -> None:
        """Judge everything by image, with the keyboard alone."""
        while isinstance(self.review.screen, ReviewByImageScreen):
            wnid = self.focused
            if wnid is None:
                break
            before = self.review.session_presenter.order.done
            self.press(key_for(wnid))
            assert self.review.session_presenter.order.done == before + 1
            self.session.wait(lambda: not self.review.session_presenter.storing.waits)

    def go_by_class(self) -> None:
        self.session.press(Qt.Key.Key_B, CONTROL)
        self.session.wait(lambda: isinstance(self.review.screen, ReviewByClassScreen))

    def judge_classes(self, key_for: Callable[[str], Qt.Key]) -> None:
        """Judge everything by class, tile by tile, with the keyboard alone."""
        while isinstance(self.review.screen, ReviewByClassScreen):
            self.judge_class(key_for)
        self.session.wait(lambda: not self.review.session_presenter.storing.waits)

    def judge_class(self, key_for: Callable[[str], Qt.Key]) -> None:
        """Judge the tiles of the class that is shown; the next one opens on its own."""
        judged, presenter = self._class_shown(), self.review.session_presenter
        for _tile in range(self.by_class._view.left):
            before = presenter.order.done
            self.press(key_for(self.by_class._view.wnid or ""))
            assert presenter.order.done == before + 1
        if not presenter.order.left:
            self.press(Qt.Key.Key_Return)
        # Until everything is known, the next class is looked for.
        self.session.wait(lambda: self._class_shown() != judged)

    def _class_shown(self) -> tuple[str | None, str] | None:
        """The class in the grid and the first of its images; None at the end of them all."""
        if not isinstance(self.review.screen, ReviewByClassScreen):
            return None
        view = self.by_class._view
        return view.wnid, view.tiles[0].visit_id if view.tiles else ""

    def wait_for_end(self) -> ReviewEndScreen:
        screen = self.session.wait_for(ReviewEndScreen)
        assert isinstance(screen, ReviewEndScreen)
        return screen

    def verdicts(self) -> dict[tuple[int, str], str]:
        """What the database holds: the last verdicts by image and label."""
        self.session.wait(lambda: not self.review.session_presenter.storing.waits)
        rows = self.session.study.read(
            "SELECT image_id, wnid, verdict, withdrawn FROM review"
            " JOIN class ON class.id = class_id ORDER BY revision"
        )
        last = {(image, wnid): (verdict, gone) for image, wnid, verdict, gone in rows}
        return {pair: verdict for pair, (verdict, gone) in last.items() if not gone}
