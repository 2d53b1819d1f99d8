"""The findings of a check, grouped by what to do about them in the window."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from labeler.app.study.check import CheckFinding, StudyProblem
from labeler.app.study.setup.setup_step import SetupStep
from labeler.core.study.entities import DatasetRole
from labeler.core.text import count_noun

_SHOWN = 8
NO_PROBLEMS = "no problems found. The database and every file are intact"
BUILD_SHEETS_TITLE = "Prepare reference images"
CHECK_AGAIN = "Check the study again to see its current state."

PROBLEM_TITLES = {
    StudyProblem.DAMAGED: "The database is damaged",
    StudyProblem.DANGLING: "The database is inconsistent",
    StudyProblem.UNOPENABLE: "The study can't be opened",
    StudyProblem.INTERRUPTED: "An import was interrupted",
    StudyProblem.MISSING: "Images are missing",
    StudyProblem.CHANGED: "Images have changed",
    StudyProblem.SEEN: "Images of the sample are also used elsewhere",
    StudyProblem.NOT_SHOWN: "Images couldn't be shown",
    StudyProblem.STALE_SHEET: "Reference images aren't prepared",
    StudyProblem.ORPHANED_SHEET: "Unused reference images are left over",
}
assert set(PROBLEM_TITLES) == set(StudyProblem), "every problem has a title"
PROBLEM_REMEDIES = {
    StudyProblem.DAMAGED: "Restore a backup from the list above.",
    StudyProblem.DANGLING: "Restore a backup from the list above.",
    StudyProblem.UNOPENABLE: "Follow the advice in the message, then check again.",
    StudyProblem.INTERRUPTED: "Resume the import, or remove the dataset.",
    StudyProblem.MISSING: "Put the files back, or select the dataset and locate its new folder.",
    StudyProblem.CHANGED: "Restore the original files: answers refer to the earlier pictures.",
    StudyProblem.SEEN: "Draw another sample that skips images used for training or reference.",
    StudyProblem.NOT_SHOWN: "Make sure that the file can be read on the labeler's computer. The "
    "labeler can then go back to the trial and answer it.",
    StudyProblem.STALE_SHEET: "Prepare the reference images. Only missing or outdated ones are "
    "built.",
    StudyProblem.ORPHANED_SHEET: "Prepare the reference images, which removes what is unused.",
}
assert set(PROBLEM_REMEDIES) == set(StudyProblem), "every problem has a remedy in the window"

# The step in which a dataset is added or relocated.
_STEPS_OF_DATASETS = {
    DatasetRole.EVALUATION: SetupStep.IMAGES,
    DatasetRole.REFERENCE: SetupStep.REFERENCES,
    DatasetRole.TRAINING: SetupStep.TRAINING,
}
# Candidate pools are added elsewhere.
assert set(_STEPS_OF_DATASETS) == set(DatasetRole) - {DatasetRole.POOL}, "others have a step"
_FIXED_AT_THE_DATASET = (StudyProblem.INTERRUPTED, StudyProblem.MISSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemGroup:
    """Findings of one kind with their remedy: a step to go to, references to prepare, or none."""

    title: str
    remedy: str
    sentences: tuple[str, ...]
    step: SetupStep | None = None
    dataset: str | None = None
    builds_sheets: bool = False


def problem_groups(findings: Iterable[CheckFinding]) -> tuple[ProblemGroup, ...]:
    """Group the findings by problem and dataset, the worst first; long groups are cut."""
    groups: dict[tuple[StudyProblem, SetupStep | None, str | None], list[str]] = {}
    for finding in findings:
        place = finding.problem, _step(finding), finding.dataset
        groups.setdefault(place, []).append(finding.sentence)
    worst_first = list(StudyProblem)
    return tuple(
        ProblemGroup(
            title=PROBLEM_TITLES[problem],
            remedy=PROBLEM_REMEDIES[problem],
            sentences=_first(groups[problem, step, dataset]),
            step=step,
            dataset=dataset,
            builds_sheets=problem in (StudyProblem.STALE_SHEET, StudyProblem.ORPHANED_SHEET),
        )
        for problem, step, dataset in sorted(groups, key=lambda found: worst_first.index(found[0]))
    )


def check_summary(wrong: int, at: datetime, *, earlier: bool) -> str:
    """Summarise a check; an `earlier` one may be out of date."""
    when = f"{at.astimezone():%Y-%m-%d at %H:%M}"
    found = f"{count_noun(wrong, 'problem')} found" if wrong else NO_PROBLEMS
    summary = f"Checked on {when}: {found}."
    return f"{summary} {CHECK_AGAIN}" if earlier else summary


def _step(finding: CheckFinding) -> SetupStep | None:
    """Return the step in which the lead can fix it."""
    if finding.problem is StudyProblem.SEEN:
        return SetupStep.SAMPLE
    if finding.problem in _FIXED_AT_THE_DATASET and finding.role is not None:
        return _STEPS_OF_DATASETS.get(finding.role)
    return None


def _first(sentences: list[str]) -> tuple[str, ...]:
    more = len(sentences) - _SHOWN
    return (*sentences[:_SHOWN], f"… and {more:,} more.") if more > 0 else (*sentences,)
