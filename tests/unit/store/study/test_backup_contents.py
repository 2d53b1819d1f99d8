"""What a study's file holds is counted without opening it as a study."""

import pytest

from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study.backups import BackupReason, back_up, backups, read_study_contents
from tests.unit.store.small_evaluation import CAT, Evaluation, open_evaluation


@pytest.fixture
def evaluation(store, lead, clock) -> Evaluation:
    return open_evaluation(store, lead, clock)


def test_answers_are_counted_once_however_often_they_change(evaluation, clock) -> None:
    evaluation.commit(evaluation.answer(1))
    evaluation.commit(evaluation.answer(2))
    before = back_up(evaluation.store.folder, now=clock.utc())
    evaluation.commit(evaluation.answer(1, label=CAT))
    evaluation.commit(evaluation.answer(3))

    then, now = (
        read_study_contents(before.path),
        read_study_contents(evaluation.store.folder.database),
    )

    assert then is not None
    assert now is not None
    assert (then.answers, now.answers) == (2, 3)
    assert (then.sample_images, then.sample == now.sample) == (6, True)
    assert then.states[Phase.EVALUATE] is PhaseState.OPEN


def test_what_is_no_study_holds_nothing_that_could_be_told(tmp_path) -> None:
    (tmp_path / "study.db").write_bytes(b"holiday notes\n" * 500)

    assert read_study_contents(tmp_path / "study.db") is None
    assert read_study_contents(tmp_path / "nowhere.db") is None
    assert not (tmp_path / "nowhere.db").exists()


def test_a_backup_keeps_why_it_was_made(store, clock) -> None:
    back_up(store.folder, now=clock.utc())
    clock.go_on(seconds=1)
    made = back_up(store.folder, now=clock.utc(), reason=BackupReason.BEFORE_LOCKING)
    (store.folder.backups / made.name.replace("locking", "something")).touch()

    newest, newer, oldest = backups(store.folder)

    assert {newest.reason, newer.reason} == {BackupReason.BEFORE_LOCKING, None}
    assert oldest.reason is None, "of an older program"
