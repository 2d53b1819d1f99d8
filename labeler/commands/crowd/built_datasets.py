"""Commands that build datasets from candidate pools."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import click

from labeler.app.curation.building import BuildPreview, BuildRequest, build_dataset, preview_build
from labeler.app.curation.dataset_export import (
    BuiltLayout,
    add_revision_as_dataset,
    export_revision,
)
from labeler.app.curation.preview_text import missing_lines, outcome_lines
from labeler.app.curation.revision_history import (
    RevisionReader,
    RevisionSummary,
    declare_final,
    revision_summaries,
)
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    seed_option,
    study_argument,
)
from labeler.core.curation.entities import Strategy
from labeler.core.errors import RefusedError
from labeler.core.text import count_noun

_MOST_LISTED = 20
name_argument = click.argument("name")
revision_argument = click.argument("revision", type=click.IntRange(min=1))


class FractionParam(click.ParamType[Fraction]):
    """A number from 0 to 1, kept exact: 0.7 is 7/10."""

    name = "number"

    def convert(
        self, value: str | Fraction, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a number such as 0.7 or 7/10.", param, ctx)


@click.command("build")
@study_argument
@name_argument
@click.option("--pool", required=True, help="The candidate pool to sample from.")
@click.option(
    "--strategy",
    type=click.Choice([str(strategy) for strategy in Strategy]),
    required=True,
    help="How the images are sampled from the eligible candidates.",
)
@click.option("--per-class", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--reference", help="The dataset whose frequencies matched-frequency imitates.")
@click.option("--parent", type=click.IntRange(min=1), help="The revision whose images stay.")
@click.option(
    "--threshold",
    type=FractionParam(),
    default="0.7",
    show_default=True,
    help="The least selection frequency, for the strategy threshold.",
)
@click.option(
    "--class-threshold",
    "class_thresholds",
    multiple=True,
    metavar="WNID=NUMBER",
    help="Another threshold for one class. Can be given several times.",
)
@click.option(
    "--min-answers",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How often a candidate must have been shown for its class.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be built; store nothing.")
@seed_option
@json_option
def build(
    *,
    study: Path,
    name: str,
    pool: str,
    strategy: str,
    per_class: int,
    reference: str | None,
    parent: int | None,
    threshold: Fraction,
    class_thresholds: tuple[str, ...],
    min_answers: int,
    dry_run: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Build a revision of the dataset NAME in STUDY from a candidate pool.

    The same pool, answers and seed give the same images on every machine. If a class has too few
    eligible candidates, the revision is stored as incomplete, and what is missing is listed.
    """
    with opened_study(study) as store:
        request = BuildRequest(
            dataset=name,
            pool=pool,
            strategy=Strategy(strategy),
            seed=store.identity.seed if seed is None else seed,
            per_class=per_class,
            reference=reference,
            parent=parent,
            threshold=threshold,
            thresholds=_class_thresholds(class_thresholds),
            min_shown=min_answers,
        )
        if dry_run:
            number, preview = None, preview_build(store, request)
        else:
            revision, preview = build_dataset(store, request)
            number = revision.revision
    if as_json:
        print_json(_build_json(preview, number))
    else:
        _print_build(preview, number)


def _class_thresholds(given: tuple[str, ...]) -> Mapping[str, Fraction]:
    found = {}
    for text in given:
        wnid, equals, number = text.partition("=")
        if not equals:
            raise click.UsageError(f"Write {text!r} as WNID=NUMBER, such as n01440764=0.6.")
        found[wnid] = FractionParam().convert(number, None, None)
    return found


def _print_build(preview: BuildPreview, number: int | None) -> None:
    for line in outcome_lines(preview):
        echo(line)
    missing = list(missing_lines(preview, str))
    for line in missing[:_MOST_LISTED]:
        echo(line)
    if len(missing) > _MOST_LISTED:
        rest = count_noun(len(missing) - _MOST_LISTED, "more class", "more classes")
        echo(f"… and {rest}.")
    if number is None:
        echo("Nothing was stored.")
    else:
        echo(f"Stored as revision {number} of {preview.request.dataset}, {preview.built.state}.")


def _build_json(preview: BuildPreview, number: int | None) -> dict[str, object]:
    built = preview.built
    return {
        "dataset": preview.request.dataset,
        "revision": number,
        "images": len(built.images),
        "state": str(built.state),
        "complete_classes": built.complete_classes,
        "classes": len(built.draws),
        "missing": [
            {
                "label": draw.label,
                "missing": draw.missing,
                "bins": {str(place): count for place, count in draw.missing_in_bins.items()},
                "refused": draw.refused,
            }
            for draw in built.draws
            if draw.missing
        ],
        "not_eligible": {str(reason): count for reason, count in preview.exclusions.items()},
        "excluded": {
            image.image: str(reason) for image, reason in preview.eligibility.excluded.items()
        },
        "removed": {image.image: str(reason) for image, reason in built.removed.items()},
        "notes": list(preview.notes),
    }


