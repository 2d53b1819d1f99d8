"""The lead's selection, and everyone's accuracy in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.by_class import class_averages
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.metrics.scored_dataset import ScoredDataset, score_dataset
from labeler.core.metrics.subsets import (
    ALL,
    ShownSubsets,
    Subset,
    report_subsets,
    shown_subsets,
)
from labeler.core.statistics.arrays import Flags

# Averages per class exclude superclasses in the report, but not if one is selected.
_SELECTED = "asked:"

MetricCell = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Datasets, participants, subsets, metric and counting convention."""

    datasets: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()
    subsets: tuple[str, ...] = (ALL,)
    metric: Metric = Metric.MULTI_LABEL
    convention: Convention = Convention.POOLED


def parse_subset(taxonomy: Taxonomy, key: str) -> Subset:
    """Return a subset that isn't in the report, such as `subtree:n02084071`."""
    return next(s for s in report_subsets(default_groups(taxonomy), (key,)) if s.key == key)


def selected_accuracies(
    contents: ReportContents, subsets: Mapping[str, Subset], selection: Selection
) -> dict[MetricCell, Accuracy]:
    """Compute accuracies by participant, dataset and subset, from the loaded answers."""
    participants = set(selection.participants)
    chosen = tuple(_as_selected(subsets[key]) for key in selection.subsets)
    found: dict[MetricCell, Accuracy] = {}
    for scored in contents.numbers.scored:
        if scored.name in selection.datasets:
            for row in _rows(_on(scored, chosen, contents), selection, contents):
                if row.participant in participants:
                    renamed = replace(row, subset=row.subset.removeprefix(_SELECTED))
                    found[renamed.participant, renamed.dataset, renamed.subset] = renamed
    return found


def selection_subsets(
    contents: ReportContents, subsets: Mapping[str, Subset], selection: Selection
) -> ShownSubsets:
    """Leave out selected subsets without images or that repeat another, unless none is left."""

    def members_of(key: str) -> Flags:
        rows = [
            scored_members(contents, scored, subsets[key]).members_of(key)
            for scored in contents.numbers.scored
            if scored.name in selection.datasets
        ]
        return np.concatenate(rows) if rows else np.empty(0, np.bool_)

    titles = {key: subset.title for key, subset in subsets.items()}
    shown = shown_subsets(selection.subsets, members_of, titles)
    return shown if shown.keys else ShownSubsets(selection.subsets, "")


def scored_members(
    contents: ReportContents, scored: ScoredDataset, subset: Subset
) -> ScoredDataset:
    """Return the dataset scored over one subset, in the report or not."""
    return _on(scored, (subset,), contents)


def _on(
    scored: ScoredDataset, subsets: tuple[Subset, ...], contents: ReportContents
) -> ScoredDataset:
    return score_dataset(
        scored.study,
        scored.dataset,
        subsets,
        fast_seconds=contents.numbers.settings.fast_seconds,
        marks=scored.marks,
    )


def _as_selected(subset: Subset) -> Subset:
    return replace(subset, key=f"{_SELECTED}{subset.key}") if subset.is_superclass else subset


def _rows(
    scored: ScoredDataset, selection: Selection, contents: ReportContents
) -> Iterator[Accuracy]:
    metric, convention = selection.metric, selection.convention
    if convention.per_class:
        seed = contents.numbers.settings.seed
        return class_averages(scored, metric, convention, seed=seed)
    return scored.table(metric, convention).rows()
