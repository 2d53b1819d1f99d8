"""The command that lists models: timm's, or the paper's testbed."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from labeler.app.models.model_finder import PublishedAccuracy, read_published_results
from labeler.app.models.testbed import PaperModel, TimmMatch, paper_testbed
from labeler.commands.terminal import echo, json_option, path_param, print_json
from labeler.core.models.scoring import CatalogueEntry, WeightsLocation, find_models
from labeler.core.text import count_noun
from labeler.scoring.extras import require_extras

PublishedResults = Mapping[str, Mapping[str, PublishedAccuracy]]

_WEIGHTS_NAMES = {
    WeightsLocation.INSTALLED: "installed",
    WeightsLocation.HUB: "timm's hub",
    WeightsLocation.NONE: "none",
}
TESTBED_IS_WHOLE = (
    "--testbed lists all models of the paper, without accuracies. Leave out QUERY, --results and "
    "--limit."
)
TOML_OR_JSON = "--toml and --json are two formats of the same list. Choose one of them."
assert set(_WEIGHTS_NAMES) == set(WeightsLocation), "every location has a name"


@click.command()
@click.argument("query", nargs=-1)
@click.option(
    "--results",
    multiple=True,
    type=path_param,
    help="One of timm's files of published accuracies, such as results-imagenet.csv. Can be given "
    "several times.",
)
@click.option(
    "--testbed", is_flag=True, help="List the models of the paper, with their equivalents in timm."
)
@click.option(
    "--toml", is_flag=True, help="Print the list as a file for `labeler score --testbed`."
)
@click.option("--limit", type=click.IntRange(min=1), help="List at most this many.")
@json_option
def models(
    *,
    query: tuple[str, ...],
    results: tuple[Path, ...],
    testbed: bool,
    toml: bool,
    limit: int | None,
    as_json: bool,
) -> None:
    """List the models that can be scored.

    For each model, show its parameters, input size, outputs and weights. QUERY filters by parts of
    the name: `labeler models resnet tv_in1k`.
    """
    if testbed and (query or results or limit is not None):
        raise click.UsageError(TESTBED_IS_WHOLE)
    if toml and as_json:
        raise click.UsageError(TOML_OR_JSON)
    published = {_title(file): read_published_results(file) for file in results}
    if testbed:
        _print_testbed(paper_testbed(), toml=toml, as_json=as_json)
        return
    require_extras()
    # What scoring needs is optional.
    from labeler.scoring.catalogue import list_models

    listed = find_models(list_models(), query)[:limit]
    if toml:
        _print_toml((entry.name, entry.name) for entry in listed)
    elif as_json:
        print_json([_row(entry, published) for entry in listed])
    else:
        for line in _lines(listed, published):
            echo(line)


def _lines(listed: list[CatalogueEntry], published: PublishedResults) -> Iterator[str]:
    if not listed:
        yield "No model matches. Try fewer or shorter words."
        return
    width = max(len(entry.name) for entry in listed)
    header = f"{'model':<{width}}  parameters  input  outputs  {'weights':<10}"
    yield header + "".join(f"  {title} top-1  top-5" for title in published)
    for entry in listed:
        yield _line(entry, width, published)
    yield f"{count_noun(len(listed), 'model')}."


def _line(entry: CatalogueEntry, width: int, published: PublishedResults) -> str:
    size = "–" if entry.parameters is None else f"{entry.parameters / 1e6:,.1f} M"
    line = (
        f"{entry.name:<{width}}  {size:>10}  {entry.input_size or '–':>5}  "
        f"{entry.outputs or '–':>7}  {_WEIGHTS_NAMES[entry.weights]:<10}"
    )
    for title, results in published.items():
        one = results.get(entry.name)
        top1, top5 = (None, None) if one is None else (one.top1, one.top5)
        line += f"  {_percent(top1):>{len(title) + 6}}  {_percent(top5):>5}"
    return line


def _percent(accuracy: float | None) -> str:
    return "–" if accuracy is None else f"{accuracy:.2f}"


def _row(entry: CatalogueEntry, published: PublishedResults) -> dict[str, object]:
    return {
        "model": entry.name,
        "parameters": entry.parameters,
        "input_size": entry.input_size,
        "outputs": entry.outputs,
        "weights": entry.weights.value,
        "published": {
            title: {"top1": results[entry.name].top1, "top5": results[entry.name].top5}
            for title, results in published.items()
            if entry.name in results
        },
    }


def _print_testbed(listed: list[PaperModel], *, toml: bool, as_json: bool) -> None:
    if as_json:
        rows = [{"paper": m.paper, "timm": m.timm or None, "match": m.match.value} for m in listed]
        print_json(rows)
        return
    if toml:
        _print_toml(_unique_models(listed))
        return
    width = max(len(model.paper) for model in listed)
    for model in listed:
        note = f"  ({model.note})" if model.note else ""
        echo(f"{model.paper:<{width}}  {model.match.value:<4}  {model.timm or '–'}{note}")
    counts = {match: sum(m.match is match for m in listed) for match in TimmMatch}
    echo(
        f"Of the {len(listed)} models in the paper, timm has {counts[TimmMatch.SAME]} with weights "
        f"of the same origin and {counts[TimmMatch.NEAR]} with other weights; "
        f"{counts[TimmMatch.NONE]} are missing."
    )


def _unique_models(listed: Iterable[PaperModel]) -> Iterator[tuple[str, str]]:
    """Yield each of timm's models once, with the first of the paper's names for it."""
    seen: set[str] = set()
    for model in listed:
        if model.timm and model.timm not in seen:
            seen.add(model.timm)
            yield model.timm, model.paper


def _print_toml(named: Iterable[tuple[str, str]]) -> None:
    for model, name in named:
        echo(f'[[model]]\nmodel = "{model}"\nname = "{name}"\n')


def _title(file: Path) -> str:
    return file.stem.removeprefix("results-")
