"""Progress by family: how much was right, and how many of its classes were met."""

from labeler.app.data_views import Bar, Bars, Behind, Cell, Column, Table
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    LATELY,
    LATELY_COLUMNS,
    NOTHING,
    SCORE_COLUMNS,
    capital,
    lately_cells,
    percent,
    score_cells,
)
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import Part
from labeler.core.training.families import ProgressFamily
from labeler.core.training.progress import SetScores, week_before


class FamilyProgress:
    """Says the numbers of families; the broad ones are drawn, all are in the table."""

    def __init__(self, facts: ProgressFacts, taxonomy: Taxonomy) -> None:
        self._facts = facts
        self._taxonomy = taxonomy
        self._broad = [(family, scores) for family, scores in facts.families if family.broad]

    def bars(self) -> Bars:
        return Bars(
            title="Share right, by family",
            legend="all answers",
            mark=LATELY,
            bars=tuple(self._bar(f, scores) for f, scores in self._broad if scores.score.answered),
            empty=NOTHING,
        )

    def coverage(self) -> Bars:
        """How many of each family's classes were met."""
        return Bars(
            title="Classes met, by family",
            legend="classes of which an image was answered",
            bars=tuple(self._coverage(family, scores) for family, scores in self._broad),
            empty="This study has no training images.",
        )

    def table(self) -> Table:
        met = [(family, scores) for family, scores in self._facts.families if scores.met]
        ranked = sorted(met, key=lambda it: (-it[1].score.missed, it[0].title.casefold()))
        return Table(
            name="Families",
            columns=(
                Column("Family", numeric=False),
                *SCORE_COLUMNS,
                *LATELY_COLUMNS,
                Column("Classes met"),
            ),
            rows=tuple(self._row(family, scores) for family, scores in ranked),
            empty=NOTHING,
        )

    def _bar(self, family: ProgressFamily, scores: SetScores) -> Bar:
        return Bar(
            title=capital(family.title),
            part=scores.score.right,
            whole=scores.score.answered,
            words=f"{percent(scores.score.share)} of {scores.score.answered}",
            mark=scores.lately.share,
            behind=Behind(capital(family.title), self._part(family)),
        )

    def _coverage(self, family: ProgressFamily, scores: SetScores) -> Bar:
        whole = self._classes(family, scores)
        return Bar(
            title=capital(family.title),
            part=scores.met,
            whole=whole,
            words=f"{scores.met} of {whole}",
            behind=Behind(capital(family.title), self._part(family)),
        )

    def _row(self, family: ProgressFamily, scores: SetScores) -> tuple[Cell, ...]:
        name, part = capital(family.title), self._part(family)
        since = week_before(self._facts.today.toordinal())
        whole = self._classes(family, scores)
        return (
            Cell(f"{name} (all)" if family.broad else name, name.casefold(), Behind(name, part)),
            *score_cells(scores.score, name, part),
            *lately_cells(scores.lately, name, part, since=since),
            Cell(f"{scores.met} of {whole}", scores.met / whole),
        )

    def _classes(self, family: ProgressFamily, scores: SetScores) -> int:
        """How many classes could be met; one that left the pool after it was met still counts."""
        offered = sum(wnid in self._facts.offered for wnid in family.wnids)
        return max(offered, scores.met, 1)

    def _part(self, family: ProgressFamily) -> Part:
        return Part(targets=frozenset(self._taxonomy.index_of(wnid) for wnid in family.wnids))
