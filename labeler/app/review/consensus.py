"""Against what a reviewer's verdicts are held: the multi-labels as resolved, else the majority."""

from dataclasses import dataclass

import numpy as np

from labeler.core.review.resolution import ResolutionRule, resolve_by_majority
from labeler.core.review.verdict_table import Codes
from labeler.store.review.verdict_arrays import StoredVerdicts
from labeler.store.study_store import Transaction


@dataclass(frozen=True, slots=True)
class Consensus:
    """The state of each pair by code; `rule` is None where nothing is resolved yet.

    `by_majority` counts the pairs that the resolution gave no state, and the majority did.
    """

    states: Codes
    rule: ResolutionRule | None
    by_majority: int

    @property
    def words(self) -> str:
        """What it is, in a sentence's end."""
        if self.rule is None:
            return "the majority of the blind verdicts, since nothing is resolved yet"
        resolved = f"the multi-labels as resolved by the rule {self.rule}"
        if not self.by_majority:
            return resolved
        return f"{resolved}; on {self.by_majority:,} labels that it left open, the majority"


def consensus_on(study: Transaction, verdicts: StoredVerdicts) -> Consensus:
    """What the group came to on every pair."""
    states = resolve_by_majority(verdicts.table).states
    last = study.review.resolutions.last()
    if last is None:
        return Consensus(states, None, len(states))
    resolved = study.review.resolutions.states(verdicts)
    settled = np.fromiter(resolved.keys(), np.int64, len(resolved))
    states[settled] = np.fromiter(resolved.values(), np.int64, len(resolved))
    return Consensus(states, last.rule, len(states) - len(resolved))
