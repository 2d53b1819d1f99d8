"""The images behind an accuracy, with what everybody answered and what was judged of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from labeler.app.report.selection import members_on
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.answers import NO_LABEL
from labeler.core.metrics.contents import ReportContents
from labeler.core.metrics.marks import UNJUDGED
from labeler.core.metrics.scored import ScoredDataset
from labeler.core.metrics.subsets import Subset
from labeler.core.metrics.vocabulary import Metric
from labeler.core.study import ImageKey, ParticipantKind, Verdict
from labeler.core.verdicts import CODE_OF, VERDICT_ORDER

NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class ImageBehind:
    """An image that an accuracy counts, and whether the answer to it counts as correct."""

    number: int
    key: ImageKey
    participant: str
    target: str
    answer: str
    accepted: tuple[str, ...]
    judged: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody answered: the class, what was judged of it, whether it is the target."""

    participant: str
    kind: ParticipantKind
    answer: str
    judged: str
    is_target: bool
    alternative: str


def images_behind(
    contents: ReportContents, subsets: Mapping[str, Subset], shown: Iterable[Accuracy]
) -> tuple[ImageBehind, ...]:
    """Every image that the accuracies count, the wrong ones first."""
    found = [image for row in shown for image in _of(contents, subsets, row)]
    return tuple(sorted(found, key=lambda image: (image.counts, image.number)))


def said_of(contents: ReportContents, key: ImageKey) -> tuple[Said, ...]:
    """Everybody's answer to the image; who has none is left out."""
    scored, place = _found(contents, key)
    naming, study = _Naming(contents), scored.study
    told = []
    for row, code in enumerate(study.participants):
        label = int(scored.marks.labels[row, place])
        if label != NO_LABEL:
            human = row < scored.marks.humans
            hatch = int(scored.dataset.alternatives[row, place]) if human else NO_LABEL
            told.append(
                Said(
                    participant=code,
                    kind=ParticipantKind.HUMAN if human else ParticipantKind.MODEL,
                    answer=naming.of(label),
                    judged=_verdict(int(scored.marks.states[row, place])),
                    is_target=label == int(scored.dataset.targets[place]),
                    alternative="" if hatch == NO_LABEL else naming.of(hatch),
                )
            )
    return tuple(told)


def key_of(contents: ReportContents, number: int) -> ImageKey | None:
    """The image that goes by the number."""
    for scored in contents.numbers.scored:
        if number < len(scored.dataset.images):
            return ImageKey(scored.name, scored.dataset.images[number])
        number -= len(scored.dataset.images)
    return None


def _of(
    contents: ReportContents, subsets: Mapping[str, Subset], shown: Accuracy
) -> Iterator[ImageBehind]:
    before = 0
    for scored in contents.numbers.scored:
        if scored.name == shown.dataset:
            yield from _counted(contents, scored, subsets[shown.subset], shown, before)
            return
        before += len(scored.dataset.images)


def _counted(
    contents: ReportContents, scored: ScoredDataset, subset: Subset, shown: Accuracy, before: int
) -> Iterator[ImageBehind]:
    row = scored.study.participants.index(shown.participant)
    members = members_on(contents, scored, subset).members_of(subset.key)
    counts = scored.counted(shown.metric)[row] & members
    right = scored.right(shown.metric, shown.convention)[row]
    accepted, naming = _accepted(scored, counts), _Naming(contents)
    imputed = shown.metric is Metric.MULTI_LABEL_IMPUTED
    states = scored.marks.imputed if imputed else scored.marks.states
    for place in np.flatnonzero(counts).tolist():
        yield ImageBehind(
            number=before + place,
            key=ImageKey(scored.name, scored.dataset.images[place]),
            participant=shown.participant,
            target=naming.of(int(scored.dataset.targets[place])),
            answer=naming.of(_meant(scored, row, place, imputed=imputed)),
            accepted=tuple(naming.of(label) for label in accepted.get(place, ())),
            judged=_verdict(int(states[row, place])),
            counts=bool(right[place]),
        )


def _meant(scored: ScoredDataset, row: int, place: int, *, imputed: bool) -> int:
    """The answer, or in the place of an escape hatch its alternative."""
    if imputed and row < scored.marks.humans and scored.marks.hatches[row, place]:
        return int(scored.dataset.alternatives[row, place])
    return int(scored.marks.labels[row, place])


def _accepted(scored: ScoredDataset, counts: np.ndarray) -> dict[int, list[int]]:
    """The labels judged correct, by image."""
    judged = scored.dataset.judged
    chosen = (judged.states == CODE_OF[Verdict.CORRECT]) & counts[judged.images]
    labels: dict[int, list[int]] = {}
    pairs = zip(judged.images[chosen].tolist(), judged.classes[chosen].tolist(), strict=True)
    for image, label in sorted(pairs):
        labels.setdefault(image, []).append(label)
    return labels


def _found(contents: ReportContents, key: ImageKey) -> tuple[ScoredDataset, int]:
    scored = next(s for s in contents.numbers.scored if s.name == key.dataset)
    return scored, scored.dataset.images.index(key.image)


def _verdict(state: int) -> str:
    return NOT_JUDGED if state == UNJUDGED else str(VERDICT_ORDER[state])


@dataclass(frozen=True, slots=True)
class _Naming:
    contents: ReportContents

    def of(self, index: int) -> str:
        wnid = self.contents.numbers.study.wnids[index]
        return self.contents.class_names.get(wnid, wnid)
