"""Commands that plan, list and close rounds of crowd tasks."""

from pathlib import Path

import click

from labeler.app.crowd.planning import (
    DEFAULT_ANSWERS,
    DEFAULT_QUALIFICATION,
    RoundPlan,
    RoundRequest,
    close_round,
    plan_round,
    store_plan,
)
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    print_json,
    seed_option,
    study_argument,
)
from labeler.core.crowd.grids import GridRules
from labeler.core.crowd.rounds import CrowdTask, LabelChoice, RoundProgress
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore

_LABELS = {
    CrowdTask.CONTAINS: LabelChoice.POTENTIAL,
    CrowdTask.CLASSIFY: LabelChoice.CANDIDATE,
}


@click.command("plan")
@study_argument
@click.argument("task", type=click.Choice([str(task) for task in CrowdTask]))
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    help="A dataset or candidate pool to ask about. Can be given several times.  [default: all "
    "evaluation datasets]",
)
@click.option("--sample", "sampled", is_flag=True, help="Ask only about the evaluation sample.")
@click.option(
    "--labels",
    type=click.Choice([str(choice) for choice in LabelChoice]),
    help="Which labels to ask about: the first five of each model with the target, the target "
    "only, or the candidate labels of an aggregation.  [default: potential for contains, "
    "candidate for classify]",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    help="A model for potential labels. Can be given several times.  [default: all]",
)
@click.option(
    "--controls",
    "controls",
    multiple=True,
    help="A dataset to take controls from.  [default: all reference datasets]",
)
@click.option(
    "--reference",
    help="A dataset whose images are asked about as well, until each class of the pool has 20 "
    "with enough answers.",
)
@click.option("--answers", type=click.IntRange(min=1), default=DEFAULT_ANSWERS, show_default=True)
@click.option("--grid-size", type=click.IntRange(2, 48), default=48, show_default=True)
@click.option("--positive", type=click.IntRange(min=0), default=3, show_default=True)
@click.option("--negative", type=click.IntRange(min=0), default=3, show_default=True)
@click.option(
    "--qualification",
    type=click.IntRange(0, 100),
    default=DEFAULT_QUALIFICATION,
    show_default=True,
    help="The percentage of right answers that annotators need in a short test; 0 for no test.",
)
@click.option(
    "--show-references",
    is_flag=True,
    help="Show annotators of a classify round up to three reference images of each label.",
)
@click.option("--dry-run", is_flag=True, help="Only count; store nothing.")
@seed_option
@json_option
def plan(
    *,
    study: Path,
    task: str,
    datasets: tuple[str, ...],
    sampled: bool,
    labels: str | None,
    models: tuple[str, ...],
    controls: tuple[str, ...],
    reference: str | None,
    answers: int,
    grid_size: int,
    positive: int,
    negative: int,
    qualification: int,
    show_references: bool,
    dry_run: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Plan a contains or classify round in STUDY and open it for annotators.

    A contains round shows grids of images for one class each, with controls whose answer is known.
    A classify round shows one image with its labels.
    """
    if positive + negative >= grid_size:
        raise click.UsageError("A grid needs room for at least one image next to its controls.")
    kind = CrowdTask(task)
    with opened_study(study) as store:
        request = RoundRequest(
            task=kind,
            labels=LabelChoice(labels) if labels else _default_labels(store, kind, datasets),
            seed=store.identity.seed if seed is None else seed,
            datasets=datasets,
            sampled=sampled,
            answers=answers,
            rules=GridRules(images=grid_size, positive=positive, negative=negative),
            control_datasets=controls or None,
            models=models or None,
            qualification=qualification,
            shows_references=show_references,
            reference=reference,
        )
        planned = plan_round(store, request)
        round_id = None if dry_run else store_plan(store, planned).id
    _print_plan(planned, round_id, as_json=as_json)


def _default_labels(store: StudyStore, task: CrowdTask, datasets: tuple[str, ...]) -> LabelChoice:
    """Return what is asked about by default; of candidates, their proposed class."""
    with store.read() as study:
        pools = study.pools.names()
    return LabelChoice.TARGET if any(name in pools for name in datasets) else _LABELS[task]


def _print_plan(planned: RoundPlan, round_id: str | None, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "round": round_id,
                "task": str(planned.request.task),
                "images": planned.images,
                "pairs": planned.pairs,
                "items": planned.items,
                "answers": planned.answers,
                "without_positive_controls": list(planned.without_positive),
            }
        )
        return
    echo(planned.summary)
    if planned.warning:
        echo(planned.warning)
    echo("Nothing was stored." if round_id is None else f"Round {round_id} is open.")


@click.command("rounds")
@study_argument
@json_option
def rounds(study: Path, as_json: bool) -> None:
    """List the crowd rounds of STUDY and how far they are."""
    with opened_study(study) as store, store.read() as transaction:
        progress = transaction.crowd_rounds.progress()
    if as_json:
        print_json([_round_json(each) for each in progress])
        return
    if not progress:
        echo("No crowd round is planned. Use `labeler crowd plan`.")
    for each in progress:
        state = "open" if each.round.is_open else "closed"
        echo(
            f"{each.round.id}  {each.round.task}  {state}: {each.answers:,} of {each.wanted:,} "
            f"answers, {each.finished:,} of {each.items:,} finished, "
            f"{count_noun(each.annotators, 'annotator')}"
        )


def _round_json(each: RoundProgress) -> dict[str, object]:
    return {
        "round": each.round.id,
        "task": str(each.round.task),
        "open": each.round.is_open,
        "items": each.items,
        "finished": each.finished,
        "answers": each.answers,
        "wanted": each.wanted,
        "annotators": each.annotators,
    }


@click.command("close")
@study_argument
@click.argument("round_id", metavar="ROUND")
def close(study: Path, round_id: str) -> None:
    """Hand out nothing more of ROUND; its answers stay."""
    with opened_study(study) as store:
        close_round(store, round_id)
    echo(f"Round {round_id} is closed.")
