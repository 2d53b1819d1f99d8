"""Texts about backups: why each was made, what it holds, and what restoring it discards."""

from datetime import UTC, datetime

from labeler.app.study.backups import BackupComparison, BackupSummary
from labeler.app.study.setup.backups import (
    ALL_CHANGES_LOST,
    DAMAGED_FILE_KEPT,
    NO_ANSWERS_LOST,
    REASON_TEXTS,
    RESTORE_UNDO_HINT,
    backup_row,
    damaged_study_confirmation,
    losses_text,
    restore_confirmation,
)
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study.backups import BackupReason, StudyContents

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def contents(
    *,
    answers: int = 0,
    verdicts: int = 0,
    people: int = 1,
    sample: str = "",
    evaluation: PhaseState = PhaseState.CLOSED,
) -> StudyContents:
    return StudyContents(
        answers=answers,
        trained=0,
        verdicts=verdicts,
        people=people,
        datasets=1,
        sample=sample,
        sample_images=160 if sample else 0,
        states={Phase.EVALUATE: evaluation},
    )


def asked(then: StudyContents | None, now: StudyContents | None) -> str:
    return restore_confirmation(BackupComparison(made_at=AT, then=then, now=now)).words


def seen(*, reason: BackupReason | None, holds: StudyContents | None) -> BackupSummary:
    return BackupSummary(
        name="study-x.db", made_at=AT, reason=reason, byte_count=20_500_000, holds=holds
    )


def test_a_backup_row_has_its_reason_and_contents() -> None:
    row = backup_row(seen(reason=BackupReason.BEFORE_OPENING, holds=contents(answers=1)))
    assert row[1:] == (
        REASON_TEXTS[BackupReason.BEFORE_OPENING],
        "1 answer, 0 verdicts",
        "study-x.db",
    )


def test_an_older_or_large_backup_has_no_reason_or_counts() -> None:
    assert backup_row(seen(reason=None, holds=None))[1:3] == ("", "20.5 MB")


def test_restoring_a_backup_counts_the_losses() -> None:
    words = asked(
        contents(),
        contents(answers=12, verdicts=3, people=3, sample="new", evaluation=PhaseState.OPEN),
    )
    losses = ("12 answers", "3 verdicts", "2 people", "the sample of 160 images")
    assert losses_text(losses) in words
    assert "The evaluation is open now and would be closed." in words
    assert RESTORE_UNDO_HINT in words


def test_an_unchanged_sample_is_not_counted_as_lost() -> None:
    words = asked(contents(sample="same"), contents(sample="same"))
    assert "sample" not in words
    assert NO_ANSWERS_LOST in words


def test_uncountable_losses_are_described_without_numbers() -> None:
    assert ALL_CHANGES_LOST in asked(None, contents())


def test_replacing_a_damaged_study_says_what_is_lost_and_kept() -> None:
    words = damaged_study_confirmation(seen(reason=None, holds=None))
    assert f"{AT.astimezone():%Y-%m-%d at %H:%M}" in words
    assert DAMAGED_FILE_KEPT in words
