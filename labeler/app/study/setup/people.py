"""People for the lead: before one is removed, and who is how far, never what was answered."""

from labeler.app.study.home import LabelerRow, labeler_rows
from labeler.app.study.setup.confirmations import Confirmation
from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import Stage
from labeler.core.study.phases import Phase

_STAGES = {Phase.ANNOTATE: Stage.INITIAL, Phase.REVIEW: Stage.FINAL}


def person_removal_confirmation(code: str) -> Confirmation:
    return Confirmation(
        f"Remove {code} from the study?",
        f"{code} can no longer sign in, and their name and description are forgotten. A backup of "
        "the study as it is now is made first.",
        "Remove this person",
    )


def progress_rows(phase: Phase, facts: SetupFacts) -> tuple[LabelerRow, ...]:
    """A row for everyone who has something to do in the phase."""
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
        state="" if answered else "not begun",
    )


def _state(done: int, total: int) -> str:
    if done >= total:
        return "all judged"
    return "under way" if done else "not begun"
