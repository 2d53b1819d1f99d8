"""Progress by family, class and confused pair."""

from labeler.app.chart_views import (
    BarChartView,
    BarView,
    DataTable,
    ImageListSource,
    TableCell,
    TableColumn,
)
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    EMPTY_CELL,
    LAST_WEEK,
    LAST_WEEK_COLUMNS,
    NO_ANSWERS,
    SCORE_COLUMNS,
    capitalise_first,
    format_day,
    format_percent,
    last_week_cells,
    score_cells,
)
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.families import ProgressFamily
from labeler.core.training.progress import ClassScores, ClassSetScores, ConfusedPair, week_start

_NEVER_MET = (TableCell("never seen", 0.0), *(EMPTY_CELL,) * 4)


def class_progress_table(facts: ProgressFacts, taxonomy: Taxonomy) -> DataTable:
    ranked = sorted(facts.classes, key=lambda it: (it.score.answered, -it.score.missed))
    return DataTable(
        name="Classes",
        columns=(
            TableColumn("Class", numeric=False),
            *SCORE_COLUMNS,
            *LAST_WEEK_COLUMNS,
            TableColumn("Training images"),
        ),
        rows=tuple(_row(scores, facts, taxonomy) for scores in ranked),
        empty="This study has no training images.",
    )


def _row(scores: ClassScores, facts: ProgressFacts, taxonomy: Taxonomy) -> tuple[TableCell, ...]:
    wnid = taxonomy.class_wnids[scores.index]
    name, images = taxonomy.display_names[wnid], facts.offered.get(wnid, 0)
    offered = TableCell(str(images), float(images))
    if not scores.score.answered:
        return (TableCell(name, name.casefold()), *_NEVER_MET, offered)
    part = TrainingFilter(targets=frozenset((scores.index,)))
    since = week_start(facts.today.toordinal())
    return (
        TableCell(name, name.casefold(), ImageListSource(name, part)),
        *score_cells(scores.score, name, part),
        *last_week_cells(scores.lately, name, part, since=since),
        offered,
    )


# With more bars, the table below would be clearer.
_MOST_BARS = 8


class PairProgress:
    """Builds the chart and table of confused pairs."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._pairs = facts.pairs
        self._empty = "No two classes have been confused so far." if facts.answers else NO_ANSWERS
        self._names = tuple(taxonomy.display_names[wnid] for wnid in taxonomy.class_wnids)

    def bars(self) -> BarChartView:
        return BarChartView(
            title="Most confused pairs",
            legend="mistakes among all images of the two classes",
            bars=tuple(self._bar(pair) for pair in self._pairs[:_MOST_BARS]),
            empty=self._empty,
        )

    def table(self) -> DataTable:
        return DataTable(
            name="Confused pairs",
            columns=(
                TableColumn("Class", numeric=False),
                TableColumn("Other class", numeric=False),
                TableColumn("Confused"),
                TableColumn("Images of both"),
                TableColumn("Last time"),
            ),
            rows=tuple(self._row(pair) for pair in self._pairs),
            empty=self._empty,
        )

    def _bar(self, pair: ConfusedPair) -> BarView:
        return BarView(
            title=f"{self._names[pair.one]} · {self._names[pair.other]}",
            part=pair.times,
            total=pair.shown,
            words=f"{pair.times} of {pair.shown}",
            source=self._confused(pair),
        )

    def _row(self, pair: ConfusedPair) -> tuple[TableCell, ...]:
        one, other = self._names[pair.one], self._names[pair.other]
        both = ImageListSource(
            f"{one} and {other}", TrainingFilter(targets=frozenset((pair.one, pair.other)))
        )
        return (
            TableCell(one, one.casefold(), both),
            TableCell(other, other.casefold(), both),
            TableCell(str(pair.times), float(pair.times), self._confused(pair)),
            TableCell(str(pair.shown), float(pair.shown), both),
            TableCell(format_day(pair.last_day), float(pair.last_day)),
        )

    def _confused(self, pair: ConfusedPair) -> ImageListSource:
        heading = f"{self._names[pair.one]} and {self._names[pair.other]}, confused"
        return ImageListSource(
            heading, TrainingFilter(pair=(pair.one, pair.other), only_missed=True)
        )


class FamilyProgress:
    """Builds the charts and table of families; the charts show only the broad ones."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._facts = facts
        self._taxonomy = taxonomy
        self._broad = [(family, scores) for family, scores in facts.families if family.broad]

    def bars(self) -> BarChartView:
        return BarChartView(
            title="Share right, by family",
            legend="all answers",
            mark=LAST_WEEK,
            bars=tuple(self._bar(f, scores) for f, scores in self._broad if scores.score.answered),
            empty=NO_ANSWERS,
        )

    def coverage(self) -> BarChartView:
        """Return how many of each family's classes were seen."""
        return BarChartView(
            title="Classes seen, by family",
            legend="classes of which an image was answered",
            bars=tuple(self._coverage(family, scores) for family, scores in self._broad),
            empty="This study has no training images.",
        )

    def table(self) -> DataTable:
        met = [(family, scores) for family, scores in self._facts.families if scores.met]
        ranked = sorted(met, key=lambda it: (-it[1].score.missed, it[0].title.casefold()))
        return DataTable(
            name="Families",
            columns=(
                TableColumn("Family", numeric=False),
                *SCORE_COLUMNS,
                *LAST_WEEK_COLUMNS,
                TableColumn("Classes seen"),
            ),
            rows=tuple(self._row(family, scores) for family, scores in ranked),
            empty=NO_ANSWERS,
        )

    def _bar(self, family: ProgressFamily, scores: ClassSetScores) -> BarView:
        return BarView(
            title=capitalise_first(family.title),
            part=scores.score.right,
            total=scores.score.answered,
            words=f"{format_percent(scores.score.share)} of {scores.score.answered}",
            mark=scores.lately.share,
            source=ImageListSource(capitalise_first(family.title), self._part(family)),
        )

    def _coverage(self, family: ProgressFamily, scores: ClassSetScores) -> BarView:
        classes = self._classes(family, scores)
        return BarView(
            title=capitalise_first(family.title),
            part=scores.met,
            total=classes,
            words=f"{scores.met} of {classes}",
            source=ImageListSource(capitalise_first(family.title), self._part(family)),
        )

    def _row(self, family: ProgressFamily, scores: ClassSetScores) -> tuple[TableCell, ...]:
        name, part = capitalise_first(family.title), self._part(family)
        since = week_start(self._facts.today.toordinal())
        classes = self._classes(family, scores)
        return (
            TableCell(
                f"{name} (all)" if family.broad else name,
                name.casefold(),
                ImageListSource(name, part),
            ),
            *score_cells(scores.score, name, part),
            *last_week_cells(scores.lately, name, part, since=since),
            TableCell(f"{scores.met} of {classes}", scores.met / classes),
        )

    def _classes(self, family: ProgressFamily, scores: ClassSetScores) -> int:
        """Return how many classes can be seen; classes that left the pool later still count."""
        offered = sum(wnid in self._facts.offered for wnid in family.wnids)
        return max(offered, scores.met, 1)

    def _part(self, family: ProgressFamily) -> TrainingFilter:
        return TrainingFilter(
            targets=frozenset(self._taxonomy.index_of(wnid) for wnid in family.wnids)
        )
