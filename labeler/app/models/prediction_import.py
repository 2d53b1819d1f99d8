"""Import predictions of another program: class indices or logits in a .npy file."""

import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from labeler.app.models.prediction_writer import (
    require_better_than_chance,
    require_model_name,
    scoring_result,
    store_predictions,
)
from labeler.app.models.scoring_plan import DatasetPlan, plan_datasets
from labeler.app.models.scoring_request import DatasetScoringResult
from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.input_files import require_regular_file
from labeler.core.models.class_outputs import (
    BACKGROUND,
    BACKGROUND_FIRST,
    ClassOutputs,
    match_outputs,
    read_output_classes,
)
from labeler.core.models.prediction_order import (
    ImageOrder,
    ordinals_by_list,
    ordinals_in_order,
    require_image_count,
)
from labeler.store.models.predictions import NO_LABEL, PackedPredictions
from labeler.store.study_store import StudyStore

ALREADY_PREDICTED = (
    "The study already has predictions of {model} on {dataset}. Choose another name, or replace "
    "them."
)
# Rows per step, because 50,000 rows of 21,000 logits may not fit into memory.
_ROWS = 4096
_ARCHIVE = b"PK"

AnyArray = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionFile:
    """A file of predictions, and the order of its rows and classes.

    `order` is one of the named orders or a file of image names. `classes` is a file of wnids,
    `background-first`, or None for the study's order.
    """

    file: Path
    model: str
    dataset: str
    order: ImageOrder | Path
    classes: str | None = None
    ranks: int = 5
    description: str = ""
    replace: bool = False
    accept_chance: bool = False


def preview_predictions(store: StudyStore, given: PredictionFile) -> DatasetScoringResult:
    """Return what an import of the file would store, without storing it."""
    return _scored(*_checked(store, given), given)


def import_prediction_file(store: StudyStore, given: PredictionFile) -> DatasetScoringResult:
    """Store all predictions of the file for the model and dataset, or none."""
    plan, predictions = _checked(store, given)
    about = {
        "made_by": "elsewhere",
        "file": str(given.file.resolve()),
        "order": str(given.order),
        "classes": given.classes or "the study's order",
    }
    description = given.description or f"from {given.file.name}"
    store_predictions(store, plan, predictions, about, model=given.model, description=description)
    return _scored(plan, predictions, given)


def _scored(
    plan: DatasetPlan, predictions: PackedPredictions, given: PredictionFile
) -> DatasetScoringResult:
    return scoring_result(
        plan, predictions, model=given.model, scored_now=len(plan.images), missing=()
    )


def _checked(store: StudyStore, given: PredictionFile) -> tuple[DatasetPlan, PackedPredictions]:
    require_model_name(store, given.model)
    (plan,) = plan_datasets(
        store, model=given.model, datasets=(given.dataset,), replaces=given.replace
    )
    if plan.stored is not None:
        raise RefusedError(
            ALREADY_PREDICTED.format(model=given.model, dataset=given.dataset),
            by_command="Use another `--model`, or `--replace`.",
        )
    rows = _opened(given.file)
    require_image_count(len(rows), len(plan.images), what=f"'{given.file.name}'")
    predictions = _predictions(rows, plan, given, store.taxonomy.class_wnids)
    if not given.accept_chance:
        require_better_than_chance(predictions, plan, store.taxonomy, model=given.model)
    return plan, predictions


# numpy parses the header as Python: a damaged one fails in the tokenizer, the parser or the values.
_DAMAGED_HEADER = (
    ValueError,
    TypeError,
    EOFError,
    OverflowError,
    SyntaxError,
    RecursionError,
    MemoryError,
    tokenize.TokenError,
)


def _opened(file: Path) -> AnyArray:
    require_regular_file(file)
    try:
        _refuse_archive(file)
        rows: AnyArray = np.load(file, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror or error}.") from error
    except _DAMAGED_HEADER as error:
        problem = "this isn't a .npy file of numbers, or it is incomplete."
        raise InputError(problem, file=file) from error
    if rows.ndim not in (1, 2) or not len(rows):
        raise InputError(
            "the array must have one row per image and at most two dimensions.", file=file
        )
    if rows.dtype.kind not in "iuf" or (rows.dtype.kind == "f" and rows.ndim == 1):
        problem = "class indices must be whole numbers, and logits need one column per class."
        raise InputError(problem, file=file)
    return rows


def _refuse_archive(file: Path) -> None:
    with file.open("rb") as opened:
        if opened.read(len(_ARCHIVE)) == _ARCHIVE:
            problem = (
                "this is an archive of arrays (.npz). Save the array with the predictions as a "
                ".npy file (numpy.save)."
            )
            raise InputError(problem, file=file)


