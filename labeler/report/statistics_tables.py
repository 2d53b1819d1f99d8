"""The tables of tests, fits, agreement and time."""

from collections.abc import Iterator

from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.vocabulary import Together
from labeler.report.cells import METRIC_TITLES, Cells
from labeler.report.table import NONE, Column, Table, p_text, percent, signed, text_column


def mcnemar(cells: Cells) -> Iterator[Table]:
    """Everybody against each human; models among themselves are in report.json."""
    metric, humans = cells.main_metric, set(cells.numbers.study.humans)
    for number, dataset in enumerate(cells.datasets, start=1):
        yield Table(
            key=f"mcnemar-{number}",
            title=f"McNemar’s test on {dataset}, {METRIC_TITLES[metric].lower()}",
            note="Exact and two-sided, on the images both answered; pairs with a human.",
            columns=(
                text_column("A"),
                text_column("B"),
                *map(Column, ("Images", "Only A correct", "Only B correct", "p")),
            ),
            rows=tuple(
                (
                    cells.called(row.a),
                    cells.called(row.b),
                    f"{row.images:,}",
                    str(row.only_a_correct),
                    str(row.only_b_correct),
                    p_text(row.p_value),
                )
                for row in cells.numbers.mcnemar
                if (row.dataset, row.metric, row.subset) == (dataset, metric, ALL)
                and row.a in humans
            ),
        )


def resampling(cells: Cells) -> Table:
    metric = cells.main_metric
    shown = (*cells.numbers.study.humans, str(Together.MEAN))
    return Table(
        key="class-resampling",
        title="Class resampling: is a subset special?",
        note=f"{METRIC_TITLES[metric]} accuracy; change against all images in percentage points; "
        "p = (k + 1)/(trials + 1).",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            text_column("Subset"),
            *map(Column, ("Classes", "Change", "As large", "Trials", "p")),
        ),
        rows=tuple(
            (
                cells.called(row.participant),
                row.dataset,
                cells.titles[row.subset],
                str(row.classes),
                signed(row.change),
                str(row.trials_at_least_as_large),
                f"{row.trials:,}",
                p_text(row.p_value),
            )
            for row in cells.numbers.class_resampling
            if row.metric is metric
            and row.participant in shown
            and not row.subset.startswith("superclass:")
        ),
    )


def fits(cells: Cells) -> Table:
    def ends(interval: tuple[float, float] | None) -> str:
        return NONE if interval is None else f"[{interval[0]:.2f}, {interval[1]:.2f}]"

    return Table(
        key="fits",
        title="Fits of new against original accuracy over the models",
        note="Least squares; 95 % percentile bootstrap over the models.",
        columns=(
            *map(text_column, ("Metric", "Subset", "Scale")),
            *map(Column, ("Models", "Slope", "Slope, 95 %", "Intercept", "Intercept, 95 %")),
            Column("Degenerate"),
        ),
        rows=tuple(
            (
                METRIC_TITLES[fit.metric],
                cells.titles[fit.subset],
                str(fit.scale),
                str(fit.models),
                f"{fit.slope:.3f}".replace("-", "−"),
                ends(fit.slope_ci),
                f"{fit.intercept:.3f}".replace("-", "−"),
                ends(fit.intercept_ci),
                str(fit.degenerate),
            )
            for fit in cells.numbers.fits
            if not fit.subset.startswith("superclass:")
        ),
    )


def times(cells: Cells) -> Table:
    return Table(
        key="times",
        title="Active time",
        note="Of the evaluation, all visits to an image together.",
        columns=(text_column("Participant"), *map(Column, ("Answers", "Median, s", "Total, h"))),
        rows=tuple(
            (
                cells.called(row.participant),
                f"{row.trials:,}",
                f"{row.median_active_seconds:.1f}",
                f"{row.total_active_hours:.2f}",
            )
            for row in cells.numbers.timing.per_participant
        ),
    )


def agreement(cells: Cells) -> Table:
    found = (("Humans", cells.numbers.agreement), ("Reviewers", cells.contents.reviews.agreement))
    return Table(
        key="agreement",
        title="Agreement",
        note="Percent agreement is of pairs of answers to one image; kappas and alpha are nominal.",
        columns=(
            text_column("Among"),
            *map(Column, ("Raters", "Units", "Percent", "Cohen", "Fleiss", "Krippendorff")),
        ),
        rows=tuple(
            (
                who,
                str(figures.raters),
                f"{figures.units:,}",
                NONE if figures.percent is None else percent(figures.percent),
                *(
                    NONE if value is None else f"{value:.3f}".replace("-", "−")
                    for value in (figures.cohen, figures.fleiss, figures.krippendorff)
                ),
            )
            for who, figures in found
            if figures is not None and figures.units
        ),
    )


def consistency(cells: Cells) -> Table:
    metric = cells.main_metric
    return Table(
        key="error-consistency",
        title=f"Error consistency of humans and models, {METRIC_TITLES[metric].lower()}",
        note="Kappa of being right or wrong on the same images beyond chance.",
        columns=(
            *map(text_column, ("Human", "Model", "Dataset")),
            *map(Column, ("Images", "Observed", "By chance", "Kappa")),
        ),
        rows=tuple(
            (
                cells.called(row.human),
                cells.called(row.model),
                row.dataset,
                f"{row.images:,}",
                percent(row.observed),
                percent(row.expected),
                NONE if row.kappa is None else f"{row.kappa:.3f}".replace("-", "−"),
            )
            for row in cells.numbers.error_consistency
            if row.metric is metric
        ),
    )


def coverage(cells: Cells) -> Table:
    return Table(
        key="coverage",
        title="How many evaluated images each participant answered",
        note="Accuracies are over the images answered.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(Column, ("Answered", "Evaluated")),
        ),
        rows=tuple(
            (cells.called(row.participant), row.dataset, f"{row.answered:,}", f"{row.evaluated:,}")
            for row in cells.numbers.coverage
        ),
    )
