"""Commands for the blind review: plan it, resolve its verdicts, compare its reviewers."""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from labeler.app.review.plan import PlanReport, PlanSettings, plan_lines, plan_review, preview_plan
from labeler.app.review.resolution import (
    RESOLVE_AGAIN,
    ResolutionReport,
    ResolutionSettings,
    ReviewCoverage,
    resolve_verdicts,
    review_coverage,
)
from labeler.app.review.reviewer_statistics import (
    ReviewerStatistics,
    ReviewStatistics,
    Share,
    review_statistics,
)
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    seed_option,
    study_argument,
)
from labeler.core.errors import RefusedError
from labeler.core.review.dawid_skene import DEFAULT_THRESHOLD, Truth
from labeler.core.review.label_changes import LabelChanges, LabelCounts
from labeler.core.review.leak import DEFAULT_LEAK, Cue
from labeler.core.statistics.agreement import Agreement
from labeler.core.study.entities import ResolutionRule, Stage
from labeler.core.text import count_noun


def print_label_counts(labels: LabelCounts, changes: LabelChanges | None) -> None:
    if labels.judged:
        echo(labels.sentence())
    if changes is not None:
        echo(
            f"Since the initial review: {changes.unchanged:,} images unchanged, "
            f"{changes.added:,} with labels added, {changes.modified:,} modified."
        )


def print_review_statistics(statistics: ReviewStatistics) -> None:
    _print_agreement(statistics.stage, statistics.agreement)
    if statistics.labels is not None:
        print_label_counts(statistics.labels, statistics.changes)
    echo(f"Confusions are with {statistics.consensus}.")
    for reviewer in statistics.reviewers:
        _print_reviewer(reviewer)


def _print_agreement(stage: Stage, agreement: Agreement) -> None:
    if not agreement.units:
        echo(f"The {stage} review, blind verdicts: no two reviewers judged the same label.")
        return
    echo(
        f"The {stage} review, blind verdicts: {agreement.raters} reviewers on "
        f"{count_noun(agreement.units, 'shared label')}; agreement "
        f"{_percent(agreement.percent)}, Cohen {_number(agreement.cohen)}, "
        f"Fleiss {_number(agreement.fleiss)}, Krippendorff {_number(agreement.krippendorff)}."
    )


def _print_reviewer(reviewer: ReviewerStatistics) -> None:
    pace = (
        "no times" if reviewer.median_seconds is None else f"{reviewer.median_seconds:.1f} s each"
    )
    echo("")
    judgements = count_noun(reviewer.judgements, "judgement")
    echo(f"{reviewer.code}: {judgements} (without decoys and repeats), {pace}.")
    echo(
        f"  agrees with others {_share(reviewer.with_others)}, Cohen {_number(reviewer.kappa)}, "
        f"Fleiss {_number(reviewer.fleiss)}, Krippendorff {_number(reviewer.krippendorff)}"
    )
    echo(f"  agrees with themselves {_share(reviewer.with_self)}")
    echo(f"  accepted own evaluation answers {_share(reviewer.own_accepted)}")
    echo(f"  accepted other people's answers {_share(reviewer.others_accepted)}")
    echo(f"  accepted decoys that no one else accepted {_share(reviewer.decoys_accepted)}")
    echo("  consensus     said wrong  unclear  correct")
    for name, row in zip(("wrong", "unclear", "correct"), reviewer.confusion, strict=True):
        echo(f"  {name:<12}{row[0]:>12,}{row[1]:>9,}{row[2]:>9,}")


def _share(share: Share) -> str:
    if share.fraction is None:
        return "(none)"
    return f"{share.fraction:.1%} ({share.count:,} of {share.total:,})"


