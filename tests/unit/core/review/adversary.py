"""A reviewer with a computer, who guesses from the views alone who proposed each label."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize

from tests.unit.core.review.simulated_plans import ReviewerView

Features = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]
Views = Sequence[ReviewerView]
Distances = Callable[[str], Mapping[str, int]]
_RIDGE = 4.0
_FAR = 20
# The first columns say what the reviewer remembers; only they are multiplied by all others.
_REMEMBERED = 7


def visible_features(
    views: Views, *, stage_before: Views, other_stage: Views, distances: Distances
) -> Features:
    """Return a row for every label of the views, in order.

    `stage_before` are the views of the same stage before its extension, `other_stage` those of the
    stage before: the reviewer remembers all of them.
    """
    rows = _rows(views, _Memory(stage_before, other_stage, views), distances)
    return np.array(list(rows), np.float64)


class _Memory:
    """What the reviewer has seen so far, and how often each class occurs in these views."""

    def __init__(self, stage_before: Views, other_stage: Views, views: Views) -> None:
        self.before = {view.image: set(view.labels) for view in stage_before}
        self.known = {view.image: set(view.labels) for view in other_stage}
        self.met = {label for view in (*stage_before, *other_stage) for label in view.labels}
        self.seen = Counter(label for view in views for label in view.labels)
        self.typical = float(np.median(list(self.seen.values())))


def _rows(views: Views, memory: _Memory, distances: Distances) -> Iterator[tuple[float, ...]]:
    last: dict[str, int] = {}
    for place, view in enumerate(views):
        known, before = memory.known.get(view.image), memory.before.get(view.image)
        for number, label in enumerate(view.labels):
            near = [distances(label).get(o, _FAR) for o in view.labels if o != label] or [_FAR]
            yield (
                known is not None and label not in known,
                known is not None and label in known,
                known is not None,
                bool(memory.met) and label not in memory.met,
                before is not None and label not in before,
                before is not None,
                memory.seen[label] > memory.typical,
                *(len(view.labels) == count for count in range(1, 6)),
                len(view.labels) >= 6,
                np.log(memory.seen[label]),
                min(near) / 10,
                sum(near) / len(near) / 10,
                min(near) == 2,
                place / len(views),
                number / len(view.labels),
                number == 0,
                label == min(view.labels),
                label in last,
                np.log1p(place - last[label]) / 5 if label in last else 0.0,
            )
        last |= dict.fromkeys(view.labels, place)


@dataclass(frozen=True, slots=True)
class Adversary:
    """A logistic regression on the features and their products."""

    weights: Features
    base_rate: float

    @classmethod
    def learn(cls, cases: Sequence[tuple[Features, Truth]]) -> "Adversary":
        """Learn from studies in which the sources are known."""
        truth = np.concatenate([case[1] for case in cases])
        rows = _expanded(np.concatenate([case[0] for case in cases]))
        signs = np.where(truth, 1.0, -1.0)

        def loss(weights: Features) -> tuple[float, Features]:
            margins = signs * (rows @ weights)
            slope = -signs / (1 + np.exp(np.clip(margins, -30, 30)))
            total = np.logaddexp(0, -margins).sum() + _RIDGE / 2 * weights @ weights
            return float(total), rows.T @ slope + _RIDGE * weights

        found = optimize.minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B")
        return cls(np.asarray(found.x), float(truth.mean()))

    def advantage(self, features: Features, truth: Truth) -> float:
        """Return the share of the source's labels it recognizes, less that of others it accuses."""
        guessed = 1 / (1 + np.exp(-_expanded(features) @ self.weights)) > self.base_rate
        return float(guessed[truth].mean() - guessed[~truth].mean())


def _expanded(features: Features) -> Features:
    products = [features[:, [n]] * features[:, n + 1 :] for n in range(_REMEMBERED)]
    return np.hstack([np.ones((len(features), 1)), features, *products])
