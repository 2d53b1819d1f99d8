"""The workbench on a real study: trials, answers, pauses, faults; each answer once, none lost."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from labeler.app.labeling.desk import EvaluationDesk
from labeler.app.phases import lock_phase, open_phase
from labeler.app.presenters.trial_images import TrialImages
from labeler.app.presenters.workbench import KEPT_EVERY_MS, Workbench
from labeler.app.presenters.workbench_views import ChosenClass, Stage, Wanted, WorkbenchView
from labeler.core.blind import EncodedPicture
from labeler.core.phases import Phase
from labeler.core.study import Attention
from labeler.core.trial_record import TrialFlag
from labeler.core.view_geometry import Viewport
from labeler.store.opening import open_study
from labeler.store.study import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner

FISH, DOG = "n01440764", "n02085620"


def prepared(picture: EncodedPicture, _viewport: Viewport) -> bytes:
    return picture.data


def refitted(pixels: bytes, _viewport: Viewport) -> bytes:
    return pixels


def named(wnid: str) -> ChosenClass:
    return ChosenClass(wnid, f"name of {wnid}", "path")


@dataclass
class Sitting:
    """A labeler at a workbench; nothing happens until the runner is told to."""

    store: StudyStore
    clock: AdjustableClock
    runner: LateRunner = field(default_factory=LateRunner)
    views: list[WorkbenchView[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = EvaluationDesk(self.store, "A")
        images = TrialImages(
            fetch=self.desk.picture,
            prepare=prepared,
            refit=refitted,
            runner=self.runner,
            clock=self.clock,
        )
        self.bench = Workbench(
            desk=self.desk, database=self.runner, images=images, clock=self.clock, name_class=named
        )
        self.bench.listen(self.views.append)

    @property
    def view(self) -> WorkbenchView[bytes]:
        return self.bench.view

    @property
    def position(self) -> int | None:
        return self.view.trial.position if self.view.trial else None

    def work(self) -> None:
        """Let everything that waits be done, and all that follows from it, and paint."""
        while self.runner.tickets:
            self.runner.finish_all()
        if self.view.image is not None:
            self.bench.painted(self.view.image.trial_id)

    def begin(self) -> "Sitting":
        self.bench.begin()
        self.work()
        return self

    def answer(self, wnid: str = FISH) -> None:
        self.bench.choose(wnid)
        self.bench.submit()
        self.work()

    def stored(self) -> list[tuple[int, int, str, int]]:
        """Position, revision, label and active milliseconds of every stored answer."""
        database = self.store.folder.path / "study.db"
        with sqlite3.connect(database) as connection:
            return connection.execute(
                "SELECT t.position, p.revision, c.wnid, p.active_ms FROM prediction p"
                " JOIN trial t ON t.id = p.trial_id JOIN class c ON c.id = p.class_id"
                " ORDER BY p.committed_at, p.revision"
            ).fetchall()


@pytest.fixture
def evaluated(healthy: Path, clock: AdjustableClock) -> StudyStore:
    store = open_study(healthy, clock=clock)
    open_phase(store, Phase.EVALUATE)
    return store


@pytest.fixture
def sit_down(evaluated: StudyStore, clock: AdjustableClock) -> Callable[[], Sitting]:
    return lambda: Sitting(evaluated, clock)


@pytest.fixture
def sitting(sit_down: Callable[[], Sitting]) -> Sitting:
    return sit_down().begin()


def test_it_begins_at_the_first_image_with_nothing_chosen(sitting: Sitting) -> None:
    assert (sitting.view.stage, sitting.position) == (Stage.TRIAL, 1)
    assert sitting.view.answer.label is None
    assert not sitting.view.can_submit
    assert (sitting.view.progress.done, sitting.view.progress.left) == (0, 4)


def test_a_submitted_answer_is_stored_and_the_next_image_comes(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=7_000)
    sitting.answer(DOG)
    assert sitting.stored() == [(1, 1, DOG, 7_000)]
    assert sitting.position == 2
    assert sitting.view.answer.label is None
    assert sitting.view.progress.pace_ms == 7_000


def test_the_next_image_waits_until_the_answer_is_on_disk(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    assert (sitting.view.stage, sitting.position) == (Stage.STORING, 1)
    assert sitting.stored() == []
    sitting.work()
    assert sitting.position == 2


def test_the_next_trial_needs_nothing_from_disk_any_more(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.work()
    sitting.bench.submit()
    commit = sitting.runner.tickets.pop(0)
    sitting.runner.tickets.clear()
    commit.finish()
    assert sitting.position == 2
    assert sitting.view.image is not None
    assert sitting.view.image.trial_id == sitting.view.trial.trial_id


def test_submitting_twice_stores_one_answer(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    for _ in range(5):
        sitting.bench.submit()
    sitting.work()
    for _ in range(5):
        sitting.bench.submit()
    sitting.work()
    assert [(position, revision) for position, revision, *_ in sitting.stored()] == [(1, 1)]
    assert sitting.view.notice.startswith("No class is chosen yet")


def test_choosing_while_the_answer_is_stored_changes_neither_trial(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    sitting.bench.choose(DOG)
    sitting.bench.choose_or_submit(DOG)
    sitting.work()
    assert [row[2] for row in sitting.stored()] == [FISH]
    assert sitting.view.answer.label is None


def test_nothing_can_be_chosen_before_the_image_is_painted(sit_down: Callable[[], Sitting]) -> None:
    sitting = sit_down()
    sitting.bench.begin()
    while sitting.runner.tickets:
        sitting.runner.finish_all()
    sitting.bench.choose(FISH)
    assert sitting.view.answer.label is None
    assert "not on the screen yet" in sitting.view.notice
    sitting.work()
    sitting.bench.choose(FISH)
    assert sitting.view.answer.label == named(FISH)


def test_the_same_key_chooses_and_then_submits(sitting: Sitting) -> None:
    sitting.bench.choose_or_submit(FISH)
    assert sitting.view.answer.label == named(FISH)
    sitting.bench.choose_or_submit(DOG)
    assert sitting.view.answer.label == named(DOG)
    sitting.bench.choose_or_submit(DOG)
    sitting.work()
    assert [row[2] for row in sitting.stored()] == [DOG]


def test_an_escape_hatch_asks_for_the_alternative(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    assert sitting.view.answer.wanted is Wanted.ALTERNATIVE
    sitting.bench.submit()
    assert "needs an alternative" in sitting.view.notice
    sitting.bench.choose_or_submit(DOG)
    assert (sitting.view.answer.label, sitting.view.answer.alternative) == (named(FISH), named(DOG))
    sitting.bench.toggle_escape_hatch()
    assert sitting.view.answer.alternative is None
    assert sitting.view.can_submit


def test_the_key_that_chose_the_alternative_then_submits(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    sitting.bench.choose_or_submit(DOG)
    sitting.bench.choose_or_submit(DOG)
    sitting.work()
    assert [row[2] for row in sitting.stored()] == [FISH], "the alternative isn't the label"
    assert sitting.position == 2


def test_an_alternative_that_was_left_there_can_become_the_label(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    sitting.answer(DOG)
    sitting.bench.back()
    sitting.work()
    sitting.bench.choose_or_submit(DOG)
    assert sitting.view.stage is Stage.TRIAL
    assert sitting.view.answer.label == named(DOG)


def test_going_back_changes_the_answer_and_keeps_the_first(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=3_000)
    sitting.answer(FISH)
    sitting.bench.back()
    sitting.work()
    assert (sitting.position, sitting.view.answer.label) == (1, named(FISH))
    assert sitting.view.answer.is_revision
    sitting.clock.go_on(milliseconds=2_000)
    sitting.answer(DOG)
    assert sitting.stored() == [(1, 1, FISH, 3_000), (1, 2, DOG, 5_000)]
    assert sitting.position == 2


def test_a_trial_left_half_done_is_found_as_it_was(sitting: Sitting) -> None:
    sitting.answer(FISH)
    sitting.clock.go_on(milliseconds=4_000)
    sitting.bench.choose(DOG)
    sitting.bench.remember(shortlist=(DOG, FISH), query="dog")
    sitting.bench.back()
    sitting.work()
    sitting.bench.onwards()
    sitting.work()
    assert (sitting.position, sitting.view.answer.label) == (2, named(DOG))
    assert sitting.bench.trial is not None
    assert (sitting.bench.trial.shortlist, sitting.bench.trial.query) == ((DOG, FISH), "dog")
    assert sitting.bench.trial.active_ms == 4_000


def test_nobody_passes_an_image_without_answering_it(sitting: Sitting) -> None:
    sitting.bench.onwards()
    assert sitting.position == 1
    assert sitting.view.notice.startswith("Answer this image first")


def test_after_a_crash_the_same_trial_comes_with_its_time(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    sitting.answer(FISH)
    sitting.bench.choose(DOG)
    sitting.bench.set_note("a dog, surely")
    sitting.bench.remember(shortlist=(FISH,), query="fi")
    for _ in range(KEPT_EVERY_MS // 1_000 + 1):
        sitting.clock.go_on(milliseconds=1_000)
        sitting.bench.tick()
    while sitting.runner.tickets:
        sitting.runner.finish_all()
    again = sit_down().begin()
    assert again.position == 2
    assert again.view.answer.label == named(DOG)
    assert again.view.answer.note == "a dog, surely"
    assert again.bench.trial is not None
    assert again.bench.trial.shortlist == (FISH,)
    assert again.bench.trial.active_ms >= KEPT_EVERY_MS
    assert "Your answer and your time so far are kept" in again.view.notice


def test_a_pause_covers_the_image_and_stops_the_clock(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=1_000)
    sitting.bench.pause_or_resume()
    assert sitting.view.stage is Stage.PAUSED
    sitting.clock.go_on(milliseconds=60_000)
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    assert sitting.view.answer.label is None
    sitting.bench.pause_or_resume()
    sitting.clock.go_on(milliseconds=2_000)
    sitting.answer(FISH)
    assert sitting.stored() == [(1, 1, FISH, 3_000)]


def test_time_in_another_program_does_not_count(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=1_000)
    sitting.bench.turn_away()
    sitting.clock.go_on(milliseconds=9_000)
    sitting.bench.attend(Attention.SEARCH)
    sitting.clock.go_on(milliseconds=500)
    sitting.answer(FISH)
    assert sitting.stored() == [(1, 1, FISH, 1_500)]


def test_an_answer_that_cannot_be_stored_stays_until_it_can(
    sitting: Sitting, evaluated: StudyStore
) -> None:
    database = evaluated.folder.path / "study.db"
    sitting.work()
    blocker = sqlite3.connect(database, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    sitting.bench.choose(FISH)
    sitting.runner.tickets.clear()  # the draft's turn never comes
    sitting.bench.submit()
    sitting.runner.finish_all()
    assert sitting.view.stage is Stage.NOT_STORED
    assert (sitting.position, sitting.view.answer.label) == (1, named(FISH))
    assert sitting.view.trouble.endswith(".")
    blocker.execute("ROLLBACK")
    blocker.close()
    sitting.clock.go_on(milliseconds=6_000)
    sitting.bench.tick()
    sitting.work()
    assert [row[:3] for row in sitting.stored()] == [(1, 1, FISH)]
    assert sitting.position == 2


def test_no_trouble_with_a_draft_hides_that_an_answer_waits(
    sit_down: Callable[[], Sitting], evaluated: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labeler.store.database.HURRIED_SECONDS", 0)
    sitting = sit_down().begin()
    sitting.answer(FISH)
    sitting.bench.back()
    sitting.work()
    sitting.bench.onwards()
    sitting.work()
    with closing(sqlite3.connect(evaluated.folder.database, isolation_level=None)) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        sitting.bench.choose(DOG)
        sitting.bench.back()
        sitting.bench.painted(sitting.view.trial.trial_id)
        sitting.bench.choose(DOG)
        sitting.bench.submit()
        sitting.work()  # the answer's turn comes before that of the draft of the trial left
    assert sitting.view.stage is Stage.NOT_STORED
    assert "safe in a journal" in sitting.view.trouble


def test_when_the_evaluation_is_locked_meanwhile_the_labeler_is_told(
    sitting: Sitting, evaluated: StudyStore
) -> None:
    lock_phase(evaluated, Phase.EVALUATE, unfinished=True)
    sitting.answer(FISH)
    assert sitting.view.stage is Stage.NOT_STORED
    assert "isn't open" in sitting.view.trouble
    assert sitting.stored() == []


def test_a_flagged_image_is_set_aside(sitting: Sitting) -> None:
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    sitting.work()
    assert sitting.position == 2
    assert (sitting.view.progress.set_aside, sitting.view.progress.left) == (1, 3)


def test_an_image_that_cannot_be_shown_can_be_flagged(
    sit_down: Callable[[], Sitting], evaluated: StudyStore
) -> None:
    with evaluated.read() as study:
        root = next(d.root for d in study.datasets.all() if d.name == "val")
    for file in Path(str(root)).rglob("*.JPEG"):
        file.unlink()
    sitting = sit_down().begin()
    assert sitting.view.image is None
    assert "can't be shown" in sitting.view.trouble
    assert "JPEG" not in sitting.view.trouble
    sitting.bench.choose(FISH)
    assert sitting.view.answer.label is None
    sitting.bench.flag(TrialFlag.NOT_SHOWN)
    sitting.work()
    assert sitting.position == 2


def test_the_end_is_a_clear_moment_with_a_last_chance(sitting: Sitting) -> None:
    sitting.bench.toggle_mark()
    for _ in range(4):
        sitting.answer()
    assert sitting.view.stage is Stage.FINISHED
    assert [trial.position for trial in sitting.view.marked] == [1]
    sitting.bench.go_to(sitting.view.marked[0].trial_id)
    sitting.work()
    assert (sitting.position, sitting.view.answer.label) == (1, named(FISH))
    sitting.answer(DOG)
    assert sitting.view.stage is Stage.FINISHED
    sitting.bench.lock(failed=pytest.fail)
    sitting.work()
    assert sitting.view.stage is Stage.LOCKED


def test_a_lock_that_is_refused_is_told(sitting: Sitting) -> None:
    told: list[str] = []
    sitting.bench.lock(failed=told.append)
    sitting.work()
    assert told == ["4 trials aren't answered yet. The answers are locked when all are."]
    assert sitting.view.stage is Stage.TRIAL


def test_marks_survive_the_session(sitting: Sitting, sit_down: Callable[[], Sitting]) -> None:
    sitting.bench.toggle_mark()
    sitting.work()
    again = sit_down().begin()
    assert again.view.trial is not None
    assert again.view.trial.marked


def test_recent_classes_are_the_last_answers_without_counts(sitting: Sitting) -> None:
    for wnid in (FISH, DOG, FISH):
        sitting.answer(wnid)
    assert sitting.view.recent == (named(FISH), named(DOG))
    sitting.bench.choose_recent(2)
    assert sitting.view.answer.label == named(DOG)
    sitting.bench.choose_recent(7)
    assert sitting.view.answer.label == named(DOG)


def test_leaving_ends_the_session_and_calls_nobody_back(sitting: Sitting) -> None:
    left: list[bool] = []
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    sitting.bench.leave(lambda: left.append(True))
    sitting.work()
    assert sitting.view.stage is Stage.STOPPED
    assert left == [True]
    assert [row[2] for row in sitting.stored()] == [FISH]


def test_who_cannot_begin_is_told_why(healthy: Path, clock: AdjustableClock) -> None:
    with open_study(healthy, clock=clock) as store:
        sitting = Sitting(store, clock).begin()
    assert sitting.view.stage is Stage.STOPPED
    assert sitting.view.trouble == "The evaluation isn't open yet: ask the lead to open it."


def test_when_all_is_done_onwards_leads_to_the_end_again(sitting: Sitting) -> None:
    for _ in range(4):
        sitting.answer()
    sitting.bench.go_to(sitting.bench.trials[1].trial_id)
    sitting.work()
    sitting.bench.onwards()
    sitting.work()
    assert sitting.view.stage is Stage.FINISHED
    assert len(sitting.stored()) == 4


def test_who_left_at_the_end_begins_at_the_end(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    for _ in range(4):
        sitting.answer()
    sitting.bench.go_to(sitting.bench.trials[1].trial_id)
    sitting.work()
    sitting.bench.leave()
    sitting.work()
    sitting.clock.go_on(minutes=30)
    assert sit_down().begin().view.stage is Stage.FINISHED


def test_a_flag_can_be_taken_back(sitting: Sitting) -> None:
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    sitting.work()
    sitting.bench.back()
    sitting.work()
    assert sitting.view.trial is not None
    assert sitting.view.trial.flagged
    sitting.bench.take_flag_back()
    sitting.work()
    assert (sitting.position, sitting.view.progress.left) == (1, 4)
    sitting.answer()
    assert [row[0] for row in sitting.stored()] == [1]


def test_confidence_is_nobodys_business_where_the_study_does_not_ask(sitting: Sitting) -> None:
    sitting.bench.set_confidence(3)
    assert sitting.view.answer.confidence is None


def test_the_intended_subject_is_another_class_than_the_answer(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    sitting.bench.choose(FISH)
    assert sitting.view.answer.alternative is None
    assert "can't be the same class" in sitting.view.notice
    sitting.bench.choose(DOG)
    sitting.bench.choose(DOG)  # now the answer
    sitting.bench.submit()
    sitting.work()
    assert sitting.stored() == []
    assert "can't be the same class" in sitting.view.notice
