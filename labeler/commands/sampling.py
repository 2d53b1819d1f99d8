"""Commands that draw the training pool and the evaluation sample."""

from pathlib import Path

import click

from labeler.app.datasets.sampling import (
    SampleReport,
    fill_training_pool,
    freeze_sample,
    repeats_sentence,
    sample_datasets,
)
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    print_json,
    seed_option,
    study_argument,
)
from labeler.core.datasets.hidden_repeats import MAX_REPEATS
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.text import count_noun

NEAR_DUPLICATES_HINT = (
    "Search and review near-duplicates with `labeler crowd duplicates STUDY`, and draw again with "
    "`--redraw --skip-seen`."
)


@click.command()
@study_argument
@click.argument("dataset")
@click.option(
    "--per-class",
    type=click.IntRange(min=1),
    required=True,
    help="How many images to draw of each class.",
)
@seed_option
def pool(study: Path, dataset: str, per_class: int, seed: int | None) -> None:
    """Add images of DATASET to the training pool.

    The images are drawn at random. Neither they nor copies of them can be in the evaluation sample.
    To add a whole folder to the pool, use `labeler add-dataset --role training`.
    """
    with opened_study(study) as store:
        chosen = store.identity.seed if seed is None else seed
        count = fill_training_pool(store, dataset, per_class=per_class, seed=chosen)
    echo(f"Added {count_noun(count, 'image')} of {dataset} to the training pool.")


@click.command()
@study_argument
@click.option(
    "--per-class",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many images to draw of each class from each dataset.",
)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    help="A dataset to draw from. Can be given several times.  [default: all evaluation datasets]",
)
@click.option(
    "--classes", "class_count", type=click.IntRange(min=1), help="Draw only this many classes."
)
@click.option(
    "--repeats",
    type=click.FloatRange(0, MAX_REPEATS),
    default=0.0,
    show_default=True,
    help="The share of the images that each labeler is asked twice, unmarked and far apart.",
)
@seed_option
@click.option("--redraw", is_flag=True, help="Replace the existing sample.")
@click.option(
    "--skip-seen",
    is_flag=True,
    help="Skip images that are also, or nearly, in the training pool or among the references.",
)
@click.option(
    "--shared-classes",
    is_flag=True,
    help="Draw only classes that have enough images in every dataset.",
)
@click.option("--allow-shortage", is_flag=True, help="Accept classes with too few images.")
@json_option
def sample(
    *,
    study: Path,
    per_class: int,
    datasets: tuple[str, ...],
    class_count: int | None,
    repeats: float,
    seed: int | None,
    redraw: bool,
    skip_seen: bool,
    shared_classes: bool,
    allow_shortage: bool,
    as_json: bool,
) -> None:
    """Draw the evaluation sample of STUDY and freeze it.

    The same seed draws the same images on every machine. Problematic images and the training
    pool are left out, and of identical images only one is drawn.
    """
    with opened_study(study) as store, progress_bars() as progress:
        request = SampleRequest(
            datasets=datasets or sample_datasets(store),
            per_class=per_class,
            seed=store.identity.seed if seed is None else seed,
            class_count=class_count,
            repeats=repeats,
            shared_only=shared_classes,
        )
        report = freeze_sample(
            store,
            request,
            redraw=redraw,
            skip_seen=skip_seen,
            allow_shortage=allow_shortage,
            progress=progress,
        )
    if as_json:
        print_json(_sample_json(report))
    else:
        _print_sample(report)


def _sample_json(report: SampleReport) -> dict[str, object]:
    return {
        "images": [{"dataset": key.dataset, "image": key.image} for key in report.draw.images],
        "seed": report.request.seed,
        "per_class": report.request.per_class,
        "repeats": report.request.repeats,
        "repeated_images": report.repeated_images,
        "datasets": list(report.request.datasets),
        "shortages": [
            {"dataset": s.dataset, "wnid": s.wnid, "wanted": s.wanted, "available": s.available}
            for s in report.draw.shortages
        ],
        "warning": report.warning,
        "near_duplicates": list(report.near_duplicates),
        "washout": report.washout,
        "equal_pictures_passed_over": len(report.draw.duplicates),
        "unreadable": [
            {"dataset": key.dataset, "image": key.image, "reason": reason.value}
            for key, reason in report.unreadable
        ],
    }


def _print_sample(report: SampleReport) -> None:
    drawn = count_noun(len(report.draw.images), "image")
    echo(f"Drew {drawn} from {', '.join(report.request.datasets)} (seed {report.request.seed}).")
    if report.repeated_images:
        echo(repeats_sentence(report.repeated_images))
    if report.draw.shortages:
        echo(f"{count_noun(len(report.draw.shortages), 'class', 'classes')} had too few images.")
    if report.draw.duplicates:
        skipped = count_noun(len(report.draw.duplicates), "duplicate image")
        echo(f"Skipped {skipped}.")
    for sentence in report.near_duplicates:
        echo(sentence)
    if report.near_duplicates:
        echo(NEAR_DUPLICATES_HINT)
    if report.warning is not None:
        echo(report.warning)
    if report.washout is not None:
        echo(report.washout)
    if report.unreadable:
        echo(f"Left out {count_noun(len(report.unreadable), 'image')} that can't be read.")
