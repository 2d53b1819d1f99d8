"""Galleries: sets of images selected by the answers, with descriptions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from labeler.core.metrics.cell_source import EvaluationSource, ImageListed, ParticipantMetric
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.study_answers import NO_LABEL
from labeler.core.study.entities import ImageKey
from labeler.report.accuracy_index import ParticipantNames

_MAX_IMAGES = 24
ONLY_MODELS_WRONG = "only-models-wrong"


@dataclass(frozen=True, slots=True)
class GalleryImage:
    key: ImageKey
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gallery:
    """The first images of a set, under a title; `source` lists all of them."""

    key: str
    title: str
    total: int
    images: tuple[GalleryImage, ...]
    source: EvaluationSource


def galleries(contents: ReportContents) -> list[Gallery]:
    """Return the galleries that have images."""
    numbers, builder, display_name = (
        contents.numbers,
        _GalleryBuilder(contents),
        ParticipantNames(contents),
    )
    wrong, best, study = numbers.all_wrong, numbers.differing, numbers.study
    built = [
        builder.gallery(
            ONLY_MODELS_WRONG,
            "Right for all humans, wrong for all models",
            wrong.only_models,
            study.participants,
        ),
        builder.gallery("wrong-humans", "Wrong for all humans", wrong.humans, study.humans),
        builder.gallery("wrong-models", "Wrong for all models", wrong.models, study.models),
        builder.gallery(
            "wrong-both", "Wrong for all humans and all models", wrong.both, study.participants
        ),
    ]
    if best is not None:
        human, model, both = display_name(best.human), best.model, (best.human, best.model)
        title = f"{human} right, {model} wrong"
        built.append(builder.gallery("best-human", title, best.only_human, both))
        title = f"{model} right, {human} wrong"
        built.append(builder.gallery("best-model", title, best.only_model, both))
    built.append(_contested(contents, builder))
    return [gallery for gallery in built if gallery.images]


def _contested(contents: ReportContents, builder: "_GalleryBuilder") -> Gallery:
    found, title = contents.reviews.contested, "Most contested labels"
    images = tuple(
        GalleryImage(
            label.image,
            (
                contents.class_names.get(label.wnid, label.wnid) + "?",
                f"{label.correct} correct, {label.wrong} wrong, {label.unclear} unclear",
            ),
        )
        for label in found
    )
    remarks: dict[ImageKey, list[str]] = {}
    for shown in images:
        remarks.setdefault(shown.key, []).append(" ".join(shown.words))
    source = replace(
        builder.source(title, tuple(remarks), ()),
        words="Images with a label on which reviewers differ",
        remarks={key: "; ".join(texts) for key, texts in remarks.items()},
    )
    return Gallery("contested", title, len(found), images, source)


class _GalleryBuilder:
    """Describes images by their target and the answers of humans and models."""

    def __init__(self, contents: ReportContents) -> None:
        self._contents = contents
        self._scored = {scored.name: scored for scored in contents.numbers.scored}
        self._positions = {
            scored.name: {name: position for position, name in enumerate(scored.dataset.images)}
            for scored in contents.numbers.scored
        }

    def gallery(
        self, key: str, title: str, keys: tuple[ImageKey, ...], codes: tuple[str, ...]
    ) -> Gallery:
        """Return the first images with descriptions, and the source of all of them."""
        images = tuple(
            GalleryImage(image, tuple(self._words(image))) for image in keys[:_MAX_IMAGES]
        )
        return Gallery(key, title, len(keys), images, self.source(title, keys, codes))

    def source(
        self, title: str, keys: tuple[ImageKey, ...], codes: tuple[str, ...]
    ) -> EvaluationSource:
        metric = self._contents.numbers.all_wrong.metric
        return EvaluationSource(
            heading=title,
            words="Images of the gallery",
            datasets=tuple(self._scored),
            subsets=(),
            conditions=(ImageListed(frozenset(keys)),),
            markings=tuple(ParticipantMetric(code, metric) for code in codes),
        )

    def _words(self, image: ImageKey) -> Iterator[str]:
        scored = self._scored[image.dataset]
        position = self._positions[image.dataset][image.image]
        yield f"target: {self._name(int(scored.dataset.targets[position]))}"
        humans = range(scored.marks.humans)
        yield from self._answer_counts("humans", scored, humans, position)
        models = range(scored.marks.humans, len(scored.marks.labels))
        yield from self._answer_counts("models", scored, models, position)

    def _answer_counts(
        self, who: str, scored: ScoredDataset, rows: Iterable[int], position: int
    ) -> Iterator[str]:
        counts: dict[int, int] = {}
        for row in rows:
            label = int(scored.marks.labels[row, position])
            if label != NO_LABEL:
                counts[label] = counts.get(label, 0) + 1
        frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:3]
        if frequent:
            named = (f"{self._name(label)} ×{count}" for label, count in frequent)
            yield f"{who}: {', '.join(named)}"

    def _name(self, index: int) -> str:
        wnid = self._contents.numbers.study.wnids[index]
        return self._contents.class_names.get(wnid, wnid)
