"""The command that scores models over a study's images."""

import os
from pathlib import Path

import click

from labeler.app.models.crews import is_torchrun_helper, run_torchrun_helper, torchrun_helpers
from labeler.app.models.scoring_request import DatasetScoringResult, ScoringOptions
from labeler.app.models.scoring_run import score_model
from labeler.commands.scoring_options import with_model_options, with_scoring_options
from labeler.commands.scoring_output import ScoringProgressBars, scored_json, scored_lines
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    print_json,
    progress_bars,
    study_argument,
)
from labeler.core.errors import LabelerError, RefusedError
from labeler.core.models.scoring import ModelSpec, ScoringNotInstalledError
from labeler.store.study_store import StudyStore


@click.command()
@study_argument
@with_model_options
@click.option(
    "--dataset", "datasets", multiple=True, help="Score only this dataset; may be repeated."
)
@with_scoring_options
@json_option
def score(
    *,
    study: Path,
    specs: list[ModelSpec],
    datasets: tuple[str, ...],
    options: ScoringOptions,
    as_json: bool,
) -> None:
    """Score models over the images of STUDY, so that they stand beside the people.

    Interrupt it when you like: the same command goes on where it stopped. On several GPUs or
    machines run it through torchrun: `torchrun --nproc-per-node 2 -m labeler score STUDY …`.
    """
    if is_torchrun_helper(os.environ):
        run_torchrun_helper()
        return
    with opened_study(study) as store, torchrun_helpers(os.environ):
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
    done: list[DatasetScoringResult] = []
    failed: dict[str, str] = {}
    for spec in specs:
        try:
            scored = _score(store, spec, datasets, options, quiet=as_json)
        except ScoringNotInstalledError:
            raise
        except LabelerError as error:
            if len(specs) == 1:
                raise
            failed[spec.name] = error.typed
            continue
        done += scored
        if not as_json:
            for line in scored_lines(scored):
                echo(line)
    if as_json:
        print_json(scored_json(done, failed))
    if failed:
        sentences = "\n".join(f"{name}: {sentence}" for name, sentence in failed.items())
        raise RefusedError(f"{len(failed)} of {len(specs)} models weren't scored.\n{sentences}")


def _score(
    store: StudyStore,
    spec: ModelSpec,
    datasets: tuple[str, ...],
    options: ScoringOptions,
    *,
    quiet: bool,
) -> list[DatasetScoringResult]:
    try:
        with progress_bars() as bars:
            watcher = ScoringProgressBars(bars, quiet=quiet)
            return score_model(store, spec, datasets=datasets, options=options, watcher=watcher)
    except KeyboardInterrupt:
        raise RefusedError("Interrupted. Run the same command again to go on.") from None
