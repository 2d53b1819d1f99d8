"""Importing how often classes are confused, which ranks the look-alikes that labelers see."""

from pathlib import Path

from labeler.core.errors import RefusedError
from labeler.core.text import count_noun
from labeler.guide.coverage import read_lookalike_pairs
from labeler.store.study_store import StudyStore

OUTSIDE_ONLY = (
    "Labelers see the result, so the counts must come from images outside this study. Nothing was "
    "imported."
)


def import_confusions(store: StudyStore, file: Path, *, outside_study: bool) -> str:
    """Replace the study's confusions by those of the file; return a sentence.

    `outside_study` is the lead's statement that the file was made on images outside this study:
    what the study's models confuse must not reach a labeler.
    """
    if not outside_study:
        raise RefusedError(OUTSIDE_ONLY, by_command="Confirm it with --outside-study.")
    taxonomy = store.taxonomy
    found = read_lookalike_pairs(file, taxonomy=taxonomy)
    counts = {
        (taxonomy.index_of(pair.pair[0]), taxonomy.index_of(pair.pair[1])): pair.count
        for pair in found
        if pair.count
    }
    with store.write() as study:
        before = study.confusions.count()
        study.confusions.replace(counts)
        study.audit.record("confusions imported", pairs=len(counts), before=before)
    return f"Imported {count_noun(len(counts), 'pair')} of classes."


def remove_confusions(store: StudyStore) -> str:
    """Remove the imported confusions; return a sentence."""
    with store.write() as study:
        before = study.confusions.count()
        study.confusions.replace({})
        study.audit.record("confusions removed", before=before)
    return f"Removed {count_noun(before, 'pair')} of classes."
