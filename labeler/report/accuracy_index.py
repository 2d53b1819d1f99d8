"""Look up the accuracies of a report by participant, dataset, subset and metric."""

from collections.abc import Iterable
from functools import cache, cached_property

import numpy as np

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.adjusted_tests import AdjustedTest, TestFamily
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.gap_intervals import GapInterval
from labeler.core.metrics.gaps import Gap
from labeler.core.metrics.human_aggregates import HumanAggregateAccuracy
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.metrics.subsets import ALL, ShownSubsets, shown_subsets
from labeler.core.statistics.arrays import Flags
from labeler.core.study.entities import ParticipantKind
from labeler.report.cell_source_builder import METRIC_TITLES, CellSourceBuilder


class ParticipantNames:
    """People by code, with their names if the lead asked to include them."""

    def __init__(self, contents: ReportContents) -> None:
        self._names = contents.names
        self._humans = set(contents.numbers.study.humans)

    def __call__(self, code: str) -> str:
        name = self._names.get(code)
        return f"{code} ({name})" if name else code

    def kind(self, code: str) -> ParticipantKind:
        return ParticipantKind.HUMAN if code in self._humans else ParticipantKind.MODEL


def best_first(shares: dict[str, float], codes: Iterable[str]) -> list[str]:
    """Return the codes that have a share, largest first; ties keep their order."""
    known = [code for code in codes if code in shares]
    return sorted(known, key=lambda code: -shares[code])


AccuracyKey = tuple[str, str, str, Metric]

__all__ = ["METRIC_TITLES", "AccuracyIndex", "AccuracyKey"]


class AccuracyIndex:
    """Looks up numbers for both tables and figures, so that they can't differ."""

    def __init__(self, contents: ReportContents) -> None:
        self.contents = contents
        self.numbers = contents.numbers
        self.display_name = ParticipantNames(contents)
        self.titles = {subset.key: subset.title for subset in self.numbers.subsets}
        self.cell_sources = CellSourceBuilder(self.display_name, self.titles)
        self.datasets = tuple(tally.dataset for tally in self.numbers.datasets)
        self._members_of = cache(self._members)

    @cached_property
    def accuracy(self) -> dict[AccuracyKey, Accuracy]:
        rows = self.numbers.accuracy
        return {(r.participant, r.dataset, r.subset, r.metric): r for r in rows}

    @cached_property
    def other(self) -> dict[tuple[str, str, str, Metric, Convention], Accuracy]:
        rows = self.numbers.accuracy_other
        return {(r.participant, r.dataset, r.subset, r.metric, r.convention): r for r in rows}

    @cached_property
    def together(self) -> dict[AccuracyKey, HumanAggregateAccuracy]:
        rows = self.numbers.together
        return {(str(r.participant), r.dataset, r.subset, r.metric): r for r in rows}

    @cached_property
    def gaps(self) -> dict[tuple[str, str, Metric], Gap]:
        return {(r.participant, r.subset, r.metric): r for r in self.numbers.gaps}

    @cached_property
    def gap_intervals(self) -> dict[tuple[str, str, Metric], GapInterval]:
        rows = self.numbers.gap_statistics.participants
        return {(r.participant, r.subset, r.metric): r for r in rows}

    @cached_property
    def adjusted(self) -> dict[tuple[TestFamily, str, str, str, str, Metric], AdjustedTest]:
        """The tests that belong to a family: by participant, against, dataset, subset, metric."""
        rows = self.numbers.adjusted_tests
        return {
            (r.family, r.participant, r.against, r.dataset, r.subset, r.metric): r for r in rows
        }

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two datasets that are compared, or None."""
        if not self.numbers.gaps:
            return None
        first = self.numbers.gaps[0]
        return first.dataset_original, first.dataset_new

    @property
    def main_metric(self) -> Metric:
        """Multi-label accuracy if any image was judged, otherwise top-1."""
        return self.numbers.all_wrong.metric

    def shown_subsets(self, keys: Iterable[str], *, besides: Iterable[str] = ()) -> ShownSubsets:
        """Leave out subsets without images, and those that repeat another."""
        return shown_subsets(keys, self._members_of, self.titles, besides=besides)

    def same_images_as(self, key: str) -> str | None:
        """Return the first other subset with the same images, in the order of the report."""
        members = self._members_of(key).tobytes()
        same = (s.key for s in self.numbers.subsets if self._members_of(s.key).tobytes() == members)
        first = next(same)
        return None if first == key else first

    def _members(self, key: str) -> Flags:
        scored = [one.members_of(key) for one in self.numbers.scored]
        return np.concatenate(scored) if scored else np.empty(0, np.bool_)

    def ordered(self, codes: tuple[str, ...], metric: Metric, subset: str = ALL) -> list[str]:
        """Return the codes by accuracy on the first dataset that has any, best first."""
        for dataset in self.datasets:
            shares = {
                code: row.accuracy
                for code in codes
                if (row := self.accuracy.get((code, dataset, subset, metric))) is not None
            }
            if shares:
                return best_first(shares, codes)
        return []
