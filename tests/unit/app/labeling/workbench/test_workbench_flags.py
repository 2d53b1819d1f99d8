"""Flagging an image instead of answering it, and taking that back."""

from collections.abc import Callable
from pathlib import Path

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.phases import lock_phase
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.phases import Phase
from labeler.store.study_store import StudyStore
from tests.unit.app.labeling.workbench.workbench_sitting import FISH, Sitting


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


def test_a_flagged_image_says_so_when_it_is_left_and_when_it_is_met_again(
    sitting: Sitting,
) -> None:
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    sitting.work()
    assert sitting.view.notice == "Image 1 is flagged: inappropriate."
    assert sitting.view.flagged == ""
    sitting.bench.back()
    sitting.work()
    assert sitting.view.flagged == "Flagged: inappropriate"
    assert sitting.view.flags == {TrialFlag.INAPPROPRIATE}
    sitting.bench.remove_flag()
    assert sitting.view.notice == ("The flag is taken back: this image waits for its answer again.")
    assert (sitting.view.flagged, sitting.view.flags) == ("", frozenset())


def test_an_answered_image_can_be_flagged_and_its_answer_stays(sitting: Sitting) -> None:
    sitting.answer(FISH)
    sitting.bench.back()
    sitting.work()
    sitting.bench.flag(TrialFlag.NOT_SHOWN)
    sitting.work()
    sitting.bench.back()
    sitting.work()
    assert sitting.view.flagged == "Flagged: can't be seen properly"
    assert sitting.view.answer.label is not None
    sitting.bench.remove_flag()
    assert sitting.view.notice == "The flag is taken back."


def test_a_flag_can_be_taken_back(sitting: Sitting) -> None:
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    sitting.work()
    sitting.bench.back()
    sitting.work()
    assert sitting.view.trial is not None
    assert sitting.view.trial.flagged
    sitting.bench.remove_flag()
    sitting.work()
    assert (sitting.position, sitting.view.progress.left) == (1, 4)
    sitting.answer()
    assert [row[0] for row in sitting.stored()] == [1]


def test_the_next_image_waits_until_the_flag_is_on_disk(sitting: Sitting) -> None:
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    assert (sitting.view.stage, sitting.position) == (WorkbenchStage.STORING, 1)
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    sitting.work()
    assert (sitting.view.stage, sitting.position) == (WorkbenchStage.TRIAL, 2)
    assert sitting.view.progress.set_aside == 1


def test_a_flag_that_cannot_be_stored_leaves_the_image_there_and_says_so(
    sitting: Sitting, evaluated: StudyStore
) -> None:
    lock_phase(evaluated, Phase.EVALUATE, unfinished=True)
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    sitting.work()
    assert (sitting.view.stage, sitting.position) == (WorkbenchStage.TRIAL, 1)
    assert "The evaluation is locked" in sitting.view.trouble
    assert sitting.view.progress.set_aside == 0


def test_whoever_leaves_while_a_flag_is_stored_finds_it_later(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    sitting.bench.flag(TrialFlag.INAPPROPRIATE)
    sitting.bench.leave()
    sitting.work()
    assert sitting.view.stage is WorkbenchStage.STOPPED
    later = sit_down().begin()
    assert (later.position, later.view.progress.set_aside) == (2, 1)
