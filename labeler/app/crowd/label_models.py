"""Models of annotators as alternatives to selection frequencies; they store nothing."""

import csv
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labeler.core.crowd.entities import ImageLabel, SelectionFrequency
from labeler.core.crowd.frequencies import QualityRule, judge_answers, selection_frequencies
from labeler.core.crowd.one_coin import ContainsJudgements, estimate_one_coin
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.images.atomic_write import write_atomically
from labeler.store.study_store import StudyStore

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("dataset", "image", "label", "selected", "shown", "probability")
# ContainsJudgements that GLAD takes; it needs about a second for each thousand, and more memory.
MOST_FOR_GLAD = 100_000
NO_JUDGEMENTS = (
    "No contains-answer counts, so there is nothing to model. Collect or import answers first."
)
GLAD_TOO_SLOW = (
    f"GLAD takes at most {MOST_FOR_GLAD:,} judgements, because it takes minutes for these already. "
    "Use one-coin or mace."
)
NOT_INSTALLED = (
    "This model needs the package crowd-kit. Install it with: pip install 'labeler[crowd]'"
)


class LabelModel(StrEnum):
    """How annotators are modelled."""

    ONE_COIN = "one-coin"
    GLAD = "glad"
    MACE = "mace"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelledLabels:
    """The probability that an image contains a label, and how good each annotator is.

    A skill is comparable only within one model: the share of right answers for `one-coin`, the
    ability (0 is guessing, negative is adverse) for `glad`, the share of answers that aren't spam
    for `mace`.
    """

    model: LabelModel
    frequencies: dict[ImageLabel, SelectionFrequency]
    probabilities: dict[ImageLabel, float]
    skills: dict[str, float]
    judgements: int


def model_labels(
    store: StudyStore, *, model: LabelModel, quality: QualityRule, seed: int
) -> ModelledLabels:
    """Fit a model to the contains-answers that count; each annotator counts once a pair."""
    with store.read() as study:
        crowd = study.crowd
        grids = crowd.grids()
        judged = judge_answers(
            grids, crowd.contains_answers(), rule=quality, barred_grids=crowd.barred_grids()
        )
    if not judged.kept:
        raise RefusedError(NO_JUDGEMENTS)
    pairs: dict[ImageLabel, int] = {}
    people: dict[str, int] = {}
    seen: dict[tuple[int, int], bool] = {}
    for answer in judged.kept:
        grid, person = grids[answer.grid], people.setdefault(answer.participant, len(people))
        for position, shown in grid.images.items():
            pair = pairs.setdefault(ImageLabel(shown.image, grid.label), len(pairs))
            seen.setdefault((pair, person), position in answer.selected)
    keys = np.array(list(seen), dtype=np.int64)
    given = ContainsJudgements(keys[:, 0], keys[:, 1], np.fromiter(seen.values(), np.bool_))
    found, skills = _MODELS[model](given, seed)
    return ModelledLabels(
        model=model,
        frequencies=selection_frequencies(grids, judged.kept),
        probabilities={pair: float(found[number]) for pair, number in sorted(pairs.items())},
        skills={code: float(skills[number]) for code, number in sorted(people.items())},
        judgements=len(seen),
    )


def write_probabilities(modelled: ModelledLabels, file: Path) -> None:
    """Write a row for each pair of image and label."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for pair, probability in modelled.probabilities.items():
        counts = modelled.frequencies[pair]
        image = pair.image
        writer.writerow(
            [
                image.dataset,
                image.image,
                pair.label,
                counts.selected,
                counts.shown,
                f"{probability:.6f}",
            ]
        )
    write_atomically(file, text.getvalue().encode())


_Fitted = tuple[Any, Any]


def _one_coin(given: ContainsJudgements, _seed: int) -> _Fitted:
    found = estimate_one_coin(given)
    return found.probabilities, found.accuracies


def _glad(given: ContainsJudgements, _seed: int) -> _Fitted:
    if len(given.pairs) > MOST_FOR_GLAD:
        raise RefusedError(GLAD_TOO_SLOW)
    fitted = _crowdkit().GLAD()
    probabilities = _fit(fitted, given)
    return probabilities, fitted.alphas_.reindex(range(given.annotator_count)).to_numpy()


def _mace(given: ContainsJudgements, seed: int) -> _Fitted:
    fitted = _crowdkit().MACE(random_state=seed % 2**32)
    probabilities = _fit(fitted, given)
    # Of the two parameters of an annotator, the second is the probability of not spamming.
    places = {worker: place for place, worker in enumerate(dict.fromkeys(_workers(given)))}
    spared = fitted.spamming_[[places[n] for n in range(given.annotator_count)]]
    return probabilities, spared[:, 1] / spared.sum(axis=1)


def _workers(given: ContainsJudgements) -> list[int]:
    return [int(number) for number in given.annotators]


_MODELS: dict[LabelModel, Callable[[ContainsJudgements, int], _Fitted]] = {
    LabelModel.ONE_COIN: _one_coin,
    LabelModel.GLAD: _glad,
    LabelModel.MACE: _mace,
}
assert set(_MODELS) == set(LabelModel), "every model can be fitted"


def _crowdkit() -> Any:
    try:
        import crowdkit.aggregation.classification as models
    except ModuleNotFoundError as error:
        raise EnvironmentFault(NOT_INSTALLED) from error
    return models


def _frame(given: ContainsJudgements) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(
        {
            "task": given.pairs,
            "worker": given.annotators,
            "label": given.selected.astype(np.int64),
        }
    )


def _fit(model: Any, given: ContainsJudgements) -> Any:
    """Return the probability of 'selected' of each pair."""
    with warnings.catch_warnings():
        # The package uses pandas in ways that a later version will refuse.
        warnings.simplefilter("ignore")
        found = model.fit_predict_proba(_frame(given))
    if 1 not in found.columns:
        return np.zeros(given.pair_count)
    return found[1].reindex(range(given.pair_count)).to_numpy()
