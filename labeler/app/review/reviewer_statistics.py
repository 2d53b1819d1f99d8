"""Statistics on the reviewers, for the lead only: pace, agreement, confusion, own answers."""

from dataclasses import dataclass, replace
from statistics import median

import numpy as np
import numpy.typing as npt

from labeler.app.review.resolution import (
    ResolutionReport,
    ResolutionSettings,
    changes_since_initial,
    preview_resolution,
    resolve_by_rule,
    resolve_verdicts,
    settings_of,
)
from labeler.core.errors import RefusedError
from labeler.core.review.label_changes import LabelChanges, LabelCounts, label_counts
from labeler.core.review.resolution import OPEN
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
from labeler.core.study.entities import ResolutionRule, Role, Stage, Verdict
from labeler.store.review.decoys import DecoyAcceptance
from labeler.store.review.resolutions import Resolution
from labeler.store.review.reviewer_answers import ReviewerAnswers
from labeler.store.review.verdict_arrays import StoredVerdicts
from labeler.store.study_store import StudyStore, Transaction


def consensus_words(last: Resolution | None) -> str:
    """Describe what confusions refer to, to complete a sentence."""
    if last is None:
        return "the majority of the other reviewers' blind verdicts; nothing is resolved yet"
    if last.rule is ResolutionRule.DAWID_SKENE:
        return "the majority of the other reviewers' blind verdicts"
    return f"the other reviewers' blind verdicts, resolved by the rule {last.rule}"


def consensus_without(
    study: Transaction, verdicts: StoredVerdicts, number: int, last: Resolution | None
) -> Codes:
    """Return the state of every pair by the verdicts of all reviewers but one.

    By the rule of the last resolution, or the majority; open if no other reviewer judged the pair.
    Instead of dawid-skene the majority is used too: a fit for every reviewer would take minutes in
    a large study.
    """
    settings = settings_of(last, quorum=1)
    if settings.rule is ResolutionRule.DAWID_SKENE:
        settings = settings_of(None)
    table = verdicts.table
    others = table.reviewers != number
    rest = replace(
        verdicts,
        table=replace(
            table,
            pairs=table.pairs[others],
            reviewers=table.reviewers[others],
            verdicts=table.verdicts[others],
        ),
    )
    return resolve_by_rule(study, rest, settings)[0].states


CORRECT_CODE = VERDICT_CODES[Verdict.CORRECT]


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a total."""

    count: int
    total: int

    @property
    def fraction(self) -> float | None:
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerStatistics:
    """The statistics of one reviewer.

    `kappa` is the mean of Cohen's kappa with each other reviewer; `fleiss` and `krippendorff` are
    over the labels that this reviewer and others judged. `confusion[consensus][verdict]` counts
    labels in the order wrong, unclear, correct; the consensus is that of the other reviewers, and
    labels that no other reviewer judged don't count. `own_accepted` are the reviewer's own
    evaluation answers that they judged correct, `others_accepted` those of other people.
    `decoys_accepted` are decoys that this reviewer accepted and no other did. `with_self` are
    repeated pairs with the same verdict.
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
    decoys_accepted: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStatistics:
    """All reviewers of a stage, by their blind verdicts, and the resolved labels.

    `consensus` describes what confusions refer to; `labels` and `changes` exist when the verdicts
    are resolved.
    """

    stage: Stage
    agreement: Agreement
    consensus: str
    reviewers: tuple[ReviewerStatistics, ...]
    labels: LabelCounts | None
    changes: LabelChanges | None


def review_statistics(store: StudyStore, stage: Stage | None = None) -> ReviewStatistics:
    """Return the statistics of a stage, by default of the last one with verdicts."""
    with store.read() as study:
        chosen, verdicts = _chosen(study, stage)
        last = study.review.resolutions.last()
        multilabels = study.review.resolutions.correct_labels()
        return ReviewStatistics(
            stage=chosen,
            agreement=agreement(verdicts.table.judgements()),
            consensus=consensus_words(last),
            reviewers=_reviewers(study, chosen, verdicts, last),
            labels=label_counts(multilabels.values()) if multilabels else None,
            changes=changes_since_initial(study, multilabels.keys()),
        )


def _chosen(study: Transaction, stage: Stage | None) -> tuple[Stage, StoredVerdicts]:
    stages = (Stage.FINAL, Stage.INITIAL) if stage is None else (stage,)
    for candidate in stages:
        verdicts = study.review.verdicts.of_stage(candidate, blind_only=True)
        if verdicts.table.pair_count:
            return candidate, verdicts
    raise RefusedError("No label has been reviewed yet, so there are no statistics.")


def _reviewers(
    study: Transaction, stage: Stage, verdicts: StoredVerdicts, last: Resolution | None
) -> tuple[ReviewerStatistics, ...]:
    shared = verdicts.table.judgements()
    pairs = list(rater_pairs(shared))
    given_by = ReviewerAnswers(study.session).by_person()
    decoys = study.review.decoys.acceptances(stage)
    return tuple(
        _reviewer(
            study,
            stage,
            verdicts,
            number,
            shared_pairs=[pair for pair in pairs if number in (pair.one, pair.other)],
            given_by=given_by,
            consensus=consensus_without(study, verdicts, number, last),
            decoys=decoys.get(verdicts.reviewers[number]),
        )
        for number in range(len(verdicts.reviewers))
    )


