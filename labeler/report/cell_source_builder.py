"""Says of a report's numbers what they stand for, so that a reader can go to the images."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import (
    AnswerCorrectness,
    AnsweredByAny,
    CountedForAll,
    CountedForAny,
    EvaluationSource,
    ParticipantMetric,
)
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.subsets import ALL

Value = TypeVar("Value", bound=Hashable)

METRIC_TITLES = {
    Metric.TOP1: "Top-1",
    Metric.TOP5: "Top-5",
    Metric.MULTI_LABEL: "Multi-label",
    Metric.MULTI_LABEL_IMPUTED: "Multi-label, hatches imputed",
}
assert set(METRIC_TITLES) == set(Metric), "every metric has its title"
_CONVENTION_PHRASES = {
    Convention.POOLED: "",
    Convention.UNCLEAR_COUNTS: ", unclear counts too",
    Convention.PER_CLASS: ", averaged per class",
    Convention.PER_CLASS_UNCLEAR_COUNTS: ", averaged per class, unclear counts too",
}
assert set(_CONVENTION_PHRASES) == set(Convention), "every convention has its words"


class CellSourceBuilder:
    """Knows how participants and subsets are called."""

    def __init__(self, called: Callable[[str], str], titles: Mapping[str, str]) -> None:
        self._called, self._titles = called, titles

    def accuracies(self, *found: Accuracy | None) -> EvaluationSource | None:
        """The images that one accuracy counts, or several of one participant."""
        rows = [row for row in found if row is not None]
        if not rows:
            return None
        markings = _once(ParticipantMetric(r.participant, r.metric, r.convention) for r in rows)
        datasets, subsets = _once(r.dataset for r in rows), _once(r.subset for r in rows)
        return EvaluationSource(
            heading=f"{self._called(rows[0].participant)} on {' and '.join(datasets)}",
            words=self._words(markings, subsets),
            datasets=datasets,
            subsets=subsets,
            conditions=(CountedForAny(markings),),
            markings=markings,
        )

    def several(
        self,
        who: str,
        codes: Sequence[str],
        *,
        datasets: Sequence[str],
        metric: Metric,
        subset: str = ALL,
    ) -> EvaluationSource | None:
        """The images that any of them has in an accuracy."""
        if not codes:
            return None
        markings = tuple(ParticipantMetric(code, metric) for code in codes)
        return EvaluationSource(
            heading=f"{who} on {' and '.join(datasets)}",
            words=self._words(markings[:1], (subset,)),
            datasets=tuple(datasets),
            subsets=(subset,),
            conditions=(CountedForAny(markings),),
            markings=markings,
        )

    def pair(
        self, a: str, b: str, *, dataset: str, metric: Metric, subset: str = ALL
    ) -> EvaluationSource:
        """The images that both answered."""
        markings = ParticipantMetric(a, metric), ParticipantMetric(b, metric)
        return EvaluationSource(
            heading=f"{self._called(a)} and {self._called(b)} on {dataset}",
            words=f"{self._words(markings[:1], (subset,))}: images that both answered",
            datasets=(dataset,),
            subsets=(subset,),
            conditions=(CountedForAll(markings),),
            markings=markings,
        )

    def one_right(self, pair: EvaluationSource, *, first: bool) -> EvaluationSource:
        """Of a pair's images those that only one of the two got right."""
        a, b = pair.markings
        right, wrong = (a, b) if first else (b, a)
        return pair.also(
            f"only {self._called(right.participant)} is correct",
            AnswerCorrectness(right, right=True),
            AnswerCorrectness(wrong, right=False),
        )

    def answered(self, code: str, datasets: Sequence[str], metric: Metric) -> EvaluationSource:
        """The evaluated images that someone answered, judged or not."""
        return EvaluationSource(
            heading=f"{self._called(code)} on {' and '.join(datasets)}",
            words="Evaluated images with an answer",
            datasets=tuple(datasets),
            conditions=(AnsweredByAny((code,)),),
            markings=(ParticipantMetric(code, metric),),
        )

    def _words(self, markings: Sequence[ParticipantMetric], subsets: Sequence[str]) -> str:
        metrics = _once(METRIC_TITLES[marking.metric] for marking in markings)
        named = " and ".join((metrics[0], *(title.lower() for title in metrics[1:])))
        where = " and ".join(self._titles[key].lower() for key in subsets)
        return f"{named}, {where}{_CONVENTION_PHRASES[markings[0].convention]}"


def _once(values: Iterable[Value]) -> tuple[Value, ...]:
    return tuple(dict.fromkeys(values))
