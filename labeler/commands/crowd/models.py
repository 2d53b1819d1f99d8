"""The command that models annotators instead of counting them."""

from pathlib import Path

import click

from labeler.app.crowd.label_models import LabelModel, model_labels, write_probabilities
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    print_json,
    seed_option,
    study_argument,
)
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.text import count_noun


@click.command("probabilities")
@study_argument
@click.option(
    "--model",
    type=click.Choice([str(model) for model in LabelModel]),
    default=str(LabelModel.ONE_COIN),
    show_default=True,
    help="How annotators are modelled; glad and mace need crowd-kit.",
)
@click.option(
    "--quality",
    type=click.Choice([str(rule) for rule in QualityRule]),
    default=str(QualityRule.NONE),
    show_default=True,
    help="Whether answers that miss positive controls are left out first.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The CSV file to write.",
)
@seed_option
@json_option
def probabilities(
    *, study: Path, model: str, quality: str, out: Path, seed: int | None, as_json: bool
) -> None:
    """Estimate how probably each image of STUDY contains each label.

    The study isn't changed: frequencies, candidate labels and objects stay those of `aggregate`.
    """
    with opened_study(study) as store:
        found = model_labels(
            store,
            model=LabelModel(model),
            quality=QualityRule(quality),
            seed=store.identity.seed if seed is None else seed,
        )
    write_probabilities(found, out)
    if as_json:
        print_json(
            {
                "model": str(found.model),
                "judgements": found.judgements,
                "pairs": len(found.probabilities),
                "annotators": found.skills,
            }
        )
        return
    pairs = count_noun(len(found.probabilities), "pair")
    echo(f"{pairs} of image and label from {count_noun(found.judgements, 'judgement')}: {out}")
    for code, skill in sorted(found.skills.items(), key=lambda item: item[1]):
        echo(f"{code}: {skill:.3f}")
