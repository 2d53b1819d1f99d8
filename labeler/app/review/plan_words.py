"""What a plan of a review asks, in sentences for its lead."""

from collections.abc import Iterator

from labeler.app.review.plan import PlanReport
from labeler.app.time_text import format_duration
from labeler.core.text import count_noun


def plan_lines(report: PlanReport, *, preview: bool = False) -> tuple[str, ...]:
    """What was planned, or with `preview` what would be."""
    draft = report.draft
    holds = f"{count_noun(report.size.pairs, 'label')} on {count_noun(report.size.images, 'image')}"
    if not draft.total:
        return (f"Nothing is new: the {draft.request.stage} review asks {holds} already.",)
    return (
        f"{_done(report, preview)} the {draft.request.stage} review "
        f"(seed {draft.request.seed}): {holds}.",
        *_asked(report),
        *_time(report),
        *_one_source(report),
    )


def _done(report: PlanReport, preview: bool) -> str:
    if preview:
        return "This would extend" if report.extended else "This would plan"
    return "Extended" if report.extended else "Planned"


def _asked(report: PlanReport) -> Iterator[str]:
    draft = report.draft
    each = ", ".join(f"{code} {count:,}" for code, count in sorted(draft.judgements.items()))
    yield f"It needs {count_noun(draft.total, 'judgement')} more: {each}."
    if draft.repeats:
        yield f"{count_noun(len(draft.repeats), 'of them is a repeat', 'of them are repeats')}."


def _time(report: PlanReport) -> Iterator[str]:
    if report.takes_ms is None or report.pace_ms is None:
        yield "How long that takes can be told when the first verdicts have shown a pace."
    else:
        pace = f"{report.pace_ms / 1000:.1f} s a judgement"
        yield f"At the pace so far ({pace}) that takes {format_duration(report.takes_ms)} in all."


def _one_source(report: PlanReport) -> Iterator[str]:
    if report.one_source:
        images = count_noun(report.one_source, "image offers", "images offer")
        yield f"{images} labels of one source only: no model, or no human, gave another."
