"""The command that searches for near-duplicates and says how far their review is."""

from pathlib import Path

import click

from labeler.app.curation.duplicate_overview import DuplicateOverview, read_duplicate_overview
from labeler.app.curation.duplicate_search import (
    SearchOptions,
    SearchReport,
    search_near_duplicates,
)
from labeler.app.curation.duplicate_session import keep_of_set
from labeler.app.curation.search_estimate import SearchEstimate, estimate_search
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.curation.duplicate_sets import LARGE_SET
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.near_duplicates import SEARCHED_METRICS
from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun


@click.command("duplicates")
@study_argument
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    type=click.Choice([str(metric) for metric in SEARCHED_METRICS]),
    help="A metric to search. Can be given several times.  [default: l2, dssim, and features with "
    "--model]",
)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    help="Search the neighbours of its images, among all images. Can be given several times.  "
    "[default: pools and evaluation datasets]",
)
@click.option("--model", help="The timm model whose penultimate layer is compared.")
@click.option("--checkpoint", type=path_param, help="Weights of the model.")
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="METRIC=DISTANCE",
    help="The distance within which pairs are reviewed, for example l2=1.2e8.",
)
@click.option("--estimate", is_flag=True, help="Only say how much work the search is.")
@click.option("--status", is_flag=True, help="Only say what was found and reviewed.")
@json_option
def duplicates(
    *,
    study: Path,
    metrics: tuple[str, ...],
    datasets: tuple[str, ...],
    model: str | None,
    checkpoint: Path | None,
    limits: tuple[str, ...],
    estimate: bool,
    status: bool,
    as_json: bool,
) -> None:
    """Search the images of STUDY for near-duplicates.

    Every image of the datasets is compared with all images of the study. The search can be stopped
    and continues where it was. The pairs are reviewed in the window.
    """
    options = _options(metrics, datasets, model, checkpoint, limits)
    with opened_study(study, writes=not (estimate or status)) as store:
        if estimate:
            _print_estimate(estimate_search(store, options), as_json=as_json)
            return
        if not status:
            with progress_bars() as progress:
                _print_report(
                    search_near_duplicates(store, options, progress=progress), as_json=as_json
                )
        overview = read_duplicate_overview(store)
    if as_json:
        print_json(_overview_json(overview))
    else:
        _print_overview(overview)


def _options(
    metrics: tuple[str, ...],
    datasets: tuple[str, ...],
    model: str | None,
    checkpoint: Path | None,
    limits: tuple[str, ...],
) -> SearchOptions:
    default = [m for m in SEARCHED_METRICS if model or m is not DuplicateMetric.FEATURES]
    spec = None
    if model is not None:
        weights = None if checkpoint is None else str(checkpoint)
        spec = ModelSpec(model=model, name=model, checkpoint=weights)
    return SearchOptions(
        metrics=tuple(map(DuplicateMetric, metrics)) or tuple(default),
        datasets=datasets,
        model=spec,
        limits=dict(map(_limit, limits)),
    )


def _limit(text: str) -> tuple[DuplicateMetric, float]:
    name, _, value = text.partition("=")
    try:
        metric, limit = DuplicateMetric(name), float(value)
    except ValueError:
        limit, metric = -1.0, DuplicateMetric.MANUAL
    if metric not in SEARCHED_METRICS or not 0 <= limit < float("inf"):
        known = ", ".join(SEARCHED_METRICS)
        raise RefusedError(
            f"'{text}' is not a limit. Write METRIC=DISTANCE with one of {known}, for example "
            "l2=1.2e8."
        )
    return metric, limit


def _print_estimate(found: SearchEstimate, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "images": found.images,
                "searched": found.searched,
                "to_read": found.to_read,
                "disk_bytes": found.disk_bytes,
                "pairs": {str(metric): count for metric, count in found.pairs.items()},
                "seconds": found.total_seconds,
            }
        )
        return
    echo(
        f"{count_noun(found.searched, 'image')} would be compared with "
        f"{count_noun(found.images, 'image')}."
    )
    for metric, count in found.pairs.items():
        echo(f"{metric}: {count_noun(count, 'pair')}, about {_duration(found.seconds[metric])}.")
    if found.to_read:
        echo(
            f"{count_noun(found.to_read, 'image')} must be read first; they take "
            f"{found.disk_bytes / 1e9:.2f} GB in the study's folder."
        )
    echo(f"About {_duration(found.total_seconds)} in all. It can be stopped and resumed.")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return count_noun(max(1, round(seconds)), "second")
    if seconds < 5400:
        return count_noun(round(seconds / 60), "minute")
    return count_noun(round(seconds / 3600), "hour")


def _print_report(report: SearchReport, *, as_json: bool) -> None:
    if as_json:
        return
    echo(
        f"Compared {count_noun(report.compared, 'image')} with "
        f"{count_noun(report.images, 'image')}."
    )
    for unread in report.unread:
        echo(f"{unread.key.dataset}: {unread.key.image} is left out, {unread.reason.fragment}.")


def _print_overview(overview: DuplicateOverview) -> None:
    if not overview.metrics:
        echo("Near-duplicates weren't searched yet.")
    for state in overview.metrics:
        record = state.record
        words = "" if record.finished_at else ", not finished"
        share = "" if record.recall is None else f", recall {record.recall:.1%}"
        echo(
            f"{record.metric}: {count_noun(state.pairs, 'pair')} within {record.limit:g}, "
            f"{state.open_pairs:,} to review{share}{words}."
        )
    counts = ", ".join(f"{count:,} {verdict}" for verdict, count in overview.judged.items())
    echo(f"Verdicts: {counts}. {count_noun(overview.sets, 'set')} of near-duplicates.")
    if overview.large_sets:
        large = count_noun(len(overview.large_sets), "set has", "sets have")
        echo(f"{large} more than {LARGE_SET} images and should be split.")
    for sentence in overview.sample:
        echo(sentence)


def _overview_json(overview: DuplicateOverview) -> dict[str, object]:
    return {
        "metrics": [
            {
                "metric": str(state.record.metric),
                "limit": state.record.limit,
                "images": state.record.images,
                "pairs": state.pairs,
                "open_pairs": state.open_pairs,
                "recall": state.record.recall,
                "finished": state.record.finished_at is not None,
            }
            for state in overview.metrics
        ],
        "verdicts": {str(verdict): count for verdict, count in overview.judged.items()},
        "sets": overview.sets,
        "large_sets": [
            [{"dataset": key.dataset, "image": key.image} for key in members]
            for members in overview.large_sets
        ],
        "sample": list(overview.sample),
    }


@click.command("keep")
@study_argument
@click.argument("pool")
@click.argument("image")
@click.option("--by", required=True, help="The code of the lead who decides.")
def keep(study: Path, pool: str, image: str, by: str) -> None:
    """Keep IMAGE of POOL instead of the other candidates of its near-duplicate set."""
    with opened_study(study) as store, store.write() as transaction:
        keep_of_set(transaction, ImageKey(pool, image), by=by)
    echo(f"{image} stays of its set.")