def _predictions(
    rows: AnyArray, plan: DatasetPlan, given: PredictionFile, wnids: tuple[str, ...]
) -> PackedPredictions:
    order = _order(plan, given.order)
    is_logits = rows.dtype.kind == "f"
    width = rows.shape[1] if is_logits else None
    columns = _columns(given, width, wnids)
    blocks = list(_ranked(rows, columns, given) if is_logits else _indexed(rows, columns, given))
    labels = np.empty_like(np.concatenate([labels for labels, _ in blocks]))
    labels[order] = np.concatenate([labels for labels, _ in blocks])
    if (labels[:, 0] == NO_LABEL).all():
        problem = "it contains no prediction: every row is NaN or isn't a class of the study."
        raise InputError(problem, file=given.file)
    if not is_logits:
        return PackedPredictions(labels, None)
    scores = np.empty(labels.shape, np.float32)
    scores[order] = np.concatenate([scores for _, scores in blocks])
    return PackedPredictions(labels, scores)


def _order(plan: DatasetPlan, order: ImageOrder | Path) -> list[int]:
    names = [image.name for image in plan.images]
    if isinstance(order, ImageOrder):
        return ordinals_in_order(names, order)
    require_regular_file(order)
    try:
        return ordinals_by_list(names, order.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("this list of image names can't be read.", file=order) from error


def _columns(given: PredictionFile, width: int | None, wnids: tuple[str, ...]) -> ClassOutputs:
    if given.classes is None:
        listed = list(wnids)
    elif given.classes == BACKGROUND_FIRST:
        listed = [BACKGROUND, *wnids]
    else:
        listed = read_output_classes(Path(given.classes))
    if width is not None and width != len(listed):
        raise InputError(
            f"it has {width:,} columns, but the class list has {len(listed):,} classes.",
            file=given.file,
            by_command="Give the class of each column with `--classes`.",
        )
    return match_outputs(wnids, listed)


def _ranked(
    rows: AnyArray, columns: ClassOutputs, given: PredictionFile
) -> Iterator[tuple[npt.NDArray[np.uint16], npt.NDArray[np.float32]]]:
    """Return the best classes of each row with their probabilities; a NaN row has none."""
    kept = min(given.ranks, len(columns.columns))
    for first in range(0, len(rows), _ROWS):
        values = np.asarray(rows[first : first + _ROWS], np.float64)[:, list(columns.columns)]
        # `labeler score --logits` writes an image without a prediction this way.
        blank = np.isnan(values).all(axis=1)
        _refuse_odd(values, np.logical_not(blank), columns, given.file, first=first)
        values[blank] = 1 / values.shape[1]
        probabilities = _probabilities(values)
        best = np.argsort(-probabilities, axis=1, kind="stable")[:, :kept]
        scores = np.take_along_axis(probabilities, best, axis=1).astype(np.float32)
        labels = best.astype(np.uint16)
        labels[blank], scores[blank] = NO_LABEL, np.nan
        yield labels, scores


def _refuse_odd(
    values: npt.NDArray[np.float64],
    meant: npt.NDArray[np.bool_],
    columns: ClassOutputs,
    file: Path,
    *,
    first: int,
) -> None:
    """Refuse a row of logits that contains NaN or infinity."""
    odd = np.argwhere(np.logical_not(np.isfinite(values)) & meant[:, None])
    if odd.size:
        row, place = odd[0]
        raise InputError(
            f"row {first + row} has {values[row, place]} in column {columns.columns[place]}, "
            "which isn't a score. For an image without a prediction the whole row must be NaN.",
            file=file,
        )


def _probabilities(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return probabilities unchanged, and logits as probabilities."""
    if (values >= 0).all() and np.allclose(values.sum(axis=1), 1, atol=1e-3):
        return values
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _indexed(
    rows: AnyArray, columns: ClassOutputs, given: PredictionFile
) -> Iterator[tuple[npt.NDArray[np.uint16], None]]:
    """Return the class indices in the study's order."""
    own = np.full(columns.outputs, NO_LABEL, np.uint16)
    own[list(columns.columns)] = np.arange(len(columns.columns))
    indices = np.asarray(rows).reshape(len(rows), -1)[:, : given.ranks]
    wrong = np.argwhere((indices < 0) | (indices >= columns.outputs))
    if wrong.size:
        row, column = wrong[0]
        raise InputError(
            f"row {row} has the class index {indices[row, column]}. Class indices go from 0 to "
            f"{columns.outputs - 1:,}.",
            file=given.file,
        )
    yield own[indices], None
