"""References go with their thumbnails until someone worked with them next to."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from labeler.app.datasets import removal
from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.removal import DatasetRemoved, remove_dataset
from labeler.app.study.check import StudyProblem, check_study
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole, SessionTask, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.images.sheet_manifest import jpeg_path
from labeler.store.schema import (
    ImageRow,
    ParticipantRow,
    PredictionRow,
    ReviewRow,
    SessionRow,
    TrialRow,
)
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.conftest import DOG, FISH

SHARK = "n01491361"
TRIAL, SESSION, ANSWER = (f"{n:032x}" for n in (1, 2, 3))
NOW = "2026-03-01T09:30:00.000Z"


@pytest.fixture
def ready(healthy: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    """A study with references, a training pool and a sample."""
    with open_study(healthy, clock=clock) as store:
        yield store


def ailments(store: StudyStore) -> set[StudyProblem]:
    return {found.problem for found in check_study(store.folder.path, clock=store.clock)}


def sheets(store: StudyStore) -> list[str]:
    return sorted(file.name for file in store.folder.thumbnails.glob("n*"))


def answered(store: StudyStore, task: SessionTask, *, here: bool = True) -> None:
    """Labeler A answers an image, here or in a file that was imported."""
    with store.write() as study:
        person = study.session.scalars(select(ParticipantRow.id).filter_by(code="A")).one()
        image = study.session.scalars(select(ImageRow.id)).first()
        about = {"participant_id": person, "task": task, "image_id": image}
        if here:
            study.session.add(TrialRow(id=TRIAL, position=0, **about))
            study.session.flush()
        trial = TRIAL if here else None
        study.session.add(
            PredictionRow(
                id=ANSWER, trial_id=trial, revision=0, class_id=0, committed_at=NOW, **about
            )
        )


def judged(store: StudyStore) -> None:
    """Reviewer R gives a verdict."""
    with store.write() as study:
        person = study.session.scalars(select(ParticipantRow.id).filter_by(code="R")).one()
        image = study.session.scalars(select(ImageRow.id)).first()
        began = {"participant_id": person, "role": "reviewer", "started_at": NOW}
        study.session.add(
            SessionRow(id=SESSION, task=SessionTask.REVIEW, program_version="1", **began)
        )
        study.session.flush()
        verdict = {"stage": Stage.INITIAL, "revision": 0, "verdict": Verdict.CORRECT}
        about = {"image_id": image, "class_id": 0, "participant_id": person}
        study.session.add(ReviewRow(session_id=SESSION, **verdict, **about))


def test_references_go_with_their_thumbnails_and_the_files_stay(
    ready: StudyStore, tmp_path: Path, imported: Callable[..., Any]
) -> None:
    files = tmp_path / "pictures" / "references"
    assert sheets(ready)

    assert remove_dataset(ready, "references") == DatasetRemoved(8, (FISH, DOG))

    assert sheets(ready) == []
    assert len(list(files.rglob("*.JPEG"))) == 8
    assert ailments(ready) == set()
    imported(ready, "references", files, role=DatasetRole.REFERENCE)
    prepare_sheets(ready)
    assert len(sheets(ready)) == 4, "they can be added again"
    assert ailments(ready) == set()


def test_the_thumbnails_of_other_references_stay_as_they_are(
    ready: StudyStore, pictures: Callable[..., Any], imported: Callable[..., Any]
) -> None:
    imported(
        ready, "more", pictures("more").fill(SHARK, DOG, each=2).path, role=DatasetRole.REFERENCE
    )
    prepare_sheets(ready)

    assert remove_dataset(ready, "references") == DatasetRemoved(8, (FISH,)), (
        "dogs are shown by others"
    )

    assert {name[:9] for name in sheets(ready)} == {SHARK, DOG}
    assert ailments(ready) == set()


def test_removed_references_do_not_bring_back_those_before_them(
    ready: StudyStore, pictures: Callable[..., Any], imported: Callable[..., Any]
) -> None:
    imported(ready, "better", pictures("better").fill(DOG, each=2).path, role=DatasetRole.REFERENCE)
    prepare_sheets(ready)

    assert remove_dataset(ready, "better") == DatasetRemoved(2, (DOG,))

    assert {name[:9] for name in sheets(ready)} == {FISH}
    assert ailments(ready) == set()


@pytest.mark.parametrize("lock", [False, True])
def test_references_of_an_evaluation_stay(ready: StudyStore, lock: bool) -> None:
    open_phase(ready, Phase.EVALUATE)
    if lock:
        lock_phase(ready, Phase.EVALUATE, unfinished=True)
    before = sheets(ready)

    with pytest.raises(RefusedError, match=r"the evaluation has started.* restore a backup"):
        remove_dataset(ready, "references")

    assert sheets(ready) == before
    assert ailments(ready) == set()


@pytest.mark.parametrize(
    ("task", "why"),
    [(SessionTask.TRAIN, "labelers have trained"), (SessionTask.EVALUATE, "has started")],
)
def test_references_next_to_which_someone_answered_stay(
    ready: StudyStore, task: SessionTask, why: str
) -> None:
    answered(ready, task)
    with pytest.raises(RefusedError, match=f"references can't be removed: .*{why}"):
        remove_dataset(ready, "references")


def test_references_next_to_which_someone_judged_stay(ready: StudyStore) -> None:
    judged(ready)
    with pytest.raises(
        RefusedError, match=r"reviewers have judged labels.* add them: they replace"
    ):
        remove_dataset(ready, "references")


def test_an_answer_that_waits_in_a_journal_keeps_references_too(ready: StudyStore) -> None:
    waiting = ready.folder.journal / SessionTask.REVIEW.value / f"{Stage.INITIAL}-r.jsonl"
    waiting.parent.mkdir(parents=True)
    waiting.write_text("{}\n")
    with pytest.raises(RefusedError, match="reviewers have judged labels"):
        remove_dataset(ready, "references")


def test_answers_that_came_from_a_file_keep_no_references(ready: StudyStore) -> None:
    answered(ready, SessionTask.EVALUATE, here=False)
    assert remove_dataset(ready, "references").images == 8


def test_what_a_kill_leaves_over_is_reported_by_a_check_and_mended(
    ready: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(removal, "remove_sheets", killed)
    with pytest.raises(KeyboardInterrupt):
        remove_dataset(ready, "references")

    assert ailments(ready) == {StudyProblem.ORPHANED_SHEET}
    prepare_sheets(ready)
    assert ailments(ready) == set()


def test_thumbnails_that_can_not_be_removed_are_reported(ready: StudyStore) -> None:
    jpeg = jpeg_path(ready.folder.thumbnails, FISH)
    jpeg.unlink()
    jpeg.mkdir()
    with pytest.raises(
        EnvironmentFault, match="The references are removed, but not their thumbnails"
    ):
        remove_dataset(ready, "references")
