"""The pairs of classes that a labeler confuses most."""

from labeler.app.data_views import Bar, Bars, Behind, Cell, Column, Table
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import NOTHING, day_name
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import Part
from labeler.core.training.progress import ConfusedPair

# More bars than this say less than the table below them.
_MOST_BARS = 8


class PairProgress:
    """Says the pairs' numbers."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._pairs = facts.pairs
        self._empty = "No two classes were confused so far." if facts.answers else NOTHING
        self._names = tuple(taxonomy.display_names[wnid] for wnid in taxonomy.class_wnids)

    def bars(self) -> Bars:
        return Bars(
            title="Pairs confused most",
            legend="mistakes between the two, of all images of both",
            bars=tuple(self._bar(pair) for pair in self._pairs[:_MOST_BARS]),
            empty=self._empty,
        )

    def table(self) -> Table:
        return Table(
            name="Confused pairs",
            columns=(
                Column("Class", numeric=False),
                Column("Other class", numeric=False),
                Column("Confused"),
                Column("Images of both"),
                Column("Last time"),
            ),
            rows=tuple(self._row(pair) for pair in self._pairs),
            empty=self._empty,
        )

    def _bar(self, pair: ConfusedPair) -> Bar:
        return Bar(
            title=f"{self._names[pair.one]} · {self._names[pair.other]}",
            part=pair.times,
            whole=pair.shown,
            words=f"{pair.times} of {pair.shown}",
            behind=self._confused(pair),
        )

    def _row(self, pair: ConfusedPair) -> tuple[Cell, ...]:
        one, other = self._names[pair.one], self._names[pair.other]
        both = Behind(f"{one} and {other}", Part(targets=frozenset((pair.one, pair.other))))
        return (
            Cell(one, one.casefold(), both),
            Cell(other, other.casefold(), both),
            Cell(str(pair.times), float(pair.times), self._confused(pair)),
            Cell(str(pair.shown), float(pair.shown), both),
            Cell(day_name(pair.last_day), float(pair.last_day)),
        )

    def _confused(self, pair: ConfusedPair) -> Behind:
        heading = f"{self._names[pair.one]} and {self._names[pair.other]}, confused"
        return Behind(heading, Part(pair=(pair.one, pair.other), only_missed=True))
