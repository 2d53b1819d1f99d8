"""A restored backup has everything that reviewers and the lead recorded, not only verdicts."""

from pathlib import Path

from labeler.app.study.backups import restore_backup
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase
from labeler.core.review.blind_types import OwnFlag, OwnVerdict
from labeler.core.study.entities import ProblemReason, Role, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.exchange.exporter import export_exchange
from labeler.store.study.backups import BackupReason, back_up, count_decisions
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.store.review.conftest import ReviewerDriver, open_session


def discuss(store: StudyStore, first: ReviewerDriver) -> None:
    """The reviewers differ, one explains why, and the lead decides with a reason."""
    second = open_session(store, "S", Stage.FINAL)
    first.judge_all(lambda _wnid: Verdict.CORRECT)
    second.judge_all(lambda _wnid: Verdict.WRONG)
    add_person(store, "L", roles=[Role.LEAD])
    lock_phase(store, Phase.REVIEW, unfinished=True)
    with store.write() as study:
        discussing = study.review.discussing
        label = discussing.disputed(Stage.FINAL, "R")[0]
        pair, wrong = (label.image_id, label.class_id), OwnVerdict(Verdict.WRONG)
        discussing.change(
            Stage.FINAL, pair, wrong, participant="R", session=first.session_id, note="no tail"
        )
        discussing.adjudicate(
            Stage.FINAL, pair, wrong, lead="L", session=first.session_id, note="agreed"
        )


def exported(store: StudyStore, to: Path) -> dict[str, str]:
    export_exchange(store, to, history=True)
    return {file.name: file.read_text() for file in to.iterdir()}


def test_flags_notes_and_reasons_are_restored(
    final: StudyStore, clock: AdjustableClock, tmp_path: Path
) -> None:
    driver = open_session(final, "R", Stage.FINAL)
    visit = driver.visits()[0].visit_id
    flag = OwnFlag(frozenset({ProblemReason.DRAWING}), "a stamp")
    with final.write() as study:
        study.review.reviewing.flag(visit, flag)
    discuss(final, driver)
    before = exported(final, tmp_path / "before")
    for name, text in {
        "flags.csv": "a stamp",
        "reviews.csv": "no tail",
        "adjudications.csv": "agreed",
    }.items():
        assert text in before[name]
    made = back_up(final.folder, now=clock.utc(), reason=BackupReason.BY_HAND)
    final.close()
    final.folder.database.write_bytes(b"damaged")
    clock.go_on(minutes=1)
    restore_backup(final.folder, made.name, clock=clock)
    with open_study(final.folder.path, clock=clock) as restored:
        assert exported(restored, tmp_path / "after") == before


def test_a_flag_counts_as_a_decision_for_the_next_backup(final: StudyStore) -> None:
    driver = open_session(final, "R", Stage.FINAL)
    flag = OwnFlag(frozenset({ProblemReason.DRAWING}), "")
    before = count_decisions(final.folder)
    with final.write() as study:
        study.review.reviewing.flag(driver.visits()[0].visit_id, flag)
    assert count_decisions(final.folder) == before + 1
