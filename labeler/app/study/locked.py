"""Whether a study's results may be looked at: its answers can't change any more.

Apart from the reading, which brings NumPy along; home asks too.
"""

from collections.abc import Mapping

from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study_store import Transaction


def evaluation_locked(study: Transaction, states: Mapping[Phase, PhaseState]) -> bool:
    """Whether answers can't change any more.

    Imported ones count as locked, and those of models where no human is going to be asked.
    """
    if states[Phase.EVALUATE] is not PhaseState.CLOSED:
        return states[Phase.EVALUATE] is PhaseState.LOCKED
    answers = study.report_answers
    return answers.imported() or answers.has_only_model_predictions()
