"""Read built datasets and compute their numbers for the report."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from labeler.app.results.crowd_results import with_predictions
from labeler.core.crowd.analysis.annotations import AnnotatedDataset, AnnotatedImage
from labeler.core.crowd.analysis.label_analyses import (
    TargetFrequency,
    accuracy_by_bin,
    target_frequencies,
)
from labeler.core.crowd.entities import AnnotationStatus, SelectionFrequency
from labeler.core.curation.built_analyses import (
    CurationNumbers,
    ModelCount,
    class_difficulties,
    compare_on_models,
    difficulty_models,
    model_changes,
)
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.study_answers import StudyAnswers
from labeler.core.metrics.study_numbers import StudyNumbers
from labeler.core.metrics.subsets import ALL
from labeler.core.study.entities import ImageKey, ParticipantKind
from labeler.store.study_store import Transaction


def read_curation_numbers(
    study: Transaction, answers: StudyAnswers, numbers: StudyNumbers
) -> CurationNumbers:
    """Compute the analyses of all revisions, and of datasets that are revisions."""
    seed = numbers.settings.seed
    built = _BuiltImages(study)
    counts = [_count(row) for row in numbers.accuracy if _is_model_top1(row)]
    linked = study.built_datasets.linked()
    in_study = [name for name in linked if any(d.name == name for d in answers.datasets)]
    data = [with_predictions(answers, name, built.of(name)) for name in in_study]
    original = numbers.settings.original or _first_other(answers, in_study)
    pairs = dict.fromkeys([*in_study, *filter(None, [numbers.settings.new])])
    compared = [
        compare_on_models(
            counts,
            original=original,
            new=name,
            built=linked[name].dataset if name in linked else None,
            revision=linked[name].revision if name in linked else None,
        )
        for name in pairs
        if original is not None
    ]
    comparisons = tuple(each for each in compared if each is not None)
    return CurationNumbers(
        frequencies=tuple(chain.from_iterable(built.revision_frequencies(seed))),
        accuracy_by_bin=tuple(row for each in data for row in accuracy_by_bin(each)),
        class_difficulties=tuple(row for each in data for row in class_difficulties(each)),
        changes=tuple(
            row
            for each in comparisons
            if each.built is not None
            for row in model_changes(counts, original=each.dataset_original, new=each.dataset_new)
        ),
        comparisons=tuple(each for each in comparisons if each.built is not None),
        difficulty_models=difficulty_models(comparisons),
    )


class _BuiltImages:
    """The images of revisions with the frequencies of their candidates."""

    def __init__(self, study: Transaction) -> None:
        self._study = study
        self._linked = study.built_datasets.linked()
        self._frequencies: dict[str, dict[str, SelectionFrequency]] = {}

    def revision_frequencies(self, seed: int) -> Iterator[list[TargetFrequency]]:
        """Yield the mean frequencies of each revision, in total and by class."""
        for revision in self._study.built_datasets.revisions():
            images = self._images(revision.dataset, revision.revision)
            data = AnnotatedDataset(dataset=revision.dataset, images=images, predictions=())
            rows = target_frequencies(data, seed=seed)
            yield [replace(row, revision=revision.revision) for row in rows]

    def of(self, name: str) -> tuple[AnnotatedImage, ...]:
        """Return the images of a dataset of the study that is a revision."""
        revision = self._linked[name]
        return self._images(revision.dataset, revision.revision)

    def _images(self, dataset: str, number: int) -> tuple[AnnotatedImage, ...]:
        built = self._study.built_datasets.images(dataset, number)
        return tuple(
            AnnotatedImage(
                image=each.image.image,
                target=each.label,
                status=AnnotationStatus.CLEAR,
                frequencies={each.label: found},
            )
            for each in built
            if (found := self._frequency(each.image)) is not None
        )

    def _frequency(self, key: ImageKey) -> SelectionFrequency | None:
        if key.dataset not in self._frequencies:
            self._frequencies[key.dataset] = self._study.pools.frequencies(key.dataset)
        return self._frequencies[key.dataset].get(key.image)


def _first_other(answers: StudyAnswers, built: list[str]) -> str | None:
    return next((d.name for d in answers.datasets if d.name not in built), None)


def _is_model_top1(row: Accuracy) -> bool:
    return (
        row.kind is ParticipantKind.MODEL
        and row.metric is Metric.TOP1
        and row.subset == ALL
        and row.convention is Convention.POOLED
    )


def _count(row: Accuracy) -> ModelCount:
    return ModelCount(
        participant=row.participant, dataset=row.dataset, correct=row.correct, total=row.total
    )
