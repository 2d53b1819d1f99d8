"""The command that scores models over a study's images."""

import os
from pathlib import Path

import click

from labeler.app.scoring.crews import help_score, helpers, is_helper
from labeler.app.scoring.request import DatasetScored, ScoringOptions
from labeler.app.scoring.run import score_model
from labeler.app.scoring.testbed import read_testbed
from labeler.commands.scoring_output import ScoringBars, scored_json, scored_lines
from labeler.commands.terminal import (
    json_option,
    print_json,
    say,
    study_argument,
    studying,
    watching,
)
from labeler.core.class_columns import BACKGROUND_FIRST
from labeler.core.errors import LabelerError, Refused
from labeler.core.scoring import ModelSpec, NotInstalled, Precision
from labeler.store.study import StudyStore

_file = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@study_argument
@click.option("--model", "models", multiple=True, help="A model by timm's name; may be repeated.")
@click.option("--testbed", type=_file, help="A TOML file with a list of models.")
@click.option("--checkpoint", type=_file, help="Weights of your own for the one --model.")
@click.option("--name", help="The participant's code; the model's name unless given.")
@click.option(
    "--classes",
    help="The model's classes, a wnid a line in the order of its outputs, or the word "
    f"{BACKGROUND_FIRST} for 1,001 outputs. Published weights need none.",
)
@click.option(
    "--dataset", "datasets", multiple=True, help="Score only this dataset; may be repeated."
)
@click.option(
    "--ranks",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="How many labels are kept for each image.",
)
@click.option(
    "--logits",
    type=click.Path(path_type=Path, file_okay=False),
    help="Also write all logits, as a .npy file for each model and dataset in this folder.",
)
@click.option("--batch-size", type=click.IntRange(min=1), help="Found by trying unless given.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="Processes; one a core or GPU unless given."
)
@click.option(
    "--device", default="auto", show_default=True, help="auto, cpu, cuda, cuda:0 … or mps."
)
@click.option(
    "--precision",
    type=click.Choice([precision.value for precision in Precision]),
    default=Precision.AUTO.value,
    show_default=True,
    help="auto computes with half precision on a GPU where that changes no label of a probe.",
)
@click.option("--replace", is_flag=True, help="Take the place of predictions made otherwise.")
@click.option(
    "--accept-chance", is_flag=True, help="Store even labels that are no better than chance."
)
@json_option
def score(
    *,
    study: Path,
    models: tuple[str, ...],
    testbed: Path | None,
    checkpoint: Path | None,
    name: str | None,
    classes: str | None,
    datasets: tuple[str, ...],
    ranks: int,
    logits: Path | None,
    batch_size: int | None,
    workers: int | None,
    device: str,
    precision: str,
    replace: bool,
    accept_chance: bool,
    as_json: bool,
) -> None:
    """Score models over the images of STUDY, so that they stand beside the people.

    Interrupt it when you like: the same command goes on where it stopped. On several GPUs or
    machines run it through torchrun: `torchrun --nproc-per-node 2 -m labeler score STUDY …`.
    """
    if checkpoint is not None or name is not None or classes is not None:
        _require_one(models, testbed)
    specs = [
        ModelSpec(
            model=model,
            name=name or model,
            checkpoint=None if checkpoint is None else str(checkpoint.resolve()),
            classes=_place_of(classes),
            batch_size=batch_size,
        )
        for model in models
    ]
    specs += [] if testbed is None else read_testbed(testbed)
    if not specs:
        raise click.UsageError("Name a model with --model, or a list of them with --testbed.")
    options = ScoringOptions(
        ranks=ranks,
        device=device,
        precision=Precision(precision),
        workers=workers,
        logits=logits,
        replace=replace,
        accept_chance=accept_chance,
    )
    if is_helper(os.environ):
        help_score()
        return
    with studying(study) as store, helpers(os.environ):
        _score_all(store, specs, datasets, options, as_json=as_json)


def _score_all(
    store: StudyStore,
    specs: list[ModelSpec],
    datasets: tuple[str, ...],
    options: ScoringOptions,
    *,
    as_json: bool,
) -> None:
    """Score model after model; one that fails doesn't keep the others from their turn."""
    done: list[DatasetScored] = []
    failed: dict[str, str] = {}
    for spec in specs:
        try:
            scored = _score(store, spec, datasets, options, quiet=as_json)
        except NotInstalled:
            raise
        except LabelerError as error:
            if len(specs) == 1:
                raise
            failed[spec.name] = str(error)
            continue
        done += scored
        if not as_json:
            for line in scored_lines(scored):
                say(line)
    if as_json:
        print_json(scored_json(done, failed))
    if failed:
        sentences = "\n".join(f"{name}: {sentence}" for name, sentence in failed.items())
        raise Refused(f"{len(failed)} of {len(specs)} models weren't scored.\n{sentences}")


def _score(
    store: StudyStore,
    spec: ModelSpec,
    datasets: tuple[str, ...],
    options: ScoringOptions,
    *,
    quiet: bool,
) -> list[DatasetScored]:
    try:
        with watching() as bars:
            watcher = ScoringBars(bars, quiet=quiet)
            return score_model(store, spec, datasets=datasets, options=options, watcher=watcher)
    except KeyboardInterrupt:
        raise Refused("Interrupted. Run the same command again to go on.") from None


def _place_of(classes: str | None) -> str | None:
    if classes is None or classes == BACKGROUND_FIRST:
        return classes
    return str(Path(classes).resolve())


def _require_one(models: tuple[str, ...], testbed: Path | None) -> None:
    if len(models) != 1 or testbed is not None:
        raise click.UsageError(
            "--checkpoint, --name and --classes belong to one --model; for several write a testbed."
        )
