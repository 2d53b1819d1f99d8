"""Resolve verdicts to multi-labels by the lead's rule, and record it."""

import csv
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TypedDict

from labeler.core.errors import RefusedError
from labeler.core.review.dawid_skene import (
    DEFAULT_THRESHOLD,
    DawidSkeneEstimate,
    Truth,
    estimate_dawid_skene,
)
from labeler.core.review.label_changes import LabelChanges, LabelCounts, label_changes, label_counts
from labeler.core.review.resolution import (
    OPEN,
    ResolvedStates,
    resolve_adjudicated,
    resolve_by_majority,
    resolve_single,
    resolve_unanimous,
)
from labeler.core.review.verdict_table import VERDICT_CODES
from labeler.core.study.entities import ImageKey, ResolutionRule, Stage, Verdict
from labeler.core.text import count_noun
from labeler.images.atomic_write import write_atomically
from labeler.store.review.resolutions import Resolution, count_states
from labeler.store.review.verdict_arrays import StoredVerdicts
from labeler.store.study_store import StudyStore, Transaction

NO_VERDICTS = "There are no verdicts to resolve: no label has been reviewed yet."
PROBABILITY_COLUMNS = ("dataset", "image", "label", "p_wrong", "p_unclear", "p_correct")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionSettings:
    """The rule; `reviewer` selects one for `single`, `quorum` is the number of verdicts needed.

    `truth` and `threshold` are for `dawid-skene`, binary and 0.5 by default; a truth of three
    states has no threshold.
    """

    rule: ResolutionRule
    quorum: int = 1
    reviewer: str | None = None
    probabilities: Path | None = None
    truth: Truth | None = None
    threshold: float | None = None

    @property
    def effective_truth(self) -> Truth | None:
        if self.rule is not ResolutionRule.DAWID_SKENE:
            return None
        return self.truth or Truth.BINARY

    @property
    def effective_threshold(self) -> float | None:
        if self.effective_truth is not Truth.BINARY:
            return None
        return DEFAULT_THRESHOLD if self.threshold is None else self.threshold


RESOLVE_AGAIN = "Resolve again when more are judged."
# Below this share of judged labels, the lead is asked before the verdicts are resolved.
ENOUGH_JUDGED = 0.5


@dataclass(frozen=True, slots=True)
class ReviewCoverage:
    """How many of the planned labels are judged; nothing is planned if verdicts were imported."""

    judged: int
    planned: int

    @property
    def is_low(self) -> bool:
        return self.judged < ENOUGH_JUDGED * self.planned

    def sentence(self) -> str:
        return f"{self.judged:,} of {count_noun(self.planned, 'planned label')} are judged so far."


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionReport:
    """The result; `changes` exists after a final review followed an initial one.

    `unconfirmed` images were flagged as problematic, but not confirmed by a second reviewer so far.
    """

    resolution: Resolution
    coverage: ReviewCoverage
    labels: LabelCounts
    changes: LabelChanges | None
    unconfirmed: int
    steps: int | None
    converged: bool


def resolve_verdicts(store: StudyStore, settings: ResolutionSettings) -> ResolutionReport:
    """Resolve all verdicts and store the multi-labels, in one transaction."""
    _check(settings)
    with store.write() as study:
        verdicts = study.review.verdicts.latest()
        if not verdicts.table.pair_count:
            raise RefusedError(NO_VERDICTS)
        resolved, model = resolve_by_rule(study, verdicts, settings)
        changes = _changes(study, verdicts, resolved, settings)
        if settings.probabilities is not None and model is not None:
            _write_probabilities(study, verdicts, model, settings.probabilities)
        resolution = study.review.resolutions.keep(
            verdicts,
            resolved,
            **_recorded(settings),
        )
        study.audit.record("reviews resolved", **_recorded(settings))
        study.session.flush()
        labels = label_counts(study.review.resolutions.correct_labels().values())
        coverage = ReviewCoverage(*study.review.verdicts.planned(verdicts))
        unconfirmed = study.review.flag_checks.unconfirmed()
    return ResolutionReport(
        resolution=resolution,
        coverage=coverage,
        labels=labels,
        changes=changes,
        unconfirmed=unconfirmed,
        steps=None if model is None else model.steps,
        converged=model is None or model.converged,
    )


def preview_resolution(store: StudyStore, settings: ResolutionSettings) -> ResolutionReport:
    """Return what the rule would give; nothing is stored."""
    _check(settings)
    with store.read() as study:
        verdicts = study.review.verdicts.latest()
        if not verdicts.table.pair_count:
            raise RefusedError(NO_VERDICTS)
        resolved, model = resolve_by_rule(study, verdicts, settings)
        return ResolutionReport(
            resolution=count_states(resolved, **_recorded(settings)),
            coverage=ReviewCoverage(*study.review.verdicts.planned(verdicts)),
            labels=label_counts(_correct(study, verdicts, resolved, open_too=False).values()),
            changes=_changes(study, verdicts, resolved, settings),
            unconfirmed=study.review.flag_checks.unconfirmed(),
            steps=None if model is None else model.steps,
            converged=model is None or model.converged,
        )


def review_coverage(store: StudyStore) -> ReviewCoverage:
    """Return how many planned labels are judged."""
    with store.read() as study:
        return ReviewCoverage(*study.review.verdicts.planned(study.review.verdicts.latest()))


def settings_of(last: Resolution | None, *, quorum: int | None = None) -> ResolutionSettings:
    """Return the settings of the last resolution, or the majority; `quorum` replaces its own."""
    if last is None:
        return ResolutionSettings(rule=ResolutionRule.MAJORITY, quorum=quorum or 1)
    return ResolutionSettings(
        rule=last.rule,
        quorum=quorum or last.quorum,
        truth=last.truth,
        threshold=last.threshold,
    )


