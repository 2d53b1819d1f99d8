"""Figures about the reviewers, for the lead alone: pace, agreement, confusion, own answers."""

from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from labeler.app.review.resolution import (
    ResolutionReport,
    ResolutionSettings,
    changes_since_initial,
    preview_resolution,
    resolve_verdicts,
)
from labeler.core.errors import RefusedError
from labeler.core.review.label_changes import LabelChanges, LabelCounts, label_counts
from labeler.core.review.resolution import OPEN, ResolutionRule, resolve_by_majority
from labeler.core.review.verdict_table import VERDICT_CODES, VERDICT_ORDER, Codes, VerdictTable
from labeler.core.statistics.agreement import (
    Agreement,
    Judgements,
    RaterPair,
    agreement,
    fleiss_kappa,
    krippendorff_alpha,
    rater_pairs,
)
from labeler.core.study.entities import Role, Stage, Verdict
from labeler.store.review.resolutions import Resolution
from labeler.store.review.reviewer_answers import ReviewerAnswers
from labeler.store.review.verdict_arrays import StoredVerdicts
from labeler.store.study_store import StudyStore, Transaction


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


CORRECT_CODE = VERDICT_CODES[Verdict.CORRECT]


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    count: int
    total: int

    @property
    def fraction(self) -> float | None:
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerStatistics:
    """One reviewer.

    `kappa` is the mean of Cohen's with each other reviewer; `fleiss` and `krippendorff` are those
    of the labels that this reviewer and someone else judged. `confusion[consensus][verdict]`
    counts in the order wrong, unclear, correct. `own_accepted` are the reviewer's own evaluation
    answers that they judged correct, `others_accepted` those of all other people. `with_self` are
    repeated pairs judged the same.
    """

    code: str
    judgements: int
    median_seconds: float | None
    with_others: Share
    kappa: float | None
    fleiss: float | None
    krippendorff: float | None
    with_self: Share
    confusion: tuple[tuple[int, ...], ...]
    own_accepted: Share
    others_accepted: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStatistics:
    """All reviewers of a stage, from their blind verdicts, and what came of all verdicts.

    `consensus` says against what confusions are counted; `labels` and `changes` are there when the
    verdicts are resolved.
    """

    stage: Stage
    agreement: Agreement
    consensus: str
    reviewers: tuple[ReviewerStatistics, ...]
    labels: LabelCounts | None
    changes: LabelChanges | None


def review_statistics(store: StudyStore, stage: Stage | None = None) -> ReviewStatistics:
    """The figures of a stage; of the last one that has verdicts unless it is named."""
    with store.read() as study:
        chosen, verdicts = _chosen(study, stage)
        consensus = consensus_on(study, verdicts)
        multilabels = study.review.resolutions.correct_labels()
        return ReviewStatistics(
            stage=chosen,
            agreement=agreement(verdicts.table.judgements()),
            consensus=consensus.words,
            reviewers=_reviewers(study, chosen, verdicts, consensus),
            labels=label_counts(multilabels.values()) if multilabels else None,
            changes=changes_since_initial(study, multilabels.keys()),
        )


def _chosen(study: Transaction, stage: Stage | None) -> tuple[Stage, StoredVerdicts]:
    stages = (Stage.FINAL, Stage.INITIAL) if stage is None else (stage,)
    for tried in stages:
        verdicts = study.review.verdicts.of_stage(tried, blind_only=True)
        if verdicts.table.pair_count:
            return tried, verdicts
    raise RefusedError("Nobody has reviewed a label yet, so there is nothing to tell.")


def _reviewers(
    study: Transaction, stage: Stage, verdicts: StoredVerdicts, consensus: Consensus
) -> tuple[ReviewerStatistics, ...]:
    shared = verdicts.table.judgements()
    pairs = list(rater_pairs(shared))
    given_by = ReviewerAnswers(study.session).by_person()
    return tuple(
        _reviewer(
            study,
            stage,
            verdicts,
            number,
            met=[pair for pair in pairs if number in (pair.one, pair.other)],
            given_by=given_by,
            consensus=consensus,
        )
        for number in range(len(verdicts.reviewers))
    )


