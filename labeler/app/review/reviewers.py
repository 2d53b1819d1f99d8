"""The lead's view of the reviewers, and the choice of a resolution rule."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.app.chart_views import DataTable, TableCell, TableColumn
from labeler.app.confirmation import Confirmation
from labeler.app.review.resolution import (
    RESOLVE_AGAIN,
    ResolutionReport,
    ResolutionSettings,
    ReviewCoverage,
    settings_of,
)
from labeler.app.review.reviewer_statistics import (
    LeadReview,
    ReviewerStatistics,
    ReviewOverview,
    Share,
)
from labeler.app.runner import Runner
from labeler.core.review.dawid_skene import DEFAULT_THRESHOLD, Truth
from labeler.core.review.label_changes import LabelChanges, LabelCounts
from labeler.core.study.entities import ResolutionRule, Stage

RESOLVE_EARLY = "The report would use multi-labels from these verdicts only."
NOTHING_JUDGED = "No label has been judged yet."
_NONE = "–"
_COLUMNS = (
    TableColumn("Reviewer", numeric=False),
    TableColumn("Judged", explained="Labels judged so far"),
    TableColumn("Asked", explained="Labels that the plan assigns to the reviewer"),
    TableColumn("Seconds", explained="The median active time of a verdict"),
    TableColumn(
        "With others", explained="The same verdict as another reviewer, of the shared labels"
    ),
    TableColumn("Cohen", explained="Cohen's kappa with the other reviewers"),
    TableColumn("Fleiss", explained="Fleiss' kappa on the shared labels"),
    TableColumn("Alpha", explained="Krippendorff's alpha on the shared labels"),
    TableColumn("With self", explained="The same verdict again, of the repeated labels"),
    TableColumn("Own accepted", explained="The reviewer's own evaluation answers judged correct"),
    TableColumn("Others' accepted", explained="Other people's evaluation answers judged correct"),
    TableColumn(
        "Decoys accepted",
        explained="False acceptances: decoys judged correct by this reviewer and no other",
    ),
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
    """Return a row for everyone with a plan or verdicts, for the stage of the statistics."""
    figures = {} if overview.figures is None else {r.code: r for r in overview.figures.reviewers}
    stage = overview.figures.stage if overview.figures else _last_stage(overview)
    progress = {
        reviewer.code: reviewer for reviewer in overview.progress if reviewer.stage is stage
    }
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
        empty="No review is planned yet. Plan one in Set up, step “Review plans”.",
    )


def confusion_table(overview: ReviewOverview) -> DataTable:
    """Return each reviewer's verdicts by consensus."""
    reviewers = () if overview.figures is None else overview.figures.reviewers
    return DataTable(
        name="Confusion with the other reviewers' consensus",
        columns=_CONFUSED,
        rows=tuple(
            (
                TableCell(reviewer.code, f"{reviewer.code} {order}"),
                TableCell(state, order),
                *(_formatted_number(count, ",d") for count in counts),
            )
            for reviewer in reviewers
            for order, (state, counts) in enumerate(zip(_STATES, reviewer.confusion, strict=True))
        ),
        empty=NOTHING_JUDGED,
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
        _share(found.decoys_accepted),
    )


def _share(share: Share) -> TableCell:
    if share.fraction is None:
        return TableCell(_NONE, -1.0)
    return TableCell(f"{share.fraction:.0%} of {share.total:,}", share.fraction)


def _formatted_number(value: float | None, form: str) -> TableCell:
    return TableCell(_NONE, -2.0) if value is None else TableCell(format(value, form), float(value))


