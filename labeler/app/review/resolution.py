"""Resolve verdicts to multi-labels by the lead's rule, and record it."""

import csv
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from labeler.core.errors import RefusedError
from labeler.core.review.dawid_skene import DawidSkeneEstimate, estimate_dawid_skene
from labeler.core.review.label_changes import LabelChanges, LabelCounts, label_changes, label_counts
from labeler.core.review.resolution import (
    ResolutionRule,
    ResolvedStates,
    resolve_adjudicated,
    resolve_by_majority,
    resolve_single,
    resolve_unanimous,
)
from labeler.core.review.verdict_table import VERDICT_CODES
from labeler.core.study.entities import ImageKey, Stage, Verdict
from labeler.images.atomic_write import write_atomically
from labeler.store.review.resolutions import Resolution, count_states
from labeler.store.review.verdict_arrays import StoredVerdicts
from labeler.store.study_store import StudyStore, Transaction

NO_VERDICTS = "There are no verdicts to resolve: no label has been reviewed yet."
PROBABILITY_COLUMNS = ("dataset", "image", "label", "p_wrong", "p_unclear", "p_correct")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionSettings:
    """The rule; `reviewer` selects one for `single`, `quorum` is the number of verdicts needed."""

    rule: ResolutionRule
    quorum: int = 1
    reviewer: str | None = None
    probabilities: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionReport:
    """The result; `changes` exists after a final review followed an initial one.

    `unconfirmed` images were flagged as problematic, but not confirmed by a second reviewer so far.
    """

    resolution: Resolution
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
        resolved, model = _by_rule(study, verdicts, settings)
        changes = _changes(study, verdicts, resolved, settings)
        if settings.probabilities is not None and model is not None:
            _write_probabilities(study, verdicts, model, settings.probabilities)
        resolution = study.review.resolutions.keep(
            verdicts,
            resolved,
            rule=settings.rule,
            quorum=settings.quorum,
            reviewer=settings.reviewer,
        )
        study.audit.record(
            "reviews resolved",
            rule=settings.rule,
            quorum=settings.quorum,
            reviewer=settings.reviewer,
        )
        study.session.flush()
        labels = label_counts(study.review.resolutions.correct_labels().values())
        unconfirmed = study.review.flag_checks.unconfirmed()
    return ResolutionReport(
        resolution=resolution,
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
        resolved, model = _by_rule(study, verdicts, settings)
        return ResolutionReport(
            resolution=count_states(
                resolved, rule=settings.rule, quorum=settings.quorum, reviewer=settings.reviewer
            ),
            labels=label_counts(_correct(study, verdicts, resolved).values()),
            changes=_changes(study, verdicts, resolved, settings),
            unconfirmed=study.review.flag_checks.unconfirmed(),
            steps=None if model is None else model.steps,
            converged=model is None or model.converged,
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
    rule = ResolutionSettings(
        rule=ResolutionRule.MAJORITY if last is None else last.rule,
        quorum=1 if last is None else last.quorum,
    )
    before, _model = _by_rule(study, initial, rule)
    labels = _correct(study, initial, before)
    return label_changes({key: known for key, known in labels.items() if key in images}, now)


def _check(settings: ResolutionSettings) -> None:
    if settings.probabilities is not None and settings.rule is not ResolutionRule.DAWID_SKENE:
        raise RefusedError(
            f"The rule {settings.rule} gives no probabilities; only dawid-skene does."
        )
    if settings.reviewer is not None and settings.rule is not ResolutionRule.SINGLE:
        raise RefusedError(f"The rule {settings.rule} uses all reviewers; only single uses one.")


def _by_rule(
    study: Transaction, verdicts: StoredVerdicts, settings: ResolutionSettings
) -> tuple[ResolvedStates, DawidSkeneEstimate | None]:
    table = verdicts.table
    if settings.rule is ResolutionRule.DAWID_SKENE:
        model = estimate_dawid_skene(table)
        return model.resolved(), model
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
    before, _model = _by_rule(study, initial, settings)
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
    study: Transaction, verdicts: StoredVerdicts, resolved: ResolvedStates
) -> dict[ImageKey, frozenset[str]]:
    labels: dict[ImageKey, set[str]] = {}
    names = study.review.verdicts.names(verdicts)
    for (dataset, image, wnid), state in zip(names, resolved.states.tolist(), strict=True):
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
