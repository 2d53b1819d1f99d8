"""The lead's tables of reviewers: pace and agreement of each, and their confusions."""

from labeler.app.data_views import DataTable, TableCell, TableColumn
from labeler.app.review.lead_desk import ReviewOverview
from labeler.app.review.reviewer_statistics import ReviewerStatistics, Share

_NONE = "–"
_COLUMNS = (
    TableColumn("Reviewer", numeric=False),
    TableColumn("Judged", explained="Labels judged so far"),
    TableColumn("Asked", explained="Labels that the plan puts to the reviewer"),
    TableColumn("Seconds each", explained="The median active time of a verdict"),
    TableColumn(
        "With others", explained="Verdicts that another reviewer gave too, of those shared"
    ),
    TableColumn("Cohen", explained="Cohen's kappa with the other reviewers"),
    TableColumn("Fleiss", explained="Fleiss' kappa on the labels that the reviewer shares"),
    TableColumn(
        "Krippendorff", explained="Krippendorff's alpha on the labels that the reviewer shares"
    ),
    TableColumn("With self", explained="The same verdict again, of the labels asked twice"),
    TableColumn("Own accepted", explained="The reviewer's own evaluation answers judged correct"),
    TableColumn("Others' accepted", explained="Other people's evaluation answers judged correct"),
)
_CONFUSED = (
    TableColumn("Reviewer", numeric=False),
    TableColumn("Consensus", numeric=False),
    TableColumn("Said wrong"),
    TableColumn("Said unclear"),
    TableColumn("Said correct"),
)
_STATES = ("wrong", "unclear", "correct")


def reviewer_table(overview: ReviewOverview) -> DataTable:
    """A row for everybody of whom something is asked, at the stage that the figures are of."""
    figures = {} if overview.figures is None else {r.code: r for r in overview.figures.reviewers}
    stage = overview.figures.stage if overview.figures else _last_stage(overview)
    progress = {one.code: one for one in overview.progress if one.stage is stage}
    rows = []
    for code in sorted(progress.keys() | figures.keys()):
        planned, found = progress.get(code), figures.get(code)
        done = planned.done if planned else found.judgements if found else 0
        rows.append(
            (
                TableCell(code, code),
                _formatted_number(done, ",d"),
                _formatted_number(planned.total if planned else None, ",d"),
                *_of(found),
            )
        )
    return DataTable(
        name="Reviewers",
        columns=_COLUMNS,
        rows=tuple(rows),
        empty="No review is planned yet. Set up has a step for it: Review plans.",
    )


def confusion_table(overview: ReviewOverview) -> DataTable:
    """What each said, by what the group came to."""
    reviewers = () if overview.figures is None else overview.figures.reviewers
    return DataTable(
        name="Confusion with the consensus",
        columns=_CONFUSED,
        rows=tuple(
            (
                TableCell(reviewer.code, f"{reviewer.code} {place}"),
                TableCell(state, place),
                *(_formatted_number(count, ",d") for count in said),
            )
            for reviewer in reviewers
            for place, (state, said) in enumerate(zip(_STATES, reviewer.confusion, strict=True))
        ),
        empty="Nobody has judged anything yet.",
    )


def _last_stage(overview: ReviewOverview) -> object:
    return overview.progress[0].stage if overview.progress else None


def _of(found: ReviewerStatistics | None) -> tuple[TableCell, ...]:
    if found is None:
        return tuple(_formatted_number(None, "") for _column in _COLUMNS[3:])
    return (
        _formatted_number(found.median_seconds, ".1f"),
        _share(found.with_others),
        _formatted_number(found.kappa, ".2f"),
        _formatted_number(found.fleiss, ".2f"),
        _formatted_number(found.krippendorff, ".2f"),
        _share(found.with_self),
        _share(found.own_accepted),
        _share(found.others_accepted),
    )


def _share(share: Share) -> TableCell:
    if share.fraction is None:
        return TableCell(_NONE, -1.0)
    return TableCell(f"{share.fraction:.0%} of {share.total:,}", share.fraction)


def _formatted_number(value: float | None, form: str) -> TableCell:
    return TableCell(_NONE, -2.0) if value is None else TableCell(format(value, form), float(value))