def _reviewer(
    study: Transaction,
    stage: Stage,
    verdicts: StoredVerdicts,
    number: int,
    *,
    met: list[RaterPair],
    given_by: dict[tuple[int, int], frozenset[str]],
    consensus: Consensus,
) -> ReviewerStatistics:
    table, code = verdicts.table, verdicts.reviewers[number]
    of_reviewer = table.reviewers == number
    kappas = [pair.kappa for pair in met if pair.kappa is not None]
    own_answers = ReviewerAnswers(study.session)
    times = own_answers.times_ms(code, stage)
    accepted = _accepted(verdicts, of_reviewer, given_by, code)
    others = _judged_with(table, of_reviewer)
    states = consensus.states[table.pairs[of_reviewer]]
    return ReviewerStatistics(
        code=code,
        judgements=int(np.count_nonzero(of_reviewer)),
        median_seconds=median(times) / 1000 if times else None,
        with_others=Share(sum(p.agreeing for p in met), sum(p.units for p in met)),
        kappa=float(np.mean(kappas)) if kappas else None,
        fleiss=fleiss_kappa(others),
        krippendorff=krippendorff_alpha(others),
        with_self=Share(*own_answers.repeated(code, stage)),
        confusion=_confusion(states, table.verdicts[of_reviewer]),
        own_accepted=accepted[0],
        others_accepted=accepted[1],
    )


def _judged_with(table: VerdictTable, of_reviewer: npt.NDArray[np.bool_]) -> Judgements:
    """Everyone's verdicts on the labels that the reviewer judged."""
    judged = np.zeros(table.pair_count, np.bool_)
    judged[table.pairs[of_reviewer]] = True
    kept = judged[table.pairs]
    return Judgements(table.pairs[kept], table.reviewers[kept], table.verdicts[kept])


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
            counted[0] += verdict == CORRECT_CODE
            counted[1] += 1
    return Share(*counts[True]), Share(*counts[False])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerProgress:
    """How far a reviewer is with what a stage asks of them."""

    code: str
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOverview:
    """Progress of everyone, figures once there are verdicts, and the last resolution.

    `stages` are those that have verdicts.
    """

    progress: tuple[ReviewerProgress, ...]
    figures: ReviewStatistics | None
    stages: tuple[Stage, ...]
    last: Resolution | None


def reviewers_progress(study: Transaction) -> tuple[ReviewerProgress, ...]:
    """How far everyone is with what the reviews ask of them, the final one first."""
    reviewers = [one.code for one in study.participants.with_role(Role.REVIEWER)]
    return tuple(
        ReviewerProgress(code=code, stage=stage, done=done, total=total)
        for stage in (Stage.FINAL, Stage.INITIAL)
        for code in reviewers
        for done, total in [study.review.reviewing.progress(code, stage)]
        if total
    )


class LeadReview:
    """Blocking calls for a worker thread; for a lead alone, who may see everything."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def overview(self, stage: Stage | None = None) -> ReviewOverview:
        """The figures are of the stage, or else of the last one that has verdicts."""
        with self._store.read() as study:
            progress = reviewers_progress(study)
            last = study.review.resolutions.last()
            stages = study.review.verdicts.stages()
        figures = self._figures(stage)
        return ReviewOverview(progress=progress, figures=figures, stages=stages, last=last)

    def preview(self, settings: ResolutionSettings) -> ResolutionReport:
        """What a rule would give; nothing is written."""
        return preview_resolution(self._store, settings)

    def resolve(self, settings: ResolutionSettings) -> ResolutionReport:
        """Resolve all verdicts into multi-labels, and record the rule."""
        return resolve_verdicts(self._store, settings)

    def _figures(self, stage: Stage | None) -> ReviewStatistics | None:
        try:
            return review_statistics(self._store, stage)
        except RefusedError:
            return None
