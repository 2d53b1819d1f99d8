"""Backups in words: why each was made, what it holds, and what goes when it is put back."""

from collections.abc import Iterator

from labeler.app.study.backups import BackupComparison, BackupSummary
from labeler.app.study.setup.confirmations import Confirmation
from labeler.core.study.phases import PHASE_NAMES, Phase, PhaseState
from labeler.core.text import count_noun
from labeler.store.study.backups import BackupReason, StudyContents

_REASONS = {
    BackupReason.BY_HAND: "by hand",
    BackupReason.AUTOMATIC: "automatically",
    BackupReason.BEFORE_REMOVING: "before something was removed",
    BackupReason.BEFORE_POOL: "before images were drawn to train on",
    BackupReason.BEFORE_NAMES: "before names were replaced",
    BackupReason.BEFORE_SAMPLE: "before a sample was drawn",
    BackupReason.BEFORE_OPENING: "before the evaluation was opened",
    BackupReason.BEFORE_LOCKING: "before a phase was locked",
    BackupReason.BEFORE_RESTORING: "before a backup was put back",
    BackupReason.BEFORE_UPGRADE: "before an upgrade of the study",
}
assert set(_REASONS) == set(BackupReason), "each reason has its words"

BACKUP_COLUMNS = ("Made", "Why", "Holds", "File")
_UNDO_HINT = (
    "A backup of the study as it is now is made first, to which you can come back. The study is "
    "closed and opened again."
)
_KEPT_ASIDE = "The damaged file is kept aside, in the study's folder “backups”."


def backup_row(backup: BackupSummary) -> tuple[str, str, str, str]:
    """When, why, what it holds, and the file's name."""
    when = f"{backup.made_at.astimezone():%Y-%m-%d %H:%M:%S}"
    why = "" if backup.reason is None else _REASONS[backup.reason]
    return when, why, _holds(backup), backup.name


def restore_confirmation(compared: BackupComparison) -> Confirmation:
    when = f"{compared.made_at.astimezone():%Y-%m-%d %H:%M}"
    return Confirmation(
        f"Put the backup of {when} back?", f"{_losses(compared)} {_UNDO_HINT}", "Put it back"
    )


def damaged_study_confirmation(backup: BackupSummary) -> str:
    """What goes with a study that doesn't open: no one can count it."""
    when = f"{backup.made_at.astimezone():%Y-%m-%d at %H:%M}"
    return f"Whatever was entered, answered or judged after {when} is gone. {_KEPT_ASIDE}"


def _holds(backup: BackupSummary) -> str:
    if backup.holds is None:
        return f"{max(backup.byte_count / 1e6, 0.1):,.1f} MB"
    return _work(backup.holds)


def _work(held: StudyContents) -> str:
    return f"{count_noun(held.answers, 'answer')}, {count_noun(held.verdicts, 'verdict')}"


def _losses(compared: BackupComparison) -> str:
    then, now = compared.then, compared.now
    if then is None or now is None:
        return "Everything that was entered, answered or judged since then is gone from the study."
    losses = [*_counts(then, now), *_sample(then, now)]
    gone = (
        f"What came since then is gone from the study: {', '.join(losses)}, and every other change."
        if losses
        else "No answer and no verdict came since then; every other change is gone."
    )
    return " ".join((gone, *_phases(then, now)))


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
            yield f"The {PHASE_NAMES[phase]}, {is_now} now, would be {was}."


def _people(count: int) -> str:
    return count_noun(count, "person", "people")
