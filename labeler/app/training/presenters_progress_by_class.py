"""Every class that training offers, those never met first."""

from labeler.app.data_views import Behind, Cell, Column, Table
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    LATELY_COLUMNS,
    NO_CELL,
    SCORE_COLUMNS,
    lately_cells,
    score_cells,
)
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import Part
from labeler.core.training.progress import ClassScores, week_before

_NEVER_MET = (Cell("never met", 0.0), *(NO_CELL,) * 4)


def class_table(facts: ProgressFacts, taxonomy: Taxonomy) -> Table:
    ranked = sorted(facts.classes, key=lambda it: (it.score.answered, -it.score.missed))
    return Table(
        name="Classes",
        columns=(
            Column("Class", numeric=False),
            *SCORE_COLUMNS,
            *LATELY_COLUMNS,
            Column("Training images"),
        ),
        rows=tuple(_row(scores, facts, taxonomy) for scores in ranked),
        empty="This study has no training images.",
    )


def _row(scores: ClassScores, facts: ProgressFacts, taxonomy: Taxonomy) -> tuple[Cell, ...]:
    wnid = taxonomy.class_wnids[scores.index]
    name, images = taxonomy.display_names[wnid], facts.offered.get(wnid, 0)
    offered = Cell(str(images), float(images))
    if not scores.score.answered:
        return (Cell(name, name.casefold()), *_NEVER_MET, offered)
    part = Part(targets=frozenset((scores.index,)))
    since = week_before(facts.today.toordinal())
    return (
        Cell(name, name.casefold(), Behind(name, part)),
        *score_cells(scores.score, name, part),
        *lately_cells(scores.lately, name, part, since=since),
        offered,
    )
