"""Write tables of results like timm's: a row per model, accuracies in percent."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

TIMM_RESULT_COLUMNS = (
    "model",
    "img_size",
    "top1",
    "top1_err",
    "top5",
    "top5_err",
    "param_count",
    "crop_pct",
    "interpolation",
)


@dataclass(frozen=True, slots=True)
class TimmResult:
    """A model's accuracies as fractions; unknown properties of the model are empty strings.

    `top5` is None if the model has a single guess per image.
    """

    model: str
    top1: float
    top5: float | None
    img_size: str = ""
    param_count: str = ""
    crop_pct: str = ""
    interpolation: str = ""


def timm_result_rows(results: Iterable[TimmResult]) -> Iterator[tuple[object, ...]]:
    """Yield the rows, best model first."""
    for result in sorted(results, key=lambda one: (-one.top1, one.model)):
        yield (
            result.model,
            result.img_size,
            *_percents(result.top1),
            *_percents(result.top5),
            result.param_count,
            result.crop_pct,
            result.interpolation,
        )


def _percents(share: float | None) -> tuple[str, str]:
    if share is None:
        return "", ""
    right = round(100 * share, 3)
    return f"{right:.3f}", f"{100 - right:.3f}"
