"""What a check found, by what is to be done about it in the window."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from labeler.app.study.check import CheckFinding, StudyProblem
from labeler.app.study.setup.steps import SetupStep
from labeler.core.study.entities import DatasetRole
from labeler.core.text import count_noun

_SHOWN = 8
_SOUND = "nothing is wrong with the study, the database and every file are sound"
BUILD_SHEETS_TITLE = "Prepare the reference images"

_TITLES = {
    StudyProblem.DAMAGED: "The database is damaged",
    StudyProblem.DANGLING: "The database contradicts itself",
    StudyProblem.UNOPENABLE: "The study can't be opened",
    StudyProblem.INTERRUPTED: "An import was interrupted",
    StudyProblem.MISSING: "Images are missing",
    StudyProblem.CHANGED: "Images have changed",
    StudyProblem.SEEN: "Pictures of the sample are seen beforehand",
    StudyProblem.NOT_SHOWN: "Images couldn't be shown",
    StudyProblem.STALE_SHEET: "Reference images aren't prepared",
    StudyProblem.ORPHANED_SHEET: "Prepared reference images are left over",
}
assert set(_TITLES) == set(StudyProblem), "each ailment is called something"
_REMEDIES = {
    StudyProblem.DAMAGED: "Put a backup in the study's place: choose one above.",
    StudyProblem.DANGLING: "Put a backup in the study's place: choose one above.",
    StudyProblem.UNOPENABLE: "Do what the sentence says, then check again.",
    StudyProblem.INTERRUPTED: "Go on with the import where it stopped, or remove the dataset.",
    StudyProblem.MISSING: "Put back what is missing, or choose the dataset and say where it "
    "lies now.",
    StudyProblem.CHANGED: "Put the original file back: answers were given about the earlier "
    "picture.",
    StudyProblem.SEEN: "Draw another sample that passes over pictures that were seen.",
    StudyProblem.NOT_SHOWN: "See that the file can be read on the labeler's machine; the "
    "labeler can "
    "then go back to the trial and answer it.",
    StudyProblem.STALE_SHEET: "Have the reference images prepared: only those that are missing or "
    "outdated are.",
    StudyProblem.ORPHANED_SHEET: "Have the reference images prepared: what is left over goes.",
}
assert set(_REMEDIES) == set(StudyProblem), "each ailment has its remedy in the window"

# Where a dataset is added again, or said to lie elsewhere.
_STEPS_OF_DATASETS = {
    DatasetRole.EVALUATION: SetupStep.IMAGES,
    DatasetRole.REFERENCE: SetupStep.REFERENCES,
    DatasetRole.TRAINING: SetupStep.TRAINING,
}
assert set(_STEPS_OF_DATASETS) == set(DatasetRole), "each dataset has its step"
_FIXED_AT_THE_DATASET = (StudyProblem.INTERRUPTED, StudyProblem.MISSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemGroup:
    """What is wrong in one way, and the remedy: a step to go to, references to prepare, or none."""

    title: str
    remedy: str
    sentences: tuple[str, ...]
    step: SetupStep | None = None
    dataset: str | None = None
    builds_sheets: bool = False


def problem_groups(findings: Iterable[CheckFinding]) -> tuple[ProblemGroup, ...]:
    """One group for each ailment and dataset, the worst first; of many the first few are
    reported."""
    by_remedy: dict[tuple[StudyProblem, SetupStep | None, str | None], list[str]] = {}
    for finding in findings:
        place = finding.ailment, _step(finding), finding.dataset
        by_remedy.setdefault(place, []).append(finding.sentence)
    worst_first = list(StudyProblem)
    return tuple(
        ProblemGroup(
            title=_TITLES[ailment],
            remedy=_REMEDIES[ailment],
            sentences=_first(by_remedy[ailment, step, dataset]),
            step=step,
            dataset=dataset,
            builds_sheets=ailment in (StudyProblem.STALE_SHEET, StudyProblem.ORPHANED_SHEET),
        )
        for ailment, step, dataset in sorted(
            by_remedy, key=lambda found: worst_first.index(found[0])
        )
    )


def check_summary(wrong: int, at: datetime, *, earlier: bool) -> str:
    """How many things are wrong and when that was; of an `earlier` check, that it may be fixed."""
    when = f"{at.astimezone():%Y-%m-%d at %H:%M}"
    if not earlier:
        summary = count_noun(wrong, "thing is wrong", "things are wrong") if wrong else _SOUND
        return f"Checked on {when}: {summary}."
    summary = (
        count_noun(wrong, "thing was wrong", "things were wrong") if wrong else "nothing was wrong"
    )
    return f"When it was checked, on {when}, {summary}. Check the study again to see how it is now."


def _step(finding: CheckFinding) -> SetupStep | None:
    """Where the lead fixes it."""
    if finding.ailment is StudyProblem.SEEN:
        return SetupStep.SAMPLE
    if finding.ailment in _FIXED_AT_THE_DATASET and finding.role is not None:
        return _STEPS_OF_DATASETS[finding.role]
    return None


def _first(sentences: list[str]) -> tuple[str, ...]:
    more = len(sentences) - _SHOWN
    return (*sentences[:_SHOWN], f"… and {more:,} more like these.") if more > 0 else (*sentences,)