def changes_since_initial(study: Transaction, images: AbstractSet[ImageKey]) -> LabelChanges | None:
    """Compare the initial review, by the last rule, with the current multi-labels.

    None before a final review, unless the multi-labels were imported.
    """
    initial = study.review.verdicts.of_stage(Stage.INITIAL)
    last, now = study.review.resolutions.last(), study.review.resolutions.correct_labels()
    reviewed_again = study.review.verdicts.of_stage(Stage.FINAL).table.pair_count > 0
    if not initial.table.pair_count or not now or (last is not None and not reviewed_again):
        return None
    before, _model = resolve_by_rule(study, initial, settings_of(last))
    labels = _correct(study, initial, before)
    return label_changes({key: known for key, known in labels.items() if key in images}, now)


def _check(settings: ResolutionSettings) -> None:
    if settings.probabilities is not None and settings.rule is not ResolutionRule.DAWID_SKENE:
        raise RefusedError(
            f"The rule {settings.rule} gives no probabilities; only dawid-skene does."
        )
    if settings.reviewer is not None and settings.rule is not ResolutionRule.SINGLE:
        raise RefusedError(f"The rule {settings.rule} uses all reviewers; only single uses one.")
    estimates = settings.truth is not None or settings.threshold is not None
    if estimates and settings.rule is not ResolutionRule.DAWID_SKENE:
        raise RefusedError(
            f"The rule {settings.rule} has no truth or threshold; only dawid-skene does."
        )
    if settings.threshold is not None and settings.truth is Truth.THREE:
        raise RefusedError("A truth of three states has no threshold; only a binary truth does.")


class _Recorded(TypedDict):
    rule: ResolutionRule
    quorum: int
    reviewer: str | None
    truth: Truth | None
    threshold: float | None


def _recorded(settings: ResolutionSettings) -> _Recorded:
    """Return what is stored about a resolution."""
    return _Recorded(
        rule=settings.rule,
        quorum=settings.quorum,
        reviewer=settings.reviewer,
        truth=settings.effective_truth,
        threshold=settings.effective_threshold,
    )


def resolve_by_rule(
    study: Transaction, verdicts: StoredVerdicts, settings: ResolutionSettings
) -> tuple[ResolvedStates, DawidSkeneEstimate | None]:
    """Resolve the verdicts, with the estimate if the rule makes one; nothing is stored."""
    table = verdicts.table
    if settings.rule is ResolutionRule.DAWID_SKENE:
        model = estimate_dawid_skene(table, settings.truth or Truth.BINARY)
        return model.resolved(settings.effective_threshold or DEFAULT_THRESHOLD), model
    if settings.rule is ResolutionRule.SINGLE:
        return resolve_single(table, reviewer=_number_of(verdicts, settings.reviewer)), None
    if settings.rule is ResolutionRule.ADJUDICATED:
        group = study.review.verdicts.adjudicated(verdicts)
        return resolve_adjudicated(table, group=group, quorum=settings.quorum), None
    rule = resolve_by_majority if settings.rule is ResolutionRule.MAJORITY else resolve_unanimous
    return rule(table, quorum=settings.quorum), None


def _number_of(verdicts: StoredVerdicts, reviewer: str | None) -> int | None:
    if reviewer is None:
        return None
    if reviewer not in verdicts.reviewers:
        known = ", ".join(verdicts.reviewers)
        raise RefusedError(f"'{reviewer}' has no verdicts. Reviewers with verdicts are: {known}.")
    return verdicts.reviewers.index(reviewer)


def _changes(
    study: Transaction,
    verdicts: StoredVerdicts,
    resolved: ResolvedStates,
    settings: ResolutionSettings,
) -> LabelChanges | None:
    """Compare the initial review with all verdicts, both resolved by the same rule."""
    if not all(study.review.verdicts.has(stage) for stage in Stage):
        return None
    initial = study.review.verdicts.of_stage(Stage.INITIAL)
    if settings.reviewer is not None and settings.reviewer not in initial.reviewers:
        return None
    before, _model = resolve_by_rule(study, initial, settings)
    sampled = set(study.samples.images())
    return label_changes(
        {
            image: labels
            for image, labels in _correct(study, initial, before).items()
            if not sampled or image in sampled
        },
        _correct(study, verdicts, resolved),
    )


def _correct(
    study: Transaction,
    verdicts: StoredVerdicts,
    resolved: ResolvedStates,
    *,
    open_too: bool = True,
) -> dict[ImageKey, frozenset[str]]:
    """Return the correct labels by image; `open_too` includes images with open labels only."""
    labels: dict[ImageKey, set[str]] = {}
    names = study.review.verdicts.names(verdicts)
    for (dataset, image, wnid), state in zip(names, resolved.states.tolist(), strict=True):
        if state == OPEN and not open_too:
            continue
        correct = labels.setdefault(ImageKey(dataset, image), set())
        if state == VERDICT_CODES[Verdict.CORRECT]:
            correct.add(wnid)
    return {image: frozenset(correct) for image, correct in labels.items()}


def _write_probabilities(
    study: Transaction, verdicts: StoredVerdicts, model: DawidSkeneEstimate, file: Path
) -> None:
    names = study.review.verdicts.names(verdicts)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PROBABILITY_COLUMNS)
    rows = zip(names, model.probabilities.tolist(), strict=True)
    writer.writerows(sorted((*name, *(f"{p:.6f}" for p in chances)) for name, chances in rows))
    write_atomically(file, text.getvalue().encode())
