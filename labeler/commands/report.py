"""The command that writes the report of a study."""

from pathlib import Path

import click

from labeler.app.results.report_data import ReportFormat, ReportRequest, WrittenReport
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.text import count_noun

OMITTED = "Not included: {omission}"
_ALL_FORMATS = ",".join(ReportFormat)


@click.command("report")
@study_argument
@click.option(
    "--out",
    required=True,
    type=path_param,
    help="The folder to write to. Files of an earlier report in it are replaced.",
)
@click.option(
    "--format",
    "formats",
    default=_ALL_FORMATS,
    show_default=True,
    help="The formats to write, separated by commas.",
)
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    help="An additional subset, such as subtree:n02084071. Can be given several times.",
)
@click.option(
    "--groups",
    type=path_param,
    help="A file with your own superclasses or groups.",
)
@click.option(
    "--context",
    nargs=2,
    type=path_param,
    help="Files of timm's results on the original and the new dataset, shown behind the figures.",
)
@click.option("--seed", type=int, help="The seed of the resampling.  [default: the study's seed]")
@click.option("--names", is_flag=True, help="Write people's names next to their codes.")
@json_option
def report(
    *,
    study: Path,
    out: Path,
    formats: str,
    subsets: tuple[str, ...],
    groups: Path | None,
    context: tuple[Path, Path] | None,
    seed: int | None,
    names: bool,
    as_json: bool,
) -> None:
    """Write the report of STUDY.

    It compares the humans and the models, in tables, figures and files. docs/report.md explains
    every number and every file.
    """
    # Imported here because it imports matplotlib, which takes long.
    from labeler.app.results.report_writer import make_report

    request = ReportRequest(subsets=subsets, names=names, groups=groups, seed=seed)
    wanted = _formats(formats)
    with opened_study(study, writes=False) as store, progress_bars() as bars:
        made = make_report(
            store, out, request=request, formats=wanted, context=context, progress=bars
        )
    if as_json:
        print_json(_row(made))
        return
    echo(f"Wrote {count_noun(len(made.files), 'file')} to {out}.")
    if not made.evaluation_locked:
        echo("The evaluation isn't locked yet: these numbers can still change.")
    for omission in made.omissions:
        echo(OMITTED.format(omission=omission))


def _formats(text: str) -> frozenset[ReportFormat]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in set(ReportFormat)]
    if unknown or not names:
        problem = f"Unknown format '{unknown[0]}'" if unknown else "No format given"
        raise click.BadParameter(
            f"{problem}. Choose from {', '.join(ReportFormat)}.", param_hint="--format"
        )
    return frozenset(ReportFormat(name) for name in names)


def _row(made: WrittenReport) -> dict[str, object]:
    return {
        "files": [str(file) for file in made.files],
        "not_given": list(made.omissions),
        "evaluation_locked": made.evaluation_locked,
    }
