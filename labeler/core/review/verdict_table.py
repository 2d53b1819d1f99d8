"""Verdicts as arrays, for rules that go over nearly a million of them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.agreement import Judgements
from labeler.core.study.entities import Verdict

Codes = npt.NDArray[np.int64]

# The order in which a verdict is a number: from no to yes.
VERDICT_ORDER = (Verdict.WRONG, Verdict.UNCLEAR, Verdict.CORRECT)
assert set(VERDICT_ORDER) == set(Verdict), "every verdict has its number"
VERDICT_CODES = {verdict: code for code, verdict in enumerate(VERDICT_ORDER)}
UNCLEAR_CODE = VERDICT_CODES[Verdict.UNCLEAR]


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """Who said what about which pair (image, label), as three arrays of one length.

    Pairs and reviewers are numbers from 0; reviewers are numbered in the order in which they came
    into the study. A reviewer says one thing about a pair.
    """

    pairs: Codes
    reviewers: Codes
    verdicts: Codes
    pair_count: int

    def counts(self) -> Codes:
        """How often each pair got each verdict, one row a pair, in the order of the codes."""
        size = len(VERDICT_ORDER)
        cells = np.bincount(self.pairs * size + self.verdicts, minlength=self.pair_count * size)
        return cells.reshape(self.pair_count, size)

    def judgements(self) -> Judgements:
        """The same for measures of agreement."""
        return Judgements(self.pairs, self.reviewers, self.verdicts)
