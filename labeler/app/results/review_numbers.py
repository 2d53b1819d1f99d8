"""What the verdicts themselves tell the report: agreement, changes, contested labels."""

from collections.abc import Set as AbstractSet

import numpy as np

from labeler.app.review.resolution import changes_since_initial
from labeler.core.metrics.report_contents import ContestedLabel, ReviewNumbers
from labeler.core.statistics.agreement import Agreement, agreement
from labeler.core.study.entities import ImageKey, Stage
from labeler.store.study_store import Transaction

_CONTESTED = 24


def review_numbers(study: Transaction, images: AbstractSet[ImageKey]) -> ReviewNumbers:
    agreed, shared = _agreement(study)
    return ReviewNumbers(
        agreement=agreed,
        judged_by_several=shared,
        changes=changes_since_initial(study, images),
        contested=tuple(_contested(study)),
    )


def _agreement(study: Transaction) -> tuple[Agreement | None, frozenset[ImageKey]]:
    """Of the last review in which two reviewers judged the same labels, blind, and on what."""
    found: Agreement | None = None
    for stage in (Stage.FINAL, Stage.INITIAL):
        verdicts = study.review.verdicts.of_stage(stage, blind_only=True)
        if verdicts.table.pair_count:
            judged = verdicts.table.judgements()
            figures = agreement(judged)
            if figures.units:
                shared = np.unique(verdicts.images[judged.of_shared_units().units])
                return figures, study.review.verdicts.image_keys(shared)
            found = found or figures
    return found, frozenset()


def _contested(study: Transaction) -> list[ContestedLabel]:
    """The labels on which verdicts are divided most evenly, several before few."""
    verdicts = study.review.verdicts.standing()
    if not verdicts.table.pair_count:
        return []
    counts = verdicts.table.counts()
    against = counts.sum(axis=1) - counts.max(axis=1)
    divided = np.flatnonzero(against)
    share = against[divided] / counts[divided].sum(axis=1)
    chosen = divided[np.lexsort((divided, -against[divided], -share))][:_CONTESTED]
    if not len(chosen):
        return []
    names = study.review.verdicts.names(verdicts)
    return [
        ContestedLabel(
            image=ImageKey(names[pair][0], names[pair][1]),
            wnid=names[pair][2],
            wrong=int(counts[pair][0]),
            unclear=int(counts[pair][1]),
            correct=int(counts[pair][2]),
        )
        for pair in chosen.tolist()
    ]
