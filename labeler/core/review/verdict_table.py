"""Verdicts as arrays, for rules that process nearly a million of them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.agreement import Judgements
from labeler.core.study.entities import Verdict

Codes = npt.NDArray[np.int64]

# The numeric order of the verdicts, from negative to positive.
VERDICT_ORDER = (Verdict.WRONG, Verdict.UNCLEAR, Verdict.CORRECT)
assert set(VERDICT_ORDER) == set(Verdict), "every verdict has a number"
VERDICT_CODES = {verdict: code for code, verdict in enumerate(VERDICT_ORDER)}
UNCLEAR_CODE = VERDICT_CODES[Verdict.UNCLEAR]


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """All verdicts on pairs (image, label), as three arrays of the same length.

    Pairs and reviewers are numbered from 0; reviewers in the order in which they were added to the
    study. A reviewer has one verdict on a pair.
    """

    pairs: Codes
    reviewers: Codes
    verdicts: Codes
    pair_count: int

    def counts(self) -> Codes:
        """Return the count of each verdict by pair, one row per pair, columns in code order."""
        size = len(VERDICT_ORDER)
        cells = np.bincount(self.pairs * size + self.verdicts, minlength=self.pair_count * size)
        return cells.reshape(self.pair_count, size)

    def judgements(self) -> Judgements:
        """Return the same data for measures of agreement."""
        return Judgements(self.pairs, self.reviewers, self.verdicts)