@click.command("revisions")
@study_argument
@name_argument
@json_option
def revisions(study: Path, name: str, as_json: bool) -> None:
    """List the revisions of the built dataset NAME, compared with their parents."""
    with opened_study(study, writes=False) as store:
        found = revision_summaries(store, name)
    if as_json:
        print_json([each.as_json() for each in found])
        return
    for each in found:
        echo(_revision_line(each))


def _revision_line(each: RevisionSummary) -> str:
    parent = f" from {each.parent}" if each.parent else ""
    return (
        f"{each.revision}{parent}  {each.state}: {count_noun(each.images, 'image')}, "
        f"{each.complete_classes:,} of {count_noun(each.classes, 'class', 'classes')} complete, "
        f"{each.kept:,} kept, {each.added:,} added, {each.removed:,} removed, "
        f"{each.reviewed:,} reviewed, {each.needs_work:,} need work"
    )


@click.command("compare")
@study_argument
@name_argument
@click.argument("one", type=click.IntRange(min=1))
@click.argument("other", type=click.IntRange(min=1))
@json_option
def compare(*, study: Path, name: str, one: int, other: int, as_json: bool) -> None:
    """Compare the revisions ONE and OTHER of the built dataset NAME."""
    with opened_study(study, writes=False) as store, store.read() as transaction:
        change = RevisionReader(transaction, name).compare(one, other)
    if as_json:
        print_json(
            {
                "kept": [key.image for key in change.kept],
                "added": [key.image for key in change.added],
                "removed": {
                    key.image: None if reason is None else str(reason)
                    for key, reason in change.removed.items()
                },
            }
        )
        return
    echo(f"{len(change.kept):,} kept, {len(change.added):,} added, {len(change.removed):,} removed")
    for key in change.added:
        echo(f"+ {key.image}")
    for key, reason in change.removed.items():
        echo(f"- {key.image}{f' ({reason})' if reason else ''}")


@click.command("review-class")
@study_argument
@name_argument
@revision_argument
@click.argument("label", metavar="WNID")
@click.option("--by", required=True, help="The code of the reviewer.")
@click.option("--needs-work", is_flag=True, help="The class needs work.")
@click.option("--open", "reopened", is_flag=True, help="The class isn't reviewed yet.")
def review_class(
    *,
    study: Path,
    name: str,
    revision: int,
    label: str,
    by: str,
    needs_work: bool,
    reopened: bool,
) -> None:
    """Note that the class WNID of a revision is reviewed, or that it needs work."""
    with opened_study(study) as store, store.write() as transaction:
        transaction.class_reviews.record(
            dataset=name,
            revision=revision,
            label=label,
            reviewer=by,
            reviewed=not reopened,
            needs_work=needs_work,
        )
    echo(f"Noted for {label}.")


@click.command("final")
@study_argument
@name_argument
@revision_argument
def final(study: Path, name: str, revision: int) -> None:
    """Declare a revision of NAME final, so that models can be scored on it."""
    with opened_study(study) as store:
        declare_final(store, name, revision)
    echo(f"Revision {revision} of {name} is final.")


@click.command("export-built")
@study_argument
@name_argument
@revision_argument
@click.argument("folder", type=path_param)
@click.option(
    "--layout",
    type=click.Choice([str(layout) for layout in BuiltLayout]),
    default=str(BuiltLayout.INDEX),
    show_default=True,
    help="Folders named by class index or by wnid, a manifest of the original files, or a "
    "WebDataset archive.",
)
def export_built(*, study: Path, name: str, revision: int, folder: Path, layout: str) -> None:
    """Export a revision of NAME into FOLDER, with a manifest and a data card."""
    try:
        with opened_study(study, writes=False) as store, progress_bars() as progress:
            count = export_revision(
                store, name, revision, folder, layout=BuiltLayout(layout), progress=progress
            )
    except KeyboardInterrupt:
        raise RefusedError("Interrupted. Nothing was written.") from None
    echo(f"{count_noun(count, 'image')} written to {folder}.")


@click.command("add-built")
@study_argument
@name_argument
@revision_argument
@click.option("--as", "added_as", required=True, help="The name of the new dataset.")
def add_built(*, study: Path, name: str, revision: int, added_as: str) -> None:
    """Add a revision of NAME to STUDY as an evaluation dataset."""
    with opened_study(study) as store:
        count = add_revision_as_dataset(store, name, revision, name=added_as)
    echo(f"{count_noun(count, 'image')} added as {added_as}.")
