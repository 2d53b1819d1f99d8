"""Texts about people for the lead: confirming a removal, and progress without answers."""

from labeler.app.confirmation import Confirmation
from labeler.app.study.labeler_rows import LabelerRow, labeler_rows
from labeler.app.study.setup.confirmations import BACKUP_FIRST
from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import Stage
from labeler.core.study.phases import Phase

_STAGES = {Phase.ANNOTATE: Stage.INITIAL, Phase.REVIEW: Stage.FINAL}


def person_removal_confirmation(code: str) -> Confirmation:
    return Confirmation(
        f"Remove {code} from the study?",
        f"{code} can no longer sign in, and their name and description are deleted. {BACKUP_FIRST}",
        "Remove",
    )


def progress_rows(phase: Phase, facts: SetupFacts) -> tuple[LabelerRow, ...]:
    """Return a progress row for everyone who works in the phase."""
    if phase is Phase.EVALUATE:
        return labeler_rows(facts.labelers)
    if phase is Phase.TRAIN:
        return tuple(_trained(code, facts.trained.get(code, 0)) for code in facts.study.labelers)
    return tuple(
        LabelerRow(
            code=one.code,
            done=one.done,
            total=one.total,
            progress=f"{one.done:,} of {one.total:,} judged",
            state=_state(one.done, one.total),
        )
        for one in facts.reviewers
        if one.stage is _STAGES[phase]
    )


def _trained(code: str, answered: int) -> LabelerRow:
    return LabelerRow(
        code=code,
        done=0,
        total=0,
        progress=f"{answered:,} answered",
        state="" if answered else "not started",
    )


def _state(done: int, total: int) -> str:
    if done >= total:
        return "all judged"
    return "in progress" if done else "not started"
