"""Map a model's outputs to wnids, with timm's class lists or a list of the user."""

from pathlib import Path

from timm.data import ImageNetInfo, infer_imagenet_subset

from labeler.core.errors import RefusedError
from labeler.core.models.class_outputs import (
    BACKGROUND,
    BACKGROUND_FIRST,
    ClassOutputs,
    match_outputs,
    read_output_classes,
    require_output_count,
    require_same_order,
)
from labeler.scoring.model_loader import LoadedModel

_WITH_BACKGROUND = 1001


def class_columns(
    model: LoadedModel, *, classes: str | None, wnids: tuple[str, ...]
) -> ClassOutputs:
    """Return which output is which of the study's classes; refuse if that isn't known."""
    if classes is None:
        return match_outputs(wnids, _own_outputs(model))
    if classes == BACKGROUND_FIRST:
        return match_outputs(wnids, _after_background(model.outputs))
    given = read_output_classes(Path(classes))
    require_output_count(given, model.outputs)
    if model.is_published or model.classes is not None:
        require_same_order(given, _own_outputs(model))
    return match_outputs(wnids, given)


def is_order_assumed(model: LoadedModel, *, classes: str | None) -> bool:
    """Return whether ImageNet's order of the outputs is only an assumption."""
    return classes is None and model.classes is None and not model.is_published


def _own_outputs(model: LoadedModel) -> list[str]:
    """Return the checkpoint's own class list, or timm's list of the same length."""
    if model.classes is None:
        return _known_outputs(model.outputs)
    require_output_count(model.classes, model.outputs)
    return list(model.classes)


def _known_outputs(outputs: int) -> list[str]:
    """Return timm's class list for this number of outputs."""
    if outputs == _WITH_BACKGROUND:
        raise RefusedError(
            "The model has 1,001 outputs, one more than ImageNet has classes. If the first is the "
            f"background, use {BACKGROUND_FIRST} as the class list. Otherwise give a class list "
            "with one wnid per line.",
            by_command=f"Use `--classes {BACKGROUND_FIRST}` or `--classes FILE`.",
        )
    subset = infer_imagenet_subset({"num_classes": outputs})
    if subset is None:
        raise RefusedError(
            f"The model has {outputs:,} outputs, and timm has no class list of that length. Give "
            "a class list with one wnid per line, in the order of the outputs.",
            by_command="Use `--classes FILE`.",
        )
    return list(ImageNetInfo(subset).label_names())


def _after_background(outputs: int) -> list[str]:
    if outputs != _WITH_BACKGROUND:
        raise RefusedError(
            f"{BACKGROUND_FIRST} is for a model with 1,001 outputs; this one has {outputs:,}."
        )
    return [BACKGROUND, *_known_outputs(outputs - 1)]
