"""Figures about the reviewers, for the lead alone: pace, agreement, confusion, own answers."""

from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from labeler.core.agreement import Agreement, agreement, rater_pairs
from labeler.core.errors import Refused
from labeler.core.resolution import OPEN, majority
from labeler.core.study import Stage, Verdict
from labeler.core.verdicts import CODE_OF, VERDICT_ORDER
from labeler.store.review.own_answers import OwnAnswers
from labeler.store.review.verdicts import StoredVerdicts
from labeler.store.study import StudyStore, Transaction

CORRECT = CODE_OF[Verdict.CORRECT]


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    count: int
    total: int

    @property
    def fraction(self) -> float | None:
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerFigures:
    """One reviewer.

    `confusion[consensus][verdict]` counts in the order wrong, unclear, correct. `own_accepted`
    are the reviewer's own evaluation answers that they judged correct, `others_accepted` those of
    all other people. `with_self` are repeated pairs judged the same.
    """

    code: str
    judgements: int
    median_seconds: float | None
    hours: float
    with_others: Share
    kappa: float | None
    with_self: Share
    confusion: tuple[tuple[int, ...], ...]
    own_accepted: Share
    others_accepted: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFigures:
    """All reviewers of a stage, from their blind verdicts."""

    stage: Stage
    agreement: Agreement
    reviewers: tuple[ReviewerFigures, ...]


def review_figures(store: StudyStore, stage: Stage | None = None) -> ReviewFigures:
    """The figures of a stage; of the last one that has verdicts unless it is named."""
    with store.read() as study:
        chosen, verdicts = _chosen(study, stage)
        return ReviewFigures(
            stage=chosen,
            agreement=agreement(verdicts.table.judgements()),
            reviewers=_reviewers(study, chosen, verdicts),
        )


def _chosen(study: Transaction, stage: Stage | None) -> tuple[Stage, StoredVerdicts]:
    stages = (Stage.FINAL, Stage.INITIAL) if stage is None else (stage,)
    for tried in stages:
        verdicts = study.review.verdicts.of_stage(tried, blind_only=True)
        if verdicts.table.pair_count:
            return tried, verdicts
    raise Refused("Nobody has reviewed a label yet, so there is nothing to tell.")


def _reviewers(
    study: Transaction, stage: Stage, verdicts: StoredVerdicts
) -> tuple[ReviewerFigures, ...]:
    table = verdicts.table
    consensus = majority(table).states
    pairs = list(rater_pairs(table.judgements()))
    own_answers = OwnAnswers(study.session)
    given_by = own_answers.by_person()
    figures = []
    for number, code in enumerate(verdicts.reviewers):
        of_reviewer = table.reviewers == number
        met = [pair for pair in pairs if number in (pair.one, pair.other)]
        kappas = [pair.kappa for pair in met if pair.kappa is not None]
        times = own_answers.times_ms(code, stage)
        accepted = _accepted(verdicts, of_reviewer, given_by, code)
        figures.append(
            ReviewerFigures(
                code=code,
                judgements=int(np.count_nonzero(of_reviewer)),
                median_seconds=median(times) / 1000 if times else None,
                hours=sum(times) / 3_600_000,
                with_others=Share(sum(p.agreeing for p in met), sum(p.units for p in met)),
                kappa=float(np.mean(kappas)) if kappas else None,
                with_self=Share(*own_answers.repeated(code, stage)),
                confusion=_confusion(
                    consensus[table.pairs[of_reviewer]], table.verdicts[of_reviewer]
                ),
                own_accepted=accepted[0],
                others_accepted=accepted[1],
            )
        )
    return tuple(figures)


def _confusion(
    consensus: npt.NDArray[np.int64], said: npt.NDArray[np.int64]
) -> tuple[tuple[int, ...], ...]:
    size = len(VERDICT_ORDER)
    known = consensus != OPEN
    cells = np.bincount(consensus[known] * size + said[known], minlength=size * size)
    return tuple(tuple(row) for row in cells.reshape(size, size).tolist())


def _accepted(
    verdicts: StoredVerdicts,
    of_reviewer: npt.NDArray[np.bool_],
    given_by: dict[tuple[int, int], frozenset[str]],
    code: str,
) -> tuple[Share, Share]:
    """The reviewer's own answers that they judged, and those of other people."""
    counts = {True: [0, 0], False: [0, 0]}
    pairs = verdicts.table.pairs[of_reviewer]
    said = verdicts.table.verdicts[of_reviewer]
    for pair, verdict in zip(pairs.tolist(), said.tolist(), strict=True):
        people = given_by.get((int(verdicts.images[pair]), int(verdicts.classes[pair])))
        if people:
            counted = counts[code in people]
            counted[0] += verdict == CORRECT
            counted[1] += 1
    return Share(*counts[True]), Share(*counts[False])
