"""What a report can't contain, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.by_class import humans_differ_in_classes
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.human_aggregates import MIN_VOTERS
from labeler.core.metrics.model_fits import ModelFit
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.study_answers import NO_TIME
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.arrays import Flags
from labeler.core.statistics.linear_fit import MIN_POINTS_FOR_INTERVAL

FIT_INTERVALS = "Intervals of the fits"


@dataclass(frozen=True, slots=True)
class Omission:
    what: str
    why: str


def omissions(
    scored: Sequence[ScoredDataset], pair: tuple[str, str] | None, fits: Sequence[ModelFit]
) -> Iterator[Omission]:
    """Yield everything that can't be computed for this study."""
    if not scored:
        yield Omission("Every number", "the study has no evaluation dataset.")
        return
    yield from _of_people(scored)
    if pair is None:
        yield Omission(
            "Gaps, ranks and fits",
            "they compare two evaluation datasets, and the study has only one.",
        )
    else:
        yield from _of_fits(scored, pair, fits)
    for dataset in scored:
        yield from _of_dataset(dataset)


def _of_people(scored: Sequence[ScoredDataset]) -> Iterator[Omission]:
    humans = scored[0].marks.humans
    everywhere = np.concatenate([s.marks.answered for s in scored], axis=1)
    answered: list[bool] = np.asarray(everywhere.any(axis=1)).tolist()
    people, models = sum(answered[:humans]), sum(answered[humans:])
    if not people:
        yield Omission("Human accuracies and times", "no human has answered an image.")
    elif people < MIN_VOTERS:
        yield Omission("The majority vote", f"it takes three humans, and there are {people}.")
    if people and not any((one.dataset.active_ms != NO_TIME).any() for one in scored):
        yield Omission(
            "Active times and the fast images",
            "nobody's active time is known; wall-clock times don't tell it.",
        )
    if not models:
        yield Omission("Model accuracies and fits", "no model has been run on the study.")
    elif models < 2:
        yield Omission("Fits over the models", "a line needs two models, and there is one.")
    elif models < MIN_POINTS_FOR_INTERVAL:
        yield Omission(
            FIT_INTERVALS,
            f"they take {MIN_POINTS_FOR_INTERVAL} models, and there are {models}. Lines through so "
            "few models are not shown either.",
        )


def _of_fits(
    scored: Sequence[ScoredDataset], pair: tuple[str, str], fits: Sequence[ModelFit]
) -> Iterator[Omission]:
    """Yield metrics for which models have both accuracies but no line can be fitted."""
    original, new = (one for name in pair for one in scored if one.name == name)
    fitted = {fit.metric for fit in fits if fit.subset == ALL}
    for metric in (Metric.TOP1, Metric.MULTI_LABEL):
        both = np.flatnonzero(_have(original, metric) & _have(new, metric))
        models = int(np.count_nonzero(both >= original.marks.humans))
        if models > 1 and metric not in fitted:
            yield Omission(
                f"Fits of {metric} over the models",
                f"all {models} have the same accuracy on {original.name}.",
            )


def _have(scored: ScoredDataset, metric: Metric) -> Flags:
    """Return who has an accuracy by the metric on the dataset."""
    return np.asarray((scored.counted(metric) & scored.members_of()).any(axis=1))


def _of_dataset(scored: ScoredDataset) -> Iterator[Omission]:
    evaluated = scored.members_of()
    if not evaluated.any():
        yield Omission(f"Accuracies on {scored.name}", "no image of it is left to evaluate.")
        return
    unjudged = int(np.count_nonzero(evaluated & ~scored.facts.judged))
    if unjudged == np.count_nonzero(evaluated):
        yield Omission(
            f"Multi-label accuracies on {scored.name}", "none of its images has been judged."
        )
    elif unjudged:
        yield Omission(
            f"Multi-label accuracies on {unjudged:,} images of {scored.name}",
            "nobody has judged a label of them; other metrics count them.",
        )
    if humans_differ_in_classes(scored):
        yield Omission(
            f"The class-resampling test of the humans' mean on {scored.name}",
            "they answered images of different classes.",
        )
    for code, row in zip(scored.study.participants, scored.marks.answered, strict=True):
        missing = int(np.count_nonzero(evaluated & ~row))
        if missing and (row & evaluated).any():
            yield Omission(
                f"{code} on {missing:,} of {np.count_nonzero(evaluated):,} images of {scored.name}",
                "they have no answer; accuracies are over those that have one.",
            )
