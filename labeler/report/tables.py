"""The tables of a report, in the form of the papers."""

from labeler.core.metrics.subsets import ALL
from labeler.report import accuracy_tables, statistics_tables, subset_tables
from labeler.report.cells import METRIC_TITLES, Cells
from labeler.report.table import NONE, Column, Table, percent, signed, text_column, with_interval


def tables(cells: Cells) -> list[Table]:
    """All that have a row, in the order of a paper."""
    made = [
        _datasets(cells),
        *accuracy_tables.compared(cells),
        *subset_tables.side_by_side(cells),
        *subset_tables.superclasses(cells),
        *subset_tables.named(cells),
        _models(cells),
        _hatches(cells),
        _exposures(cells),
        accuracy_tables.conventions(cells),
        *statistics_tables.mcnemar(cells),
        statistics_tables.resampling(cells),
        statistics_tables.fits(cells),
        statistics_tables.times(cells),
        statistics_tables.agreement(cells),
        statistics_tables.consistency(cells),
        accuracy_tables.all_images(cells),
        statistics_tables.coverage(cells),
    ]
    return [table for table in made if table.rows]


def _datasets(cells: Cells) -> Table:
    columns = ("Images", "Base", "Evaluated", "Problematic", "No correct label", "Unjudged")
    several = ("Multi-label images", "Labels each")
    return Table(
        key="datasets",
        title="Datasets",
        note="Problematic images and those judged with no label correct are in no accuracy; "
        "unjudged ones are left out of the multi-label metrics only.",
        columns=(text_column("Dataset"), *map(Column, columns + several)),
        rows=tuple(
            (
                tally.dataset,
                *(
                    f"{count:,}"
                    for count in (
                        tally.images,
                        tally.base,
                        tally.evaluated,
                        tally.problematic,
                        tally.without_correct_label,
                        tally.unjudged,
                        tally.multi_label_images,
                    )
                ),
                NONE
                if tally.mean_labels_of_multi_label_images is None
                else f"{tally.mean_labels_of_multi_label_images:.2f}",
            )
            for tally in cells.numbers.datasets
        ),
    )


def _models(cells: Cells) -> Table:
    metric = cells.main_metric
    rows = [
        (
            cells.called(gap.participant),
            str(gap.rank_original),
            str(gap.rank_new),
            f"{gap.rank_change:+d}".replace("-", "−") if gap.rank_change else "0",
            percent(gap.original),
            percent(gap.new),
            signed(gap.gap),
        )
        for gap in cells.numbers.gaps
        if (gap.subset, gap.metric) == (ALL, metric) and gap.kind == "model"
    ]
    return Table(
        key="models",
        title=f"Models by rank: {METRIC_TITLES[metric].lower()} accuracy",
        note="Ranks are among the models; equal accuracies share the lowest rank.",
        columns=(
            text_column("Model"),
            *map(Column, ("Rank, original", "Rank, new", "Change", "Original", "New", "Gap")),
        ),
        rows=tuple(sorted(rows, key=lambda row: int(row[1]))),
    )


def _hatches(cells: Cells) -> Table:
    return Table(
        key="escape-hatches",
        title="Escape hatches",
        note="Multi-label accuracy in percent, as given and with the alternative in its place.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(Column, ("Used", "Accuracy", "Imputed")),
        ),
        rows=tuple(
            (
                cells.called(row.participant),
                row.dataset,
                str(row.used),
                percent(row.accuracy),
                percent(row.accuracy_imputed),
            )
            for row in cells.numbers.escape_hatches
        ),
    )


def _exposures(cells: Cells) -> Table:
    return Table(
        key="earlier-exposure",
        title="Accuracy by earlier exposure",
        note="Images that the person had trained on, reviewed or declared to know before the "
        "evaluation was locked, and the others; with exact 95 % Clopper–Pearson intervals.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            text_column("Metric"),
            text_column("Seen before"),
            *map(Column, ("Images", "Accuracy")),
        ),
        rows=tuple(
            (
                cells.called(row.participant),
                row.dataset,
                METRIC_TITLES[row.metric],
                "yes" if row.seen_before else "no",
                f"{row.total:,}",
                with_interval(row.accuracy, row.ci_low, row.ci_high),
            )
            for row in cells.numbers.by_exposure
        ),
    )
