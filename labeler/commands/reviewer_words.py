"""What the command line says about reviewers and about what came of their verdicts."""

from labeler.app.review.reviewer_statistics import ReviewerFigures, ReviewFigures, Share
from labeler.commands.terminal import say
from labeler.core.review.label_changes import LabelChanges, LabelCounts
from labeler.core.statistics.agreement import Agreement
from labeler.core.study.entities import Stage
from labeler.core.text import counted


def tell_labels(labels: LabelCounts, changes: LabelChanges | None) -> None:
    if labels.share is not None:
        mean = labels.mean_labels_of_multi_label_images
        told = "" if mean is None else f", {mean:.2f} each on average"
        say(f"{labels.share:.1%} of the images have more than one correct label{told}.")
    if changes is not None:
        say(
            f"Since the initial review: {changes.unchanged:,} images unchanged, "
            f"{changes.added:,} with labels added, {changes.modified:,} modified."
        )


def tell_figures(figures: ReviewFigures) -> None:
    _tell_agreement(figures.stage, figures.agreement)
    if figures.labels is not None:
        tell_labels(figures.labels, figures.changes)
    say(f"Confusions are with {figures.consensus}.")
    for reviewer in figures.reviewers:
        _tell_reviewer(reviewer)


def _tell_agreement(stage: Stage, told: Agreement) -> None:
    if not told.units:
        say(f"The {stage} review, blind verdicts: no two reviewers judged the same label.")
        return
    say(
        f"The {stage} review, blind verdicts: {told.raters} reviewers on "
        f"{counted(told.units, 'shared label')}; agreement {_percent(told.percent)}, Cohen "
        f"{_number(told.cohen)}, Fleiss {_number(told.fleiss)}, Krippendorff "
        f"{_number(told.krippendorff)}."
    )


def _tell_reviewer(reviewer: ReviewerFigures) -> None:
    pace = (
        "no times" if reviewer.median_seconds is None else f"{reviewer.median_seconds:.1f} s each"
    )
    say("")
    say(f"{reviewer.code}: {counted(reviewer.judgements, 'judgement')}, {pace}.")
    say(
        f"  agrees with others {_share(reviewer.with_others)}, Cohen {_number(reviewer.kappa)}, "
        f"Fleiss {_number(reviewer.fleiss)}, Krippendorff {_number(reviewer.krippendorff)}"
    )
    say(f"  agrees with themselves {_share(reviewer.with_self)}")
    say(f"  accepted own evaluation answers {_share(reviewer.own_accepted)}")
    say(f"  accepted other people's answers {_share(reviewer.others_accepted)}")
    say("  consensus     said wrong  unclear  correct")
    for name, row in zip(("wrong", "unclear", "correct"), reviewer.confusion, strict=True):
        say(f"  {name:<12}{row[0]:>12,}{row[1]:>9,}{row[2]:>9,}")


def _share(share: Share) -> str:
    if share.fraction is None:
        return "(none)"
    return f"{share.fraction:.1%} ({share.count:,} of {share.total:,})"


def _percent(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"
