"""Commands for crowd tasks."""

from fractions import Fraction
from pathlib import Path

import click

from labeler.app.crowd.aggregation import CrowdAggregation, aggregate_crowd
from labeler.commands.crowd.built_datasets import (
    add_built,
    build,
    compare,
    export_built,
    final,
    review_class,
    revisions,
)
from labeler.commands.crowd.models import probabilities
from labeler.commands.crowd.near_duplicates import duplicates, keep
from labeler.commands.crowd.pools import add_pool, pool_command, queries, reject, unreject
from labeler.commands.crowd.rounds import close, plan, rounds
from labeler.commands.crowd.server import links, serve
from labeler.commands.crowd.tasks import answers, tasks
from labeler.commands.terminal import echo, json_option, opened_study, print_json, study_argument
from labeler.core.crowd.entities import AnnotationStatus
from labeler.core.crowd.frequencies import AnnotatorQuality, QualityRule
from labeler.core.text import count_noun


@click.group("crowd")
def crowd() -> None:
    """Ask many annotators about images, and aggregate what they say."""


_COMMANDS = (
    *(plan, rounds, close, tasks, answers, serve, links, probabilities),
    *(add_pool, pool_command, queries, reject, unreject, duplicates, keep),
    *(build, revisions, compare, review_class, final, export_built, add_built),
)
for _command in _COMMANDS:
    crowd.add_command(_command)


@crowd.command("aggregate")
@study_argument
@click.option(
    "--quality",
    type=click.Choice([str(rule) for rule in QualityRule]),
    default=str(QualityRule.CONTROLS),
    show_default=True,
    help="Whether answers that miss positive controls are left out.",
)
@click.option(
    "--place-all",
    is_flag=True,
    help="Put labels that were only ticked alone with the nearest object.",
)
@json_option
def aggregate(study: Path, quality: str, place_all: bool, as_json: bool) -> None:
    """Turn the answers in STUDY into selection frequencies, candidate labels and objects.

    Nothing is deleted: an answer that is left out stays stored, and another rule may use it.
    """
    with opened_study(study) as store:
        result = aggregate_crowd(store, quality=QualityRule(quality), place_all=place_all)
    if as_json:
        print_json(_as_json(result))
        return
    echo(f"{count_noun(result.frequencies, 'selection frequency', 'selection frequencies')}.")
    for status in AnnotationStatus:
        if count := result.statuses.get(status):
            echo(f"{status.replace('_', ' ')}: {count_noun(count, 'image')}")
    for number, count in sorted(result.objects.items()):
        echo(f"{count_noun(number, 'object')}: {count_noun(count, 'image')}")
    _print_annotators(result)


def _print_annotators(result: CrowdAggregation) -> None:
    for annotator in result.annotators:
        if annotator.reason:
            kept = "excluded" if annotator.excluded else "kept"
            echo(f"{annotator.participant} ({kept}): {annotator.reason}")
    if result.contradictory_answers:
        what = count_noun(result.contradictory_answers, "contradictory classify answer")
        echo(f"{what} left out.")
    for code in result.excluded_from_objects:
        echo(f"{code} (excluded): more than a third of the classify answers are contradictory.")


def _as_json(result: CrowdAggregation) -> dict[str, object]:
    return {
        "quality": str(result.quality),
        "frequencies": result.frequencies,
        "statuses": {str(status): result.statuses.get(status, 0) for status in AnnotationStatus},
        "objects": {str(number): count for number, count in sorted(result.objects.items())},
        "annotators": [_annotator(annotator) for annotator in result.annotators],
        "contradictory_answers": result.contradictory_answers,
        "excluded_from_objects": list(result.excluded_from_objects),
    }


def _annotator(annotator: AnnotatorQuality) -> dict[str, object]:
    return {
        "participant": annotator.participant,
        "grids": annotator.grids,
        "positive_rate": _rate(annotator.positive),
        "negative_rate": _rate(annotator.negative),
        "excluded": annotator.excluded,
        "reason": annotator.reason,
    }


def _rate(counts: tuple[int, int]) -> float | None:
    return float(Fraction(*counts)) if counts[1] else None