RULE_DESCRIPTIONS = {
    ResolutionRule.SINGLE: "the verdict of one reviewer",
    ResolutionRule.MAJORITY: "the verdict of most of a label's reviewers, otherwise unclear",
    ResolutionRule.UNANIMOUS: "the verdict of all of a label's reviewers, otherwise unclear",
    ResolutionRule.ADJUDICATED: "the group's verdict if there is one, otherwise unanimity",
    ResolutionRule.DAWID_SKENE: "the probable state, given the reliability of each reviewer",
}
RULE_NAMES = {
    ResolutionRule.SINGLE: "One reviewer",
    ResolutionRule.MAJORITY: "Majority",
    ResolutionRule.UNANIMOUS: "Unanimous",
    ResolutionRule.ADJUDICATED: "Adjudicated",
    ResolutionRule.DAWID_SKENE: "Dawid–Skene",
}
TRUTH_NAMES = {
    Truth.BINARY: "Wrong or correct",
    Truth.THREE: "Wrong, unclear or correct",
}
assert set(TRUTH_NAMES) == set(Truth), "every truth has a name"
assert set(RULE_DESCRIPTIONS) == set(RULE_NAMES) == set(ResolutionRule), (
    "every rule has a name and a description"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewersView:
    """The state of the screen; `outcome` is what the rule would give, or gave."""

    summary: tuple[str, ...] = ()
    table: DataTable | None = None
    confusion: DataTable | None = None
    reviewers: tuple[str, ...] = ()
    stage: Stage | None = None
    stages: tuple[Stage, ...] = ()
    rule: ResolutionRule = ResolutionRule.MAJORITY
    truth: Truth = Truth.BINARY
    threshold: float = DEFAULT_THRESHOLD
    coverage: ReviewCoverage | None = None
    outcome: str = ""
    trouble: str = ""
    busy: bool = False

    @property
    def can_resolve(self) -> bool:
        return bool(self.reviewers) and not self.busy

    @property
    def confirmation(self) -> Confirmation | None:
        """What to ask before resolving, if few of the planned labels are judged."""
        if self.coverage is None or not self.coverage.is_low:
            return None
        words = f"{self.coverage.sentence()} {RESOLVE_EARLY} {RESOLVE_AGAIN}"
        return Confirmation("Resolve now?", words, "Resolve")


class Reviewers:
    """Presents the reviewers; results for a rule that is no longer chosen are dropped."""

    def __init__(
        self,
        lead_review: LeadReview,
        *,
        runner: Runner,
        describe_error: Callable[[Exception], str],
    ) -> None:
        self._lead_review, self._runner, self._describe_error = lead_review, runner, describe_error
        self._show: Callable[[ReviewersView], None] = lambda _view: None
        self._settings = settings_of(None)
        self._stage: Stage | None = None
        self.view = ReviewersView()

    def listen(self, show: Callable[[ReviewersView], None]) -> None:
        self._show = show

    def close(self) -> None:
        """Stop rendering: the screen is closed."""
        self._show = lambda _view: None

    def open(self) -> None:
        self._runner.run(
            "read reviewer statistics",
            self._lead_review.overview,
            done=self._overview_arrived,
            failed=self._failed,
        )

    def show_stage(self, stage: Stage) -> None:
        """Show another stage; the rule and its result are over all verdicts."""
        self._stage = stage
        self._runner.run(
            "read reviewer statistics of stage",
            lambda: self._lead_review.overview(stage),
            done=lambda overview: self._stage_arrived(stage, overview),
            failed=self._failed,
        )

    def choose(self, settings: ResolutionSettings) -> None:
        """Choose a rule with its options, and preview its result."""
        self._settings = settings
        self._render(
            replace(
                self.view,
                rule=settings.rule,
                truth=settings.effective_truth or self.view.truth,
                threshold=settings.effective_threshold or self.view.threshold,
                outcome="Calculating…",
                trouble="",
            )
        )
        self._runner.run(
            "preview resolution",
            lambda: self._lead_review.preview(settings),
            done=lambda report: self._previewed(settings, report),
            failed=lambda error: self._failed(error, settings),
        )

    def resolve(self, probabilities: Path | None = None) -> None:
        """Resolve by the chosen rule, and record it."""
        if not self.view.can_resolve:
            return
        settings, stage = replace(self._settings, probabilities=probabilities), self._stage
        self._render(replace(self.view, busy=True, outcome="Resolving…", trouble=""))
        self._runner.run(
            "resolve verdicts",
            lambda: (self._lead_review.resolve(settings), self._lead_review.overview(stage)),
            done=lambda answer: self._resolved(settings, *answer),
            failed=self._failed,
        )

    def _overview_arrived(self, overview: ReviewOverview) -> None:
        self._render(_with(self.view, overview))
        if self.view.reviewers:
            self.choose(settings_of(overview.last))

    def _stage_arrived(self, stage: Stage, overview: ReviewOverview) -> None:
        if stage is self._stage:
            self._render(_with(self.view, overview))

    def _previewed(self, settings: ResolutionSettings, report: ResolutionReport) -> None:
        if settings is self._settings and not self.view.busy:
            outcome = f"Would give {_given(report)}"
            self._render(replace(self.view, coverage=report.coverage, outcome=outcome))

    def _resolved(
        self, settings: ResolutionSettings, report: ResolutionReport, overview: ReviewOverview
    ) -> None:
        written = (
            f" The probabilities are in {settings.probabilities}." if settings.probabilities else ""
        )
        message = f"Resolved by the rule {settings.rule}: {_given(report)}{written}"
        self._render(
            replace(
                _with(self.view, overview),
                busy=False,
                coverage=report.coverage,
                outcome=message,
            )
        )

    def _failed(self, error: Exception, settings: ResolutionSettings | None = None) -> None:
        if settings is None or settings is self._settings:
            self._render(
                replace(self.view, busy=False, outcome="", trouble=self._describe_error(error))
            )

    def _render(self, view: ReviewersView) -> None:
        self.view = view
        self._show(view)


def _with(view: ReviewersView, overview: ReviewOverview) -> ReviewersView:
    figures = overview.figures
    return replace(
        view,
        summary=_summary(overview),
        table=reviewer_table(overview),
        confusion=confusion_table(overview),
        stage=None if figures is None else figures.stage,
        stages=overview.stages,
        reviewers=() if figures is None else tuple(reviewer.code for reviewer in figures.reviewers),
    )


def _summary(overview: ReviewOverview) -> tuple[str, ...]:
    figures = overview.figures
    if figures is None:
        return (NOTHING_JUDGED,)
    recorded = figures.agreement
    if recorded.units:
        agreement = (
            f"{recorded.raters} reviewers share {recorded.units:,} labels of the "
            f"{figures.stage} review. Their blind agreement is {_percent(recorded.percent)}: "
            f"Cohen {_number(recorded.cohen)}, Fleiss {_number(recorded.fleiss)}, "
            f"Krippendorff {_number(recorded.krippendorff)}."
        )
    else:
        agreement = "No two reviewers judged the same label, so their agreement can't be measured."
    labels = () if figures.labels is None else (_labels(figures.labels, figures.changes),)
    return (agreement, *labels, f"Confusions are relative to {figures.consensus}.")


def _labels(labels: LabelCounts, changes: LabelChanges | None) -> str:
    several = labels.sentence()
    if changes is None:
        return several
    return (
        f"{several} Since the initial review {changes.unchanged:,} images are unchanged, "
        f"{changes.added:,} gained labels, and {changes.modified:,} are modified."
    )


def _given(report: ResolutionReport) -> str:
    done = report.resolution
    states = f"{done.correct:,} correct, {done.wrong:,} wrong, {done.unclear:,} unclear"
    unsettled = f" ({done.unsettled:,} by disagreement)" if done.unsettled else ""
    still = (
        "" if report.converged else f" The estimate had not converged after {report.steps} steps."
    )
    open_ones = f", {done.open:,} open" if done.open else ""
    planned = f" {report.coverage.sentence()}" if report.coverage.planned else ""
    labels = _labels(report.labels, report.changes)
    return f"{states}{unsettled}{open_ones}.{planned} {labels}{still}"


def _percent(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.0%}"


def _number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.2f}"
