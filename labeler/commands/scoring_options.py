"""What `labeler score` can be asked: which models, and how to score them."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from labeler.app.models.scoring_request import ScoringOptions
from labeler.app.models.testbed import read_testbed
from labeler.commands.given_path import path_param
from labeler.core.models.class_outputs import BACKGROUND_FIRST
from labeler.core.models.scoring import ModelSpec, Precision

CommandFunction = Callable[..., None]

_MODEL_OPTIONS = (
    click.option(
        "--model", "models", multiple=True, help="A model by timm's name; may be repeated."
    ),
    click.option("--testbed", type=path_param, help="A TOML file with a list of models."),
    click.option("--checkpoint", type=path_param, help="Weights of your own for the one --model."),
    click.option("--name", help="The participant's code; the model's name unless given."),
    click.option(
        "--classes",
        help="The model's classes, a wnid a line in the order of its outputs, or the word "
        f"{BACKGROUND_FIRST} for 1,001 outputs. Published weights need none.",
    ),
    click.option("--batch-size", type=click.IntRange(min=1), help="Found by trying unless given."),
)

_SCORING_OPTIONS = (
    click.option(
        "--ranks",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        help="How many labels are kept for each image.",
    ),
    click.option(
        "--logits",
        type=path_param,
        help="Also write all logits, as a .npy file for each model and dataset in this folder.",
    ),
    click.option(
        "--workers", type=click.IntRange(min=1), help="Processes; one a core or GPU unless given."
    ),
    click.option(
        "--device", default="auto", show_default=True, help="auto, cpu, cuda, cuda:0 … or mps."
    ),
    click.option(
        "--precision",
        type=click.Choice([precision.value for precision in Precision]),
        default=Precision.AUTO.value,
        show_default=True,
        help="auto computes with half precision on a GPU where that changes no label of a probe.",
    ),
    click.option("--replace", is_flag=True, help="Take the place of predictions made otherwise."),
    click.option(
        "--accept-chance", is_flag=True, help="Store even labels that are no better than chance."
    ),
)
_SCORING_OPTION_NAMES = (
    "ranks",
    "logits",
    "workers",
    "device",
    "precision",
    "replace",
    "accept_chance",
)


def with_model_options(command: CommandFunction) -> CommandFunction:
    """Give the command the models that were asked for, as `specs`."""

    @wraps(command)
    def asked(
        *,
        models: tuple[str, ...],
        testbed: Path | None,
        checkpoint: Path | None,
        name: str | None,
        classes: str | None,
        batch_size: int | None,
        **others: Any,
    ) -> None:
        if checkpoint is not None or name is not None or classes is not None:
            _require_one(models, testbed)
        own = None if checkpoint is None else str(checkpoint.resolve())
        specs = [
            ModelSpec(
                model=model,
                name=name or model,
                checkpoint=own,
                classes=_resolve_class_list(classes),
                batch_size=batch_size,
            )
            for model in models
        ]
        specs += [] if testbed is None else read_testbed(testbed)
        if not specs:
            raise click.UsageError("Name a model with --model, or a list of them with --testbed.")
        command(specs=specs, **others)

    return _add_options(asked, _MODEL_OPTIONS)


def with_scoring_options(command: CommandFunction) -> CommandFunction:
    """Give the command how to score, as `options`."""

    @wraps(command)
    def asked(**given: Any) -> None:
        how = {name: given.pop(name) for name in _SCORING_OPTION_NAMES}
        options = ScoringOptions(**{**how, "precision": Precision(how["precision"])})
        command(options=options, **given)

    return _add_options(asked, _SCORING_OPTIONS)


def _add_options(
    command: CommandFunction, options: tuple[Callable[[CommandFunction], CommandFunction], ...]
) -> CommandFunction:
    for option in reversed(options):
        command = option(command)
    return command


def _resolve_class_list(classes: str | None) -> str | None:
    if classes is None or classes == BACKGROUND_FIRST:
        return classes
    return str(Path(classes).resolve())


def _require_one(models: tuple[str, ...], testbed: Path | None) -> None:
    if len(models) != 1 or testbed is not None:
        raise click.UsageError(
            "--checkpoint, --name and --classes belong to one --model; for several write a testbed."
        )
