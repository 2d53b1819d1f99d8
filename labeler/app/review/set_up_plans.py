"""The review plans that were made so far, for the lead who makes the next."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from labeler.core.study.entities import Stage

if TYPE_CHECKING:
    from labeler.store.review.plans import StoredPlan

PLAN_COLUMNS = ("Planned", "Review", "Labels added", "Each image to", "Repeats", "Mixed in", "Seed")


def plan_rows(made: "Iterable[StoredPlan]") -> list[tuple[str, ...]]:
    """A row for each plan and extension, the latest first."""
    return [
        (
            f"{datetime.fromisoformat(one.made_at).astimezone():%Y-%m-%d %H:%M:%S}",
            one.stage.value,
            f"{one.pairs:,}",
            f"{one.overlap:,}",
            _share(one.repeats),
            _mixed_in(one),
            str(one.seed),
        )
        for one in reversed(tuple(made))
    ]


def last_plan(made: "Iterable[StoredPlan]", stage: Stage) -> "StoredPlan | None":
    return next((one for one in reversed(tuple(made)) if one.stage is stage), None)


def _share(part: float) -> str:
    return f"{100 * part:.3g} %" if part else "none"


def _mixed_in(plan: "StoredPlan") -> str:
    """What only a final review has: models' labels, and judged ones asked again."""
    if plan.stage is not Stage.FINAL:
        return "–"
    again = f", {_share(plan.again)} again" if plan.again else ""
    return f"{plan.model_seeds:,} of models{again}"
