"""Commands for predictions of other programs, and for the reassessed labels of ReaL."""

from pathlib import Path

import click

from labeler.app.models.prediction_import import PredictionFile, import_prediction_file
from labeler.app.models.real_accuracy import ModelRealAccuracy, real_accuracies
from labeler.commands.scoring import scored_json, scored_lines
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.models.class_outputs import BACKGROUND_FIRST
from labeler.core.models.prediction_order import ImageOrder
from labeler.core.text import count_noun

_UNUSABLE_ROW = "the row contains only NaN, or no class of the study."


@click.command("import-predictions")
@study_argument
@click.argument("file", type=path_param)
@click.option("--model", required=True, help="The code of the model as a participant.")
@click.option("--dataset", required=True, help="The dataset of the images.")
@click.option(
    "--order",
    required=True,
    help="The order of the rows: study, the order of the images in the study; names, sorted by "
    "folder and file name as text, as most libraries do; numbers, sorted by folders 0…999 as "
    "numbers, for ImageNetV2; or a text file with one image name per line.",
)
@click.option(
    "--classes",
    help="The class of each column or index: a file with one wnid per line, or the word "
    f"{BACKGROUND_FIRST}.  [default: the study's order]",
)
@click.option(
    "--ranks",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="How many classes to store for each image.",
)
@click.option("--description", default="", help="Where the predictions come from.")
@click.option("--replace", is_flag=True, help="Replace existing predictions.")
@click.option(
    "--accept-chance",
    is_flag=True,
    help="Store predictions even if they are no better than chance.",
)
@json_option
def import_predictions(
    *,
    study: Path,
    file: Path,
    model: str,
    dataset: str,
    order: str,
    classes: str | None,
    ranks: int,
    description: str,
    replace: bool,
    accept_chance: bool,
    as_json: bool,
) -> None:
    """Import predictions from a .npy file.

    FILE contains class indices or logits of another program. It has one row for every image of the
    dataset. For CSV files in the exchange format, use `labeler import`.
    """
    given = PredictionFile(
        file=file,
        model=model,
        dataset=dataset,
        order=ImageOrder(order) if order in set(ImageOrder) else Path(order),
        classes=classes,
        ranks=ranks,
        description=description,
        replace=replace,
        accept_chance=accept_chance,
    )
    with opened_study(study) as store:
        imported = import_prediction_file(store, given)
    if as_json:
        print_json(scored_json([imported], {}))
        return
    for line in scored_lines([imported]):
        echo(line)
    if imported.answered < imported.images:
        echo(
            f"{count_noun(imported.images - imported.answered, 'image')} without a prediction: "
            f"{_UNUSABLE_ROW}"
        )


@click.command()
@study_argument
@click.argument("file", type=path_param)
@json_option
def real(study: Path, file: Path, as_json: bool) -> None:
    """Print the ReaL accuracy of the models.

    FILE is real.json with the reassessed labels of the ImageNet validation images.
    """
    with opened_study(study, writes=False) as store:
        found = real_accuracies(store, file)
    if as_json:
        print_json([_row(one) for one in found])
        return
    for one in found:
        accuracy = "–" if one.real.accuracy is None else f"{one.real.accuracy:.2%}"
        excluded = f", {one.real.excluded:,} have no reassessed label" if one.real.excluded else ""
        images = count_noun(one.real.images, "image")
        echo(f"{one.model} on {one.dataset}: ReaL {accuracy} of {images}{excluded}.")
    if not found:
        echo("No model has been scored yet. Run `labeler score` first.")


def _row(one: ModelRealAccuracy) -> dict[str, object]:
    return {
        "model": one.model,
        "dataset": one.dataset,
        "right": one.real.right,
        "images": one.real.images,
        "excluded": one.real.excluded,
        "accuracy": one.real.accuracy,
    }
