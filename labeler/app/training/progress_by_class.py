"""Progress by family, class and confused pair."""

from labeler.app.chart_views import (
    AccuracyLevel,
    AccuracyMapView,
    AccuracyRow,
    AccuracyTile,
    BarChartView,
    BarView,
    DataTable,
    ImageListSource,
    PairDecksView,
    TableCell,
    TableColumn,
)
from labeler.app.training.decks import DeckView
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    EMPTY_CELL,
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
from labeler.core.text import count_noun
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.families import ProgressFamily
from labeler.core.training.progress import ClassScores, ClassSetScores, ConfusedPair, week_start
from labeler.core.training.request import TrainingRequest, TrainingSource

NEVER_SEEN = "never seen"
_LOW, _HIGH = 0.6, 0.85
_NEVER_MET = (TableCell(NEVER_SEEN, 0.0), *(EMPTY_CELL,) * 4)


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


# As many as fit above the table.
_MOST_PAIRS = 6


class PairProgress:
    """Builds the decks and table of confused pairs."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._pairs = facts.pairs
        self._empty = "No two classes have been confused so far." if facts.answers else NO_ANSWERS
        self._wnids = taxonomy.class_wnids
        self._names = tuple(taxonomy.display_names[wnid] for wnid in taxonomy.class_wnids)

    def decks(self) -> PairDecksView:
        """Return the most confused pairs, each with a training on both classes."""
        return PairDecksView(
            title="Most confused pairs",
            legend="choose a pair to train on both classes",
            decks=tuple(self._deck(pair) for pair in self._pairs[:_MOST_PAIRS]),
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

    def _deck(self, pair: ConfusedPair) -> DeckView:
        both = (self._wnids[pair.one], self._wnids[pair.other])
        times = "once" if pair.times == 1 else f"{pair.times:,} times"
        return DeckView(
            title=f"{self._names[pair.one]} · {self._names[pair.other]}",
            caption=f"confused {times} in {pair.shown:,} images",
            reason="",
            pictures=both,
            request=TrainingRequest(TrainingSource.SUBTREES, both),
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
    """Builds the map, chart and table of families; the chart shows only the broad ones."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._facts = facts
        self._taxonomy = taxonomy
        self._broad = [(family, scores) for family, scores in facts.families if family.broad]

    def map(self) -> AccuracyMapView:
        """Return every family of the class map with its share right."""
        return AccuracyMapView(
            title="Share right, by family",
            rows=tuple(
                AccuracyRow(title, tuple(self._tile(*each) for each in families))
                for title, families in self._facts.by_superclass
            ),
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

    def _tile(self, family: ProgressFamily, scores: ClassSetScores) -> AccuracyTile:
        title, score = capitalise_first(family.title), scores.score
        classes = count_noun(len(family.wnids), "class", "classes")
        seen = (
            f"{format_percent(score.share)} of {score.answered:,} right"
            if score.answered
            else NEVER_SEEN
        )
        return AccuracyTile(
            title=title,
            number=format_percent(score.share),
            level=_level(score.share),
            classes=len(family.wnids),
            words=f"{title}: {seen}, {classes}",
            source=ImageListSource(title, self._part(family)) if score.answered else None,
            request=family.request,
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


def _level(share: float | None) -> AccuracyLevel:
    if share is None:
        return AccuracyLevel.NEVER_SEEN
    if share < _LOW:
        return AccuracyLevel.LOW
    return AccuracyLevel.MIDDLE if share <= _HIGH else AccuracyLevel.HIGH
