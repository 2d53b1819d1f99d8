"""What each resolution rule makes of the verdicts, for the sensitivity table."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from labeler.app.review.resolution import ResolutionSettings, resolve_by_rule
from labeler.core.metrics.study_answers import DatasetAnswers, JudgedLabels, StudyAnswers
from labeler.core.review.resolution import OPEN
from labeler.core.review.verdict_table import Codes
from labeler.core.study.entities import ResolutionRule
from labeler.store.study_store import Transaction

_Names = list[tuple[str, str, str]]


def with_resolution_rules(study: Transaction, answers: StudyAnswers) -> StudyAnswers:
    """Add the labels of every rule that the verdicts allow; without verdicts there are none."""
    verdicts = study.review.verdicts.latest()
    if not verdicts.table.pair_count:
        return answers
    names = study.review.verdicts.names(verdicts)
    by_rule = {
        str(rule): resolve_by_rule(study, verdicts, ResolutionSettings(rule=rule))[0].states
        for rule in ResolutionRule
    }
    datasets = (
        replace(dataset, judged_by_rule=dict(_by_rule(dataset, names, by_rule, answers.wnids)))
        for dataset in answers.datasets
    )
    return replace(answers, datasets=tuple(datasets))


def _by_rule(
    dataset: DatasetAnswers,
    names: _Names,
    by_rule: dict[str, Codes],
    wnids: tuple[str, ...],
) -> Iterator[tuple[str, JudgedLabels]]:
    positions = {name: position for position, name in enumerate(dataset.images)}
    classes = {wnid: index for index, wnid in enumerate(wnids)}
    own = [
        (pair, positions[image], classes[wnid])
        for pair, (name, image, wnid) in enumerate(names)
        if name == dataset.name and image in positions
    ]
    pairs, images, labels = np.array(own, np.int64).reshape(-1, 3).T
    size, stored = len(wnids), dataset.judged
    # Imported labels without a verdict are the same under every rule.
    kept = ~np.isin(stored.images * size + stored.classes, images * size + labels)
    for rule, states in by_rule.items():
        settled = states[pairs] != OPEN
        found = images[settled], labels[settled], states[pairs][settled]
        imported = stored.images[kept], stored.classes[kept], stored.states[kept]
        yield rule, JudgedLabels(*map(np.concatenate, zip(imported, found, strict=True)))