def _reviewer(
    study: Transaction,
    stage: Stage,
    verdicts: StoredVerdicts,
    number: int,
    *,
    shared_pairs: list[RaterPair],
    given_by: dict[tuple[int, int], frozenset[str]],
    consensus: Codes,
    decoys: DecoyAcceptance | None,
) -> ReviewerStatistics:
    table, code = verdicts.table, verdicts.reviewers[number]
    of_reviewer = table.reviewers == number
    kappas = [pair.kappa for pair in shared_pairs if pair.kappa is not None]
    own_answers = ReviewerAnswers(study.session)
    times = own_answers.times_ms(code, stage)
    accepted = _accepted(verdicts, of_reviewer, given_by, code)
    others = _judged_with(table, of_reviewer)
    states = consensus[table.pairs[of_reviewer]]
    return ReviewerStatistics(
        code=code,
        judgements=int(np.count_nonzero(of_reviewer)),
        median_seconds=median(times) / 1000 if times else None,
        with_others=Share(
            sum(p.agreeing for p in shared_pairs), sum(p.units for p in shared_pairs)
        ),
        kappa=float(np.mean(kappas)) if kappas else None,
        fleiss=fleiss_kappa(others),
        krippendorff=krippendorff_alpha(others),
        with_self=Share(*own_answers.repeated(code, stage)),
        confusion=_confusion(states, table.verdicts[of_reviewer]),
        own_accepted=accepted[0],
        others_accepted=accepted[1],
        decoys_accepted=Share(0, 0) if decoys is None else Share(decoys.accepted, decoys.judged),
    )


def _judged_with(table: VerdictTable, of_reviewer: npt.NDArray[np.bool_]) -> Judgements:
    """Return all verdicts on the labels that the reviewer judged."""
    judged = np.zeros(table.pair_count, np.bool_)
    judged[table.pairs[of_reviewer]] = True
    selected = judged[table.pairs]
    return Judgements(table.pairs[selected], table.reviewers[selected], table.verdicts[selected])


def _confusion(
    consensus: npt.NDArray[np.int64], verdicts: npt.NDArray[np.int64]
) -> tuple[tuple[int, ...], ...]:
    size = len(VERDICT_ORDER)
    known = consensus != OPEN
    cells = np.bincount(consensus[known] * size + verdicts[known], minlength=size * size)
    return tuple(tuple(row) for row in cells.reshape(size, size).tolist())


def _accepted(
    verdicts: StoredVerdicts,
    of_reviewer: npt.NDArray[np.bool_],
    given_by: dict[tuple[int, int], frozenset[str]],
    code: str,
) -> tuple[Share, Share]:
    """Return the shares of accepted answers: the reviewer's own, and those of others."""
    counts = {True: [0, 0], False: [0, 0]}
    pairs = verdicts.table.pairs[of_reviewer]
    given = verdicts.table.verdicts[of_reviewer]
    for pair, verdict in zip(pairs.tolist(), given.tolist(), strict=True):
        people = given_by.get((int(verdicts.images[pair]), int(verdicts.classes[pair])))
        if people:
            counted = counts[code in people]
            counted[0] += verdict == CORRECT_CODE
            counted[1] += 1
    return Share(*counts[True]), Share(*counts[False])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerProgress:
    """A reviewer's progress in a stage."""

    code: str
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOverview:
    """Everyone's progress, statistics if there are verdicts, and the last resolution.

    `stages` are those with verdicts.
    """

    progress: tuple[ReviewerProgress, ...]
    figures: ReviewStatistics | None
    stages: tuple[Stage, ...]
    last: Resolution | None


def reviewers_progress(study: Transaction) -> tuple[ReviewerProgress, ...]:
    """Return everyone's progress in the reviews, the final one first."""
    reviewers = [participant.code for participant in study.participants.with_role(Role.REVIEWER)]
    return tuple(
        ReviewerProgress(code=code, stage=stage, done=done, total=total)
        for stage in (Stage.FINAL, Stage.INITIAL)
        for code in reviewers
        for done, total in [study.review.reviewing.progress(code, stage)]
        if total
    )


class LeadReview:
    """Blocking calls for a worker thread; only for leads, who may see everything."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def overview(self, stage: Stage | None = None) -> ReviewOverview:
        """Return the overview with the statistics of a stage, by default the last with verdicts."""
        with self._store.read() as study:
            progress = reviewers_progress(study)
            last = study.review.resolutions.last()
            stages = study.review.verdicts.stages()
        figures = self._figures(stage)
        return ReviewOverview(progress=progress, figures=figures, stages=stages, last=last)

    def preview(self, settings: ResolutionSettings) -> ResolutionReport:
        """Return what a rule would give; nothing is stored."""
        return preview_resolution(self._store, settings)

    def resolve(self, settings: ResolutionSettings) -> ResolutionReport:
        """Resolve all verdicts to multi-labels, and record the rule."""
        return resolve_verdicts(self._store, settings)

    def _figures(self, stage: Stage | None) -> ReviewStatistics | None:
        try:
            return review_statistics(self._store, stage)
        except RefusedError:
            return None
