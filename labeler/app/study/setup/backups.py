"""Texts about backups: why each was made, what it holds, and what restoring it discards."""

from collections.abc import Iterable, Iterator

from labeler.app.confirmation import Confirmation
from labeler.app.study.backups import BackupComparison, BackupSummary
from labeler.core.study.phases import PHASE_NAMES, Phase, PhaseState
from labeler.core.text import count_noun
from labeler.store.study.backups import BackupReason, StudyContents

REASON_TEXTS = {
    BackupReason.BY_HAND: "manual",
    BackupReason.AUTOMATIC: "automatic",
    BackupReason.BEFORE_REMOVING: "before removing something",
    BackupReason.BEFORE_POOL: "before drawing training images",
    BackupReason.BEFORE_NAMES: "before replacing names",
    BackupReason.BEFORE_SAMPLE: "before drawing a sample",
    BackupReason.BEFORE_OPENING: "before opening the evaluation",
    BackupReason.BEFORE_LOCKING: "before locking a phase",
    BackupReason.BEFORE_RESTORING: "before restoring a backup",
    BackupReason.BEFORE_UPGRADE: "before upgrading the study",
}
assert set(REASON_TEXTS) == set(BackupReason), "every reason has a text"

BACKUP_COLUMNS = ("Created", "Reason", "Contents", "File")
RESTORE_UNDO_HINT = (
    "The current state is backed up first, so you can return to it. The study is closed and "
    "reopened."
)
DAMAGED_FILE_KEPT = "The damaged file is kept in the study's folder “backups”."
ALL_CHANGES_LOST = "You will lose everything that was entered, answered or judged since then."
NO_ANSWERS_LOST = (
    "There are no new answers or verdicts since then, but you will lose all other changes."
)


def backup_row(backup: BackupSummary) -> tuple[str, str, str, str]:
    """Return the cells: when, why, what it holds, and the file's name."""
    when = f"{backup.made_at.astimezone():%Y-%m-%d %H:%M:%S}"
    why = "" if backup.reason is None else REASON_TEXTS[backup.reason]
    return when, why, _holds(backup), backup.name


def restore_confirmation(compared: BackupComparison) -> Confirmation:
    when = f"{compared.made_at.astimezone():%Y-%m-%d %H:%M}"
    return Confirmation(
        f"Restore the backup of {when}?", f"{_losses(compared)} {RESTORE_UNDO_HINT}", "Restore"
    )


def damaged_study_confirmation(backup: BackupSummary) -> str:
    """Say what is lost, without counts: a damaged study can't be read."""
    when = f"{backup.made_at.astimezone():%Y-%m-%d at %H:%M}"
    return (
        f"You will lose everything that was entered, answered or judged after {when}. "
        f"{DAMAGED_FILE_KEPT}"
    )


def _holds(backup: BackupSummary) -> str:
    if backup.holds is None:
        return f"{max(backup.byte_count / 1e6, 0.1):,.1f} MB"
    return _work(backup.holds)


def _work(held: StudyContents) -> str:
    return f"{count_noun(held.answers, 'answer')}, {count_noun(held.verdicts, 'verdict')}"


def _losses(compared: BackupComparison) -> str:
    then, now = compared.then, compared.now
    if then is None or now is None:
        return ALL_CHANGES_LOST
    losses = [*_counts(then, now), *_sample(then, now)]
    lost = losses_text(losses) if losses else NO_ANSWERS_LOST
    return " ".join((lost, *_phases(then, now)))


def losses_text(losses: Iterable[str]) -> str:
    return f"You will lose what was added since then: {', '.join(losses)}, and all other changes."


def _counts(then: StudyContents, now: StudyContents) -> Iterator[str]:
    for more, noun in (
        (now.answers - then.answers, "answer"),
        (now.trained - then.trained, "training answer"),
        (now.verdicts - then.verdicts, "verdict"),
        (now.datasets - then.datasets, "dataset"),
    ):
        if more > 0:
            yield count_noun(more, noun)
    if now.people > then.people:
        yield _people(now.people - then.people)


def _sample(then: StudyContents, now: StudyContents) -> Iterator[str]:
    if now.sample and now.sample != then.sample:
        yield f"the sample of {count_noun(now.sample_images, 'image')}"


def _phases(then: StudyContents, now: StudyContents) -> Iterator[str]:
    for phase in Phase:
        was, is_now = (held.states.get(phase, PhaseState.CLOSED) for held in (then, now))
        if was is not is_now:
            yield f"The {PHASE_NAMES[phase]} is {is_now} now and would be {was}."


def _people(count: int) -> str:
    return count_noun(count, "person", "people")
