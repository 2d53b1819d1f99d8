"""The pairs of classes that a labeler confuses most."""

from labeler.app.data_views import (
    BarChartView,
    BarView,
    DataTable,
    ImageListSource,
    TableCell,
    TableColumn,
)
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import NO_ANSWERS, format_day
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.progress import ConfusedPair

# More bars than this say less than the table below them.
_MOST_BARS = 8


class PairProgress:
    """Says the pairs' numbers."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._pairs = facts.pairs
        self._empty = "No two classes were confused so far." if facts.answers else NO_ANSWERS
        self._names = tuple(taxonomy.display_names[wnid] for wnid in taxonomy.class_wnids)

    def bars(self) -> BarChartView:
        return BarChartView(
            title="Pairs confused most",
            legend="mistakes between the two, of all images of both",
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
            whole=pair.shown,
            words=f"{pair.times} of {pair.shown}",
            behind=self._confused(pair),
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
