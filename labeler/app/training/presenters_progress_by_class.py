"""Every class that training offers, those never met first."""

from labeler.app.data_views import DataTable, ImageListSource, TableCell, TableColumn
from labeler.app.training.progress_facts import ProgressFacts
from labeler.app.training.progress_text import (
    EMPTY_CELL,
    LAST_WEEK_COLUMNS,
    SCORE_COLUMNS,
    last_week_cells,
    score_cells,
)
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import TrainingFilter
from labeler.core.training.progress import ClassScores, week_start

_NEVER_MET = (TableCell("never met", 0.0), *(EMPTY_CELL,) * 4)


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
