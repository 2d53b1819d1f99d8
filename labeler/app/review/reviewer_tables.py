"""The lead's tables of reviewers: pace and agreement of each, and their confusions."""

from labeler.app.data_views import Cell, Column, Table
from labeler.app.review.lead_desk import ReviewOverview
from labeler.app.review.reviewer_statistics import ReviewerFigures, Share

_NONE = "–"
_COLUMNS = (
    Column("Reviewer", numeric=False),
    Column("Judged", explained="Labels judged so far"),
    Column("Asked", explained="Labels that the plan puts to the reviewer"),
    Column("Seconds each", explained="The median active time of a verdict"),
    Column("With others", explained="Verdicts that another reviewer gave too, of those shared"),
    Column("Cohen", explained="Cohen's kappa with the other reviewers"),
    Column("Fleiss", explained="Fleiss' kappa on the labels that the reviewer shares"),
    Column("Krippendorff", explained="Krippendorff's alpha on the labels that the reviewer shares"),
    Column("With self", explained="The same verdict again, of the labels asked twice"),
    Column("Own accepted", explained="The reviewer's own evaluation answers judged correct"),
    Column("Others' accepted", explained="Other people's evaluation answers judged correct"),
)
_CONFUSED = (
    Column("Reviewer", numeric=False),
    Column("Consensus", numeric=False),
    Column("Said wrong"),
    Column("Said unclear"),
    Column("Said correct"),
)
_STATES = ("wrong", "unclear", "correct")


def reviewer_table(overview: ReviewOverview) -> Table:
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
                Cell(code, code),
                _number(done, ",d"),
                _number(planned.total if planned else None, ",d"),
                *_of(found),
            )
        )
    return Table(
        name="Reviewers",
        columns=_COLUMNS,
        rows=tuple(rows),
        empty="No review is planned yet. Set up has a step for it: Review plans.",
    )


def confusion_table(overview: ReviewOverview) -> Table:
    """What each said, by what the group came to."""
    reviewers = () if overview.figures is None else overview.figures.reviewers
    return Table(
        name="Confusion with the consensus",
        columns=_CONFUSED,
        rows=tuple(
            (
                Cell(reviewer.code, f"{reviewer.code} {place}"),
                Cell(state, place),
                *(_number(count, ",d") for count in said),
            )
            for reviewer in reviewers
            for place, (state, said) in enumerate(zip(_STATES, reviewer.confusion, strict=True))
        ),
        empty="Nobody has judged anything yet.",
    )


def _last_stage(overview: ReviewOverview) -> object:
    return overview.progress[0].stage if overview.progress else None


def _of(found: ReviewerFigures | None) -> tuple[Cell, ...]:
    if found is None:
        return tuple(_number(None, "") for _column in _COLUMNS[3:])
    return (
        _number(found.median_seconds, ".1f"),
        _share(found.with_others),
        _number(found.kappa, ".2f"),
        _number(found.fleiss, ".2f"),
        _number(found.krippendorff, ".2f"),
        _share(found.with_self),
        _share(found.own_accepted),
        _share(found.others_accepted),
    )


def _share(share: Share) -> Cell:
    if share.fraction is None:
        return Cell(_NONE, -1.0)
    return Cell(f"{share.fraction:.0%} of {share.total:,}", share.fraction)


def _number(value: float | None, form: str) -> Cell:
    return Cell(_NONE, -2.0) if value is None else Cell(format(value, form), float(value))
