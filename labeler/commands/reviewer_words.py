"""What the command line says about reviewers and about what came of their verdicts."""

from labeler.app.review.reviewer_statistics import ReviewerStatistics, ReviewStatistics, Share
from labeler.commands.terminal import echo
from labeler.core.review.label_changes import LabelChanges, LabelCounts
from labeler.core.statistics.agreement import Agreement
from labeler.core.study.entities import Stage
from labeler.core.text import count_noun


def print_label_counts(labels: LabelCounts, changes: LabelChanges | None) -> None:
    if labels.share is not None:
        mean = labels.mean_labels_of_multi_label_images
        told = "" if mean is None else f", {mean:.2f} each on average"
        echo(f"{labels.share:.1%} of the images have more than one correct label{told}.")
    if changes is not None:
        echo(
            f"Since the initial review: {changes.unchanged:,} images unchanged, "
            f"{changes.added:,} with labels added, {changes.modified:,} modified."
        )


def print_review_statistics(figures: ReviewStatistics) -> None:
    _print_agreement(figures.stage, figures.agreement)
    if figures.labels is not None:
        print_label_counts(figures.labels, figures.changes)
    echo(f"Confusions are with {figures.consensus}.")
    for reviewer in figures.reviewers:
        _print_reviewer(reviewer)


def _print_agreement(stage: Stage, told: Agreement) -> None:
    if not told.units:
        echo(f"The {stage} review, blind verdicts: no two reviewers judged the same label.")
        return
    echo(
        f"The {stage} review, blind verdicts: {told.raters} reviewers on "
        f"{count_noun(told.units, 'shared label')}; agreement {_percent(told.percent)}, Cohen "
        f"{_number(told.cohen)}, Fleiss {_number(told.fleiss)}, Krippendorff "
        f"{_number(told.krippendorff)}."
    )


def _print_reviewer(reviewer: ReviewerStatistics) -> None:
    pace = (
        "no times" if reviewer.median_seconds is None else f"{reviewer.median_seconds:.1f} s each"
    )
    echo("")
    echo(f"{reviewer.code}: {count_noun(reviewer.judgements, 'judgement')}, {pace}.")
    echo(
        f"  agrees with others {_share(reviewer.with_others)}, Cohen {_number(reviewer.kappa)}, "
        f"Fleiss {_number(reviewer.fleiss)}, Krippendorff {_number(reviewer.krippendorff)}"
    )
    echo(f"  agrees with themselves {_share(reviewer.with_self)}")
    echo(f"  accepted own evaluation answers {_share(reviewer.own_accepted)}")
    echo(f"  accepted other people's answers {_share(reviewer.others_accepted)}")
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
