"""The command that scores models over a study's images."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from labeler.app.models.scoring_request import DatasetScoringResult, ScoringOptions
from labeler.app.models.scoring_run import (
    is_torchrun_helper,
    run_torchrun_helper,
    score_model,
    torchrun_helpers,
)
from labeler.app.models.testbed import read_testbed
from labeler.commands.progress_bars import TerminalProgress, progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.errors import LabelerError, RefusedError
from labeler.core.models.class_outputs import BACKGROUND_FIRST
from labeler.core.models.scoring import ModelFacts, ModelSpec, Precision, ScoringNotInstalledError
from labeler.core.text import count_noun
from labeler.images.unreadable import UnreadableReason
from labeler.store.study_store import StudyStore

CommandFunction = Callable[..., None]

_MODEL_OPTIONS = (
    click.option(
        "--model", "models", multiple=True, help="A model by its timm name; may be repeated."
    ),
    click.option("--testbed", type=path_param, help="A TOML file with a list of models."),
    click.option("--checkpoint", type=path_param, help="Your own weights for the only --model."),
    click.option("--name", help="The participant's code; by default the model's name."),
    click.option(
        "--classes",
        help="A file with the wnid of each output, one per line, or the word "
        f"{BACKGROUND_FIRST} for 1,001 outputs. Published weights need no class list.",
    ),
    click.option(
        "--batch-size",
        type=click.IntRange(min=1),
        help="By default the fastest one in a short test, or that of the resumed run.",
    ),
)

_SCORING_OPTIONS = (
    click.option(
        "--ranks",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        help="The number of labels stored per image.",
    ),
    click.option(
        "--logits",
        type=path_param,
        help="Also write all logits, as a .npy file for each model and dataset in this folder.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(min=1),
        help="The number of processes; by default one per core or GPU.",
    ),
    click.option(
        "--device", default="auto", show_default=True, help="auto, cpu, cuda, cuda:0 … or mps."
    ),
    click.option(
        "--precision",
        type=click.Choice([precision.value for precision in Precision]),
        default=Precision.AUTO.value,
        show_default=True,
        help="auto uses half precision on a GPU if that changes no label of a sample of images.",
    ),
    click.option(
        "--replace", is_flag=True, help="Replace predictions that were made with other settings."
    ),
    click.option(
        "--accept-chance", is_flag=True, help="Also store labels that are no better than chance."
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


ONE_MODEL_ONLY = (
    "--checkpoint, --name and --classes need exactly one --model and no --testbed. For several "
    "models, set them in a testbed file."
)


def with_model_options(command: CommandFunction) -> CommandFunction:
    """Pass the requested models to the command as `specs`."""

    @wraps(command)
    def with_specs(
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
        weights = None if checkpoint is None else str(checkpoint.resolve())
        specs = [
            ModelSpec(
                model=model,
                name=name or model,
                checkpoint=weights,
                classes=_resolve_class_list(classes),
                batch_size=batch_size,
            )
            for model in models
        ]
        if testbed is not None:
            specs += [
                replace(spec, batch_size=spec.batch_size or batch_size)
                for spec in read_testbed(testbed)
            ]
        if not specs:
            raise click.UsageError("Give a model with --model, or a list of models with --testbed.")
        command(specs=specs, **others)

    return _add_options(with_specs, _MODEL_OPTIONS)


def with_scoring_options(command: CommandFunction) -> CommandFunction:
    """Pass the scoring options to the command as `options`."""

    @wraps(command)
    def with_options(**given: Any) -> None:
        how = {name: given.pop(name) for name in _SCORING_OPTION_NAMES}
        options = ScoringOptions(**{**how, "precision": Precision(how["precision"])})
        command(options=options, **given)

    return _add_options(with_options, _SCORING_OPTIONS)


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
        raise click.UsageError(ONE_MODEL_ONLY)


_EXAMPLES = 3


class ScoringProgressBars:
    """A progress bar with images per second and remaining time, and notes above it."""

    def __init__(self, bars: TerminalProgress, *, quiet: bool) -> None:
        self._bars = bars
        self._quiet = quiet

    def loaded(self, facts: ModelFacts) -> None:
        self.note(
            f"{facts.architecture} with the weights of {facts.weights} on {facts.device}: "
            f"{facts.classes}, batch size {facts.batch_size}."
        )

    def began(self, dataset: str, *, done: int, total: int) -> None:
        self._bars.start(f"Scoring images of {dataset}", total, done=done)

    def scored(self, *, images: int, right: int) -> None:  # noqa: ARG002
        self._bars.advance(images)

    def note(self, sentence: str) -> None:
        if not self._quiet:
            click.echo(sentence, err=True)

    def log(self, words: str) -> None:
        """Ignore output of libraries, which only the window's log shows."""


def scored_lines(scored: Sequence[DatasetScoringResult]) -> Iterator[str]:
    """Yield the summary of a scored model."""
    for result in scored:
        before = result.answered - result.scored_now + len(result.not_scored)
        resumed = f", {before:,} of them earlier" if 0 < before < result.answered else ""
        known = " (already complete)" if not result.scored_now else resumed
        accuracy = "" if result.top1 is None else f" Top-1: {result.top1:.1%}."
        count = count_noun(result.answered, "image")
        yield f"{result.model} on {result.dataset}: {count} scored{known}.{accuracy}"
        yield from _left_out(result)


def scored_json(
    scored: Sequence[DatasetScoringResult], failed: Mapping[str, str]
) -> dict[str, object]:
    return {
        "scored": [
            {
                "model": result.model,
                "dataset": result.dataset,
                "images": result.images,
                "answered": result.answered,
                "scored_now": result.scored_now,
                "top1": result.top1,
                "not_scored": [
                    {"image": left.image, "reason": left.reason} for left in result.not_scored
                ],
            }
            for result in scored
        ],
        "failed": [{"model": name, "sentence": text} for name, text in failed.items()],
    }


def _left_out(result: DatasetScoringResult) -> Iterator[str]:
    for reason, count in sorted(Counter(left.reason for left in result.not_scored).items()):
        names = [left.image for left in result.not_scored if left.reason == reason]
        examples = ", ".join(names[:_EXAMPLES]) + (", …" if count > _EXAMPLES else "")
        yield (
            f"  Not scored: {count_noun(count, 'image')} {UnreadableReason(reason).fragment}: "
            f"{examples}"
        )


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
    """Score models on the images of STUDY, so that reports compare them with people.

    You can interrupt it at any time: the same command resumes it. On several GPUs or machines, run
    it with torchrun: `torchrun --nproc-per-node 2 -m labeler score STUDY …`.
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
    """Score one model after the other; continue if one fails."""
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
        raise RefusedError("Interrupted. Run the same command again to resume.") from None
