"""Whether a trial is new, asked in one statement: a labeler waits for it at every image."""

from dataclasses import dataclass
from functools import cache

from sqlalchemy import ScalarSelect, Select, bindparam, func, select

from labeler.core.study.entities import ExposureOccasion
from labeler.core.study.phases import PhaseState
from labeler.store.engine.compiled_statements import CompiledStatement, StatementExecutor
from labeler.store.labeling.answers import NOT_SHOWN_COUNT, exposure_count_query
from labeler.store.labeling.drafts import MARKED_TRIALS_SUBJECT
from labeler.store.labeling.trial_tasks import EVALUATION, TrialTask
from labeler.store.schema import DraftRow, PredictionRow, ProblematicRow, TrialRow


@dataclass(frozen=True, slots=True)
class NewTrial:
    """A trial without an answer, a flag or a mark; `draft` is what was half done, if anything."""

    draft: str | None


_PROBLEMS = select(func.count(ProblematicRow.id)).where(
    ProblematicRow.participant_id == TrialRow.participant_id,
    ProblematicRow.image_id == TrialRow.image_id,
    ProblematicRow.withdrawn_at.is_(None),
)


@cache
def _new_trial_query(task: TrialTask) -> CompiledStatement:
    answers = select(func.count(PredictionRow.id)).where(task.answers_trial)
    return CompiledStatement(
        select(
            TrialRow.shown_at,
            TrialRow.flagged_wall_ms,
            TrialRow.locked_at,
            task.phase_state,
            _sum(answers, _PROBLEMS, NOT_SHOWN_COUNT)
            + exposure_count_query(ExposureOccasion.DECLARED),
            _draft_of("marks", task).scalar_subquery(),
            _draft_of("subject", task).scalar_subquery(),
        ).where(TrialRow.id == bindparam("trial"))
    )


def _draft_of(subject: str, task: TrialTask) -> Select[str]:
    return select(DraftRow.contents).where(
        DraftRow.participant_id == TrialRow.participant_id,
        DraftRow.task == task.task,
        DraftRow.subject == bindparam(subject),
    )


def _sum(*counts: Select[int]) -> ScalarSelect[int]:
    first, *others = (count.scalar_subquery() for count in counts)
    return sum(others, start=first)


def find_new_trial(
    line: StatementExecutor, trial_id: str, task: TrialTask = EVALUATION
) -> NewTrial | None:
    """The trial, if nothing has been done about it yet and something may be."""
    values = {"trial": trial_id, "subject": trial_id, "marks": MARKED_TRIALS_SUBJECT}
    found = line.first(_new_trial_query(task), values)
    if found is None:
        return None
    shown_at, flagged_wall_ms, locked_at, phase, acts, marks, draft = found
    is_new = shown_at is flagged_wall_ms is None and not acts and trial_id not in (marks or "")
    may_change = locked_at is None and phase == PhaseState.OPEN
    return NewTrial(draft) if is_new and may_change else None
