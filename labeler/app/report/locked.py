"""Whether a study's results may be looked at: its answers can't change any more.

Apart from the reading, which brings NumPy along; home asks too.
"""

from collections.abc import Mapping

from labeler.core.phases import Phase, PhaseState
from labeler.store.study import Transaction


def evaluation_locked(study: Transaction, states: Mapping[Phase, PhaseState]) -> bool:
    """Whether answers can't change any more; imported ones count as locked."""
    if states[Phase.EVALUATE] is PhaseState.LOCKED:
        return True
    return states[Phase.EVALUATE] is PhaseState.CLOSED and study.report_answers.imported()
