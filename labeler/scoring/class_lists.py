"""The wnid of every output of a model: from timm's lists, or from a list of the user's own."""

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
    """Which output represents which of the study's classes; refused where that isn't certain."""
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
    """Whether nothing but custom says which output is which class."""
    return classes is None and model.classes is None and not model.is_published


def _own_outputs(model: LoadedModel) -> list[str]:
    """What the checkpoint says of its outputs, or timm's list of so many."""
    if model.classes is None:
        return _known_outputs(model.outputs)
    require_output_count(model.classes, model.outputs)
    return list(model.classes)


def _known_outputs(outputs: int) -> list[str]:
    """timm's class list of so many outputs."""
    if outputs == _WITH_BACKGROUND:
        raise RefusedError(
            "The model has 1,001 outputs, one more than ImageNet has classes. If the first is the "
            f"background, {BACKGROUND_FIRST} is its class list; otherwise give a list, a wnid a "
            "line.",
            by_command=f"Say `--classes {BACKGROUND_FIRST}`, or `--classes FILE`.",
        )
    subset = infer_imagenet_subset({"num_classes": outputs})
    if subset is None:
        raise RefusedError(
            f"The model has {outputs:,} outputs, and no class list of that length is known. Give "
            "one, a wnid a line in the order of the outputs.",
            by_command="`--classes FILE` gives it.",
        )
    return list(ImageNetInfo(subset).label_names())


def _after_background(outputs: int) -> list[str]:
    if outputs != _WITH_BACKGROUND:
        raise RefusedError(
            f"{BACKGROUND_FIRST} is for a model with 1,001 outputs; this one has {outputs:,}."
        )
    return [BACKGROUND, *_known_outputs(outputs - 1)]
