"""Tables of results as timm publishes them: a row per model, accuracies in percent."""

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
    """A model's accuracies as shares; what isn't known of the model is an empty text.

    `top5` is None where the model gave a single guess for each image.
    """

    model: str
    top1: float
    top5: float | None
    img_size: str = ""
    param_count: str = ""
    crop_pct: str = ""
    interpolation: str = ""


def timm_result_rows(results: Iterable[TimmResult]) -> Iterator[tuple[object, ...]]:
    """The rows, the best model first."""
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
