"""A review of two images in memory, and a reviewer who sits at it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pytest

from labeler.app.classes.class_view import ClassListRow
from labeler.app.review.by_class import ReviewByClass
from labeler.app.review.by_image import ReviewByImage
from labeler.app.review.session import ClassToJudge, ReviewPosition, ReviewStart
from labeler.app.review.session_presenter import ReviewSessionPresenter
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.review.blind_types import BlindLabel, BlindVisit, CommittedVerdict, Lap, OwnFlag
from labeler.core.review.visit_order import ClassRound, ReviewOrder
from labeler.core.study.entities import Verdict
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner


@dataclass
class StubReviewSession:
    """A study of two images in memory, whose disk may be full."""

    stored: list[CommittedVerdict] = field(default_factory=list)
    kept: list[Lap] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    places: list[ReviewPosition] = field(default_factory=list)
    full: bool = False
    is_read_only: bool = False

    def begin(self) -> ReviewStart:
        return ReviewStart(
            session_id="s",
            visits=(
                BlindVisit("one", (BlindLabel("x"), BlindLabel("y"))),
                BlindVisit("two", (BlindLabel("x"),)),
            ),
            checks=(),
            subsets=(),
            idle_after_ms=60_000,
        )

    def visits(self) -> tuple[BlindVisit, ...]:
        return self.begin().visits

    def class_to_judge(self, one: ClassRound, *, past: bool) -> ClassToJudge | None:
        order = ReviewOrder(self.visits())
        found = order.waiting_round(one, past=past)
        if found is None:
            return None
        asked = (order[visit_id] for visit_id in order.tiles(found))
        return ClassToJudge(found, tuple(asked))

    def keep_place(self, place: ReviewPosition) -> None:
        self.places.append(place)

    def commit(self, verdicts: Sequence[CommittedVerdict]) -> None:
        if self.full:
            raise EnvironmentFault("The disk is full.")
        self.stored += verdicts

    def keep(self, verdicts: Sequence[CommittedVerdict]) -> None: ...
    def take_over(self) -> None: ...
    def become_read_only(self) -> None: ...
    def add_label(self, visit_id: str, wnid: str) -> None: ...
    def flag_of(self, visit_id: str) -> OwnFlag | None: ...
    def flagged_visits(self) -> frozenset[str]:
        return frozenset()

    def half_written_flag(self, visit_id: str) -> OwnFlag | None: ...
    def keep_flag(self, visit_id: str, flag: OwnFlag) -> None: ...
    def flag(self, visit_id: str, flag: OwnFlag) -> None: ...
    def answer_check(self, check_id: str, found: OwnFlag, lap: Lap | None = None) -> None: ...
    def take_back_check(self, check_id: str, lap: Lap | None = None) -> None: ...

    def record_sights(self, visit_ids: Iterable[str]) -> None:
        self.seen.update(visit_ids)

    def keep_lap(self, lap: Lap) -> None:
        self.kept.append(lap)

    def end(self, lap: Lap | None = None) -> None:
        self.kept += [] if lap is None else [lap]


@dataclass
class StartedReview:
    session: StubReviewSession
    database: LateRunner
    clock: AdjustableClock
    presenter: ReviewSessionPresenter
    by_image: ReviewByImage[str]
    by_class: ReviewByClass

    def said(self) -> list[tuple[str, str, Verdict | None]]:
        return [
            (v.visit_id, v.label, v.own.verdict if v.own else None) for v in self.session.stored
        ]


def named(wnid: str) -> ClassListRow:
    return ClassListRow(wnid, f"class {wnid}", "a gloss", "a path")


def judged_by_image(
    presenter: ReviewSessionPresenter, clock: AdjustableClock
) -> ReviewByImage[str]:
    """Reviewing by image, with a word for every picture."""
    images = TrialImageLoader[str](
        fetch=lambda _visit: EncodedImage(b"", apply_exif=False),
        prepare=lambda _encoded, _viewport: "pixels",
        refit=lambda pixels, _viewport: pixels,
        runner=LateRunner(),
        clock=clock,
    )
    return ReviewByImage[str](session_presenter=presenter, images=images, name_class=named)


def start_review() -> StartedReview:
    """A reviewer at the first image of the plain desk."""
    session, database, clock = StubReviewSession(), LateRunner(), AdjustableClock()
    presenter = ReviewSessionPresenter(
        session=session, database=database, reading=database, clock=clock
    )
    by_image = judged_by_image(presenter, clock)
    by_class = ReviewByClass(session_presenter=presenter, name_class=named)
    presenter.begin(started=by_image.start, failed=pytest.fail)
    database.finish_all()
    return StartedReview(session, database, clock, presenter, by_image, by_class)
