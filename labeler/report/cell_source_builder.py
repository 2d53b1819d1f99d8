"""Build the sources of a report's numbers, so that a reader can see the images."""

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
assert set(METRIC_TITLES) == set(Metric), "every metric has a title"
_CONVENTION_PHRASES = {
    Convention.POOLED: "",
    Convention.UNCLEAR_COUNTS: ", unclear counts as correct",
    Convention.PER_CLASS: ", averaged per class",
    Convention.PER_CLASS_UNCLEAR_COUNTS: ", averaged per class, unclear counts as correct",
}
assert set(_CONVENTION_PHRASES) == set(Convention), "every convention has a phrase"


class CellSourceBuilder:
    """Builds cell sources; `display_name` returns the display name of a participant."""

    def __init__(self, display_name: Callable[[str], str], titles: Mapping[str, str]) -> None:
        self._display_name, self._titles = display_name, titles

    def accuracies(self, *found: Accuracy | None) -> EvaluationSource | None:
        """Return the images counted by one or several accuracies of one participant."""
        rows = [row for row in found if row is not None]
        if not rows:
            return None
        markings = _once(ParticipantMetric(r.participant, r.metric, r.convention) for r in rows)
        datasets, subsets = _once(r.dataset for r in rows), _once(r.subset for r in rows)
        return EvaluationSource(
            heading=f"{self._display_name(rows[0].participant)} on {' and '.join(datasets)}",
            words=self._words(markings, subsets),
            datasets=datasets,
            subsets=subsets,
            conditions=(CountedForAny(markings),),
            markings=markings,
        )

    def several(
        self,
        heading: str,
        codes: Sequence[str],
        *,
        datasets: Sequence[str],
        metric: Metric,
        subset: str = ALL,
    ) -> EvaluationSource | None:
        """Return the images in the accuracy of any of the participants."""
        if not codes:
            return None
        markings = tuple(ParticipantMetric(code, metric) for code in codes)
        return EvaluationSource(
            heading=f"{heading} on {' and '.join(datasets)}",
            words=self._words(markings[:1], (subset,)),
            datasets=tuple(datasets),
            subsets=(subset,),
            conditions=(CountedForAny(markings),),
            markings=markings,
        )

    def pair(
        self, a: str, b: str, *, dataset: str, metric: Metric, subset: str = ALL
    ) -> EvaluationSource:
        """Return the images that both answered."""
        markings = ParticipantMetric(a, metric), ParticipantMetric(b, metric)
        return EvaluationSource(
            heading=f"{self._display_name(a)} and {self._display_name(b)} on {dataset}",
            words=f"{self._words(markings[:1], (subset,))}: images that both answered",
            datasets=(dataset,),
            subsets=(subset,),
            conditions=(CountedForAll(markings),),
            markings=markings,
        )

    def one_right(self, pair: EvaluationSource, *, first: bool) -> EvaluationSource:
        """Return the images of a pair that only one of the two got right."""
        a, b = pair.markings
        right, wrong = (a, b) if first else (b, a)
        return pair.also(
            f"only {self._display_name(right.participant)} is correct",
            AnswerCorrectness(right, right=True),
            AnswerCorrectness(wrong, right=False),
        )

    def answered(self, code: str, datasets: Sequence[str], metric: Metric) -> EvaluationSource:
        """Return the evaluated images that the participant answered, judged or not."""
        return EvaluationSource(
            heading=f"{self._display_name(code)} on {' and '.join(datasets)}",
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
