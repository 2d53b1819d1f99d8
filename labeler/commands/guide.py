"""Commands for the guide: check it, show its coverage, export it to one file."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from labeler.app.guide.export import export_guide, guide_source
from labeler.commands.terminal import echo, json_option, path_param, print_json
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.clock import SystemClock
from labeler.core.text import count_noun
from labeler.guide.check import GuideFinding, GuideFlaw, check_guide, undistinguished_pairs
from labeler.guide.coverage import (
    GuideCoverage,
    LookalikePair,
    guide_coverage,
    read_evidence_pairs,
    read_lookalike_pairs,
)

# A guide without a study lacks all of its reference images.
_NAMED = 10
MISSING_PICTURES = "{pictures} missing and replaced by text: {names}."
NO_PROBLEMS = "No problems found in the guide."

_folder_option = click.option(
    "--folder", type=path_param, help="A folder of pages, instead of the guide of a study."
)


@click.group()
def guide() -> None:
    """Check the guide, or export it to one file.

    Without STUDY or --folder, use the guide that ships with labeler.
    """


@guide.command()
@click.argument("study", required=False, type=path_param)
@_folder_option
@click.option(
    "--pairs",
    type=path_param,
    help="A CSV file wnid_a,wnid_b[,count] of look-alikes that the guide has to distinguish.",
)
@click.option(
    "--evidence",
    type=path_param,
    help="A CSV file wnid_a,wnid_b,model_confusions,label_errors,together_in_one_image; a pair "
    "with 4 confusions or 3 label errors needs a row.",
)
@click.option("--at-least", type=int, default=0, help="How many classes must have a page.")
@json_option
def check(
    *,
    study: Path | None,
    folder: Path | None,
    pairs: Path | None,
    evidence: Path | None,
    at_least: int,
    as_json: bool,
) -> None:
    """Check the guide for errors, and show how much it covers.

    Find pages that can't be read, unknown classes, broken links and pictures, classes covered
    twice, pages without sources, and with --pairs or --evidence the look-alikes that no row
    distinguishes. The exit status is 1 if anything is found.
    """
    _refuse_both(study, folder)
    with guide_source(study=study, folder=folder, clock=SystemClock()) as source:
        taxonomy = source.taxonomy
        listed = _listed_pairs(taxonomy, pairs=pairs, evidence=evidence)
        source.refresh()
        checked = check_guide(source.folder, taxonomy=taxonomy, references=source.reference_count)
    undistinguished = (
        finding
        for file, of_file in listed.items()
        for finding in undistinguished_pairs(of_file, checked.guide, taxonomy=taxonomy, file=file)
    )
    known = tuple({pair.pair: pair for of_file in listed.values() for pair in of_file}.values())
    covered = guide_coverage(checked.guide, taxonomy=taxonomy, pairs=known)
    findings = (*checked.findings, *undistinguished, *_too_few(covered, at_least))
    if as_json:
        found = [{"flaw": f.flaw.value, "sentence": f.sentence} for f in findings]
        print_json({"findings": found, "coverage": asdict(covered)})
    else:
        _print_check(findings, covered)
    if findings:
        raise click.exceptions.Exit(1)


def _listed_pairs(
    taxonomy: Taxonomy, *, pairs: Path | None, evidence: Path | None
) -> dict[Path, tuple[LookalikePair, ...]]:
    """The pairs that need a row, by the file that lists them."""
    listed = {pairs: read_lookalike_pairs(pairs, taxonomy=taxonomy)} if pairs else {}
    if evidence:
        listed[evidence] = read_evidence_pairs(evidence, taxonomy=taxonomy)
    return listed


def _too_few(covered: GuideCoverage, at_least: int) -> Iterator[GuideFinding]:
    if covered.covered < at_least:
        sentence = f"{covered.covered:,} classes have a page; at least {at_least:,} must have one."
        yield GuideFinding(GuideFlaw.TOO_FEW_CLASSES, sentence)


@guide.command()
@click.argument("places", nargs=-1, required=True, metavar="[STUDY] OUT")
@_folder_option
def export(places: tuple[str, ...], folder: Path | None) -> None:
    """Write the guide to the file OUT, as .html or .pdf.

    The HTML file is self-contained; the PDF file is for printing, with contents, page numbers and
    an index of classes. Reference images come from STUDY.
    """
    if len(places) > 2:
        raise click.UsageError("Too many arguments. Usage: labeler guide export [STUDY] OUT")
    *studies, out = map(Path, places)
    study = studies[0] if studies else None
    _refuse_both(study, folder)
    clock = SystemClock()
    with guide_source(study=study, folder=folder, clock=clock) as source:
        exported = export_guide(source, out, now=clock.utc())
    echo(f"Wrote {count_noun(exported.pages, 'page')} of the guide to {out}.")
    if exported.missing_pictures:
        count = count_noun(len(exported.missing_pictures), "picture is", "pictures are")
        names = _first_few(exported.missing_pictures)
        echo(MISSING_PICTURES.format(pictures=count, names=names))


def _first_few(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _refuse_both(study: Path | None, folder: Path | None) -> None:
    if study is not None and folder is not None:
        raise click.UsageError("Give either STUDY or --folder, not both.")


def _print_check(findings: Sequence[GuideFinding], covered: GuideCoverage) -> None:
    for finding in findings:
        echo(finding.sentence)
    count = count_noun(len(findings), "finding")
    echo(f"{count}." if findings else NO_PROBLEMS)
    for line in covered.lines:
        echo(line)