def _percent(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


_SHARE = click.FloatRange(0.0, 1.0)
_STAGES = click.Choice([str(stage) for stage in Stage])


@click.command("review-plan")
@study_argument
@click.option("--stage", type=_STAGES, required=True, help="Which review the plan is for.")
@seed_option
@click.option(
    "--overlap",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many reviewers judge each image.",
)
@click.option(
    "--reviewer",
    "reviewers",
    multiple=True,
    help="A reviewer to assign labels to. Can be given several times.  [default: everyone with "
    "the role reviewer]",
)
@click.option(
    "--seeds",
    "model_seeds",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Final: how many model predictions to mix into each image.",
)
@click.option(
    "--again",
    type=_SHARE,
    default=0.0,
    show_default=True,
    help="Final: the share of already judged labels to judge again.",
)
@click.option(
    "--repeats",
    type=_SHARE,
    default=0.0,
    show_default=True,
    help="The share of judgements to repeat with the same reviewer.",
)
@click.option(
    "--leak",
    type=_SHARE,
    default=DEFAULT_LEAK,
    show_default=True,
    help="How far a reviewer's guess of a label's source may be from the base rate. Decoys are "
    "added until it is.",
)
@click.option("--no-decoys", is_flag=True, help="Plan without decoys, whatever that reveals.")
@click.option(
    "--preview", is_flag=True, help="Print what the plan would contain and reveal; don't store it."
)
@click.option(
    "--sample-only", is_flag=True, help="Initial: review only images of the evaluation sample."
)
@json_option
def review_plan(
    *,
    study: Path,
    stage: str,
    seed: int | None,
    overlap: int,
    reviewers: tuple[str, ...],
    model_seeds: int,
    again: float,
    repeats: float,
    leak: float,
    no_decoys: bool,
    preview: bool,
    sample_only: bool,
    as_json: bool,
) -> None:
    """Plan the blind review of STUDY, or extend its plan.

    Initial: the target of each image and the distinct first predictions of the models. Final: every
    human answer that hasn't been judged, with model predictions mixed in. Both are mixed with
    decoys, plausible labels that nobody proposed, so that reviewers can't tell where a label comes
    from. If you run it again after adding models, it adds only what is new.
    """
    settings = PlanSettings(
        stage=Stage(stage),
        seed=seed,
        reviewers=reviewers,
        overlap=overlap,
        model_seeds=model_seeds,
        again=again,
        repeats=repeats,
        leak=None if no_decoys else leak,
        sample_only=sample_only,
    )
    with opened_study(study) as store:
        report = preview_plan(store, settings) if preview else plan_review(store, settings)
    if as_json:
        print_json(_plan_json(report))
    else:
        for line in plan_lines(report, preview=preview):
            echo(line)


@click.command("resolve")
@study_argument
@click.option(
    "--rule",
    type=click.Choice([str(rule) for rule in ResolutionRule]),
    required=True,
    help="How verdicts are combined. docs/lead.md defines the rules.",
)
@click.option(
    "--quorum",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many verdicts a label needs. With fewer it stays open.",
)
@click.option("--reviewer", help="With --rule single: the reviewer whose verdicts count.")
@click.option(
    "--probabilities",
    type=path_param,
    help="With --rule dawid-skene: a CSV file to write the probabilities of all labels to.",
)
@click.option(
    "--truth",
    type=click.Choice([str(truth) for truth in Truth]),
    help="With --rule dawid-skene: the true states of a label. binary is wrong or correct, three "
    f"adds unclear.  [default: {Truth.BINARY}]",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0.5, 1.0),
    help="With --truth binary: the probability that a state needs. A label where neither state "
    f"reaches it is unclear.  [default: {DEFAULT_THRESHOLD}]",
)
@click.option(
    "--yes", is_flag=True, help="Don't ask when fewer than half of the planned labels are judged."
)
@json_option
def resolve_command(
    *,
    study: Path,
    rule: str,
    quorum: int,
    reviewer: str | None,
    probabilities: Path | None,
    truth: str | None,
    threshold: float | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Resolve the verdicts of STUDY into multi-labels.

    The study records the rule.
    """
    settings = ResolutionSettings(
        rule=ResolutionRule(rule),
        quorum=quorum,
        reviewer=reviewer,
        probabilities=probabilities,
        truth=None if truth is None else Truth(truth),
        threshold=threshold,
    )
    with opened_study(study) as store:
        if not yes and sys.stdin.isatty():
            _confirm(review_coverage(store))
        report = resolve_verdicts(store, settings)
    if as_json:
        print_json(_resolution_json(report))
    else:
        _print_resolution(report, probabilities)


@click.command("reviewers")
@study_argument
@click.option("--stage", type=_STAGES, help="Which review.  [default: the last one with verdicts]")
@json_option
def reviewers_command(study: Path, stage: str | None, as_json: bool) -> None:
    """Print statistics of the reviewers of STUDY.

    Pace, agreement with each other and themselves, and confusion with the consensus.
    """
    with opened_study(study, writes=False) as store:
        statistics = review_statistics(store, None if stage is None else Stage(stage))
    if as_json:
        print_json(asdict(statistics))
    else:
        print_review_statistics(statistics)


def _confirm(coverage: ReviewCoverage) -> None:
    """Ask if few of the planned labels are judged; only with a terminal."""
    if coverage.is_low and not click.confirm(f"{coverage.sentence()} Resolve anyway?", err=True):
        raise RefusedError("Nothing was resolved.")


def _plan_json(report: PlanReport) -> dict[str, object]:
    request = report.draft.request
    return {
        "stage": request.stage,
        "seed": request.seed,
        "overlap": request.overlap,
        "new_labels": len(report.draft.pairs),
        "judgements": dict(sorted(report.draft.judgements.items())),
        "repeats": len(report.draft.repeats),
        "labels": report.size.pairs,
        "images": report.size.images,
        "images_of_one_source": report.one_source,
        "decoys": report.leak.decoys,
        "decoy_judgements": report.leak.decoy_judgements,
        "leak": [
            {
                "reviewer": p.reviewer,
                "cue": p.cue if isinstance(p.cue, Cue) else f"{p.cue} labels",
                "source": p.source,
                "probability": p.probability,
                "base_rate": p.base_rate,
                "labels": p.labels,
            }
            for p in report.leak.posteriors
        ],
        "advantages": [asdict(advantage) for advantage in report.leak.advantages],
        "median_judgement_seconds": None if report.pace_ms is None else report.pace_ms / 1000,
        "estimated_seconds": None if report.takes_ms is None else report.takes_ms / 1000,
    }


def _resolution_json(report: ResolutionReport) -> dict[str, object]:
    return {
        **asdict(report.resolution),
        "planned_labels": report.coverage.planned,
        "judged_labels": report.coverage.judged,
        "judged_images": report.labels.judged,
        "images_with_a_correct_label": report.labels.images,
        "multi_label_images": report.labels.multi_label_images,
        "mean_labels_of_multi_label_images": report.labels.mean_labels_of_multi_label_images,
        "changes": None if report.changes is None else asdict(report.changes),
        "flagged_unconfirmed": report.unconfirmed,
        "steps": report.steps,
        "converged": report.converged,
    }


def _print_resolution(report: ResolutionReport, probabilities: Path | None) -> None:
    done = report.resolution
    total = count_noun(done.correct + done.wrong + done.unclear, "label")
    echo(
        f"Resolved {total} by the rule {done.rule}: {done.correct:,} correct, {done.wrong:,} "
        f"wrong, {done.unclear:,} unclear."
    )
    if report.coverage.is_low:
        echo(f"Only {report.coverage.sentence()} {RESOLVE_AGAIN}")
    if done.unsettled:
        echo(f"{count_noun(done.unsettled, 'of them is', 'of them are')} unclear by disagreement.")
    if done.open:
        echo(f"{count_noun(done.open, 'label stays', 'labels stay')} open: too few verdicts.")
    if not report.converged:
        echo(f"The estimate hasn't converged after {report.steps} steps.")
    print_label_counts(report.labels, report.changes)
    if report.unconfirmed:
        images = count_noun(report.unconfirmed, "image is", "images are")
        echo(f"{images} flagged as problematic by one reviewer, and not confirmed by another.")
    if probabilities is not None:
        echo(f"The probabilities are in {probabilities}.")
