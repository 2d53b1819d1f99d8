"""What a review plan reveals about the source of a label to a reviewer who pays attention.

A reviewer sees which labels are new on an image they know, how many labels an image has, which
classes they haven't met before, and what an extension adds. For each of these cues, the leak is the
share of labels of a source among the labels with the cue, compared with the base rate: the source's
share of all labels that this reviewer sees in this stage. All shares are counted in the plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from labeler.core.review.blinding import ImageLabelPair
from labeler.core.study.entities import ImageKey, Stage

Flags = npt.NDArray[np.bool_]
# The labels with a cue are too few to give a probability below this number.
MIN_LABELS = 10
# Images with this many labels or more are counted together.
MANY_LABELS = 6
DEFAULT_LEAK = 0.1


class LabelSource(StrEnum):
    """Who or what proposed a label; a decoy has no source."""

    TARGET = "target"
    MODEL = "model"
    HUMAN = "human"


class Cue(StrEnum):
    """What a reviewer can notice about a label, apart from the number of labels of its image."""

    NEW_ON_KNOWN = "new label on a known image"
    KNOWN_LABEL = "known label"
    NEW_CLASS = "new class"
    EXTENSION = "added by the extension"
    FREQUENT_CLASS = "frequent class"


LabelSources = Mapping[LabelSource, frozenset[ImageLabelPair]]
_SOURCES = tuple(LabelSource)
# Cues that don't depend on the other labels of the plan.
_FIXED_CUES = (Cue.NEW_ON_KNOWN, Cue.KNOWN_LABEL, Cue.NEW_CLASS, Cue.EXTENSION)


# The sources between which a reviewer of the stage must not be able to distinguish.
_SOURCES_OF_STAGE = {
    Stage.INITIAL: (LabelSource.TARGET, LabelSource.MODEL),
    Stage.FINAL: (LabelSource.HUMAN, LabelSource.MODEL),
}
assert set(_SOURCES_OF_STAGE) == set(Stage)


def stated_sources(stage: Stage, sources: LabelSources) -> LabelSources:
    """Return the sources that a stage's plan is checked for."""
    return {source: sources[source] for source in _SOURCES_OF_STAGE[stage]}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanContents:
    """A stage's plan as the reviewers see it, with its extension, if it is one.

    `known` are the pairs that each reviewer is asked in the other stage; `before` and
    `reviewers_before` are the plan without the extension.
    """

    labels: Mapping[ImageKey, Sequence[ImageLabelPair]]
    reviewers: Mapping[ImageKey, Sequence[str]]
    known: Mapping[str, frozenset[ImageLabelPair]]
    before: frozenset[ImageLabelPair]
    reviewers_before: Mapping[ImageKey, Sequence[str]]

    def known_images(self) -> dict[str, frozenset[ImageKey]]:
        return {code: frozenset(p.image for p in pairs) for code, pairs in self.known.items()}


@dataclass(frozen=True, slots=True)
class SeenLabels:
    """A row for every label that a reviewer sees.

    `fresh` is the number of a new decoy on its image, `again` that of an earlier decoy that is
    asked again; both are -1 for other labels.
    """

    reviewers: tuple[str, ...]
    reviewer: npt.NDArray[np.int64]
    visit: npt.NDArray[np.int64]
    image: npt.NDArray[np.int64]
    label: npt.NDArray[np.int64]
    fresh: npt.NDArray[np.int64]
    again: npt.NDArray[np.int64]
    sources: Flags
    cues: Flags

    def marks(self, shown: Flags) -> dict[Cue, Flags]:
        """Return for each cue the rows that have it."""
        fixed = {cue: self.cues[:, place] for place, cue in enumerate(_FIXED_CUES)}
        return fixed | {Cue.FREQUENT_CLASS: self._frequent(shown)}

    def _frequent(self, shown: Flags) -> Flags:
        """Return the rows whose class the reviewer meets on more images than most classes."""
        key = self.reviewer * (int(self.label.max(initial=0)) + 1) + self.label
        images = np.bincount(key[shown], minlength=int(key.max(initial=0)) + 1)
        frequent = np.zeros(len(key), np.bool_)
        for number in range(len(self.reviewers)):
            own = self.reviewer == number
            met = images[np.unique(key[own & shown])]
            frequent |= own & (images[key] > (np.median(met) if len(met) else 0))
        return frequent

    def counts(self, shown: Flags) -> npt.NDArray[np.int64]:
        """Return for each row the number of labels of its image, up to `MANY_LABELS`."""
        labels = np.bincount(self.visit[shown], minlength=int(self.visit.max(initial=0)) + 1)
        return np.minimum(labels[self.visit], MANY_LABELS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """The probability that a label with a cue comes from a source; `cue` can be a label count."""

    reviewer: str
    cue: Cue | int
    source: LabelSource
    probability: float
    base_rate: float
    labels: int

    @property
    def excess(self) -> float:
        return self.probability - self.base_rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """How well all cues together separate a source's labels from others: 0 not at all, 1 fully."""

    reviewer: str
    source: LabelSource
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakStatement:
    """What a plan reveals; `decoys` and `decoy_judgements` are the cost of hiding it."""

    posteriors: tuple[Posterior, ...]
    advantages: tuple[Advantage, ...]
    decoys: int
    decoy_judgements: int

    def revealing(self, limit: float) -> tuple[Posterior, ...]:
        """Return the cues that point to a source more than the limit allows."""
        return tuple(p for p in self.posteriors if p.excess > limit)

    def excluding(self, limit: float) -> tuple[Posterior, ...]:
        """Return the cues that point away from a source more than the limit allows."""
        return tuple(p for p in self.posteriors if p.excess < -limit)


def seen_labels(
    plan: PlanContents,
    sources: LabelSources,
    *,
    fresh: Mapping[ImageKey, Sequence[str]] = MappingProxyType({}),
    again: Mapping[ImageKey, Sequence[str]] = MappingProxyType({}),
) -> SeenLabels:
    """Return what the reviewers see, with these decoys added to the plan's labels."""
    rows: list[tuple[int, ...]] = []
    classes: dict[str, int] = {}
    flags: list[tuple[bool, ...]] = []
    codes = tuple(sorted({code for codes in plan.reviewers.values() for code in codes}))
    numbers = {code: number for number, code in enumerate(codes)}
    met = {code: _Met(plan, code) for code in codes}
    visit = 0
    for image_number, (image, labels) in enumerate(plan.labels.items()):
        numbered = [
            *((pair, -1, -1) for pair in labels),
            *((ImageLabelPair(image, w), n, -1) for n, w in enumerate(fresh.get(image, ()))),
            *((ImageLabelPair(image, w), -1, n) for n, w in enumerate(again.get(image, ()))),
        ]
        for code in plan.reviewers.get(image, ()):
            for pair, new_decoy, old_decoy in numbered:
                label = classes.setdefault(pair.label, len(classes))
                rows.append((numbers[code], visit, image_number, label, new_decoy, old_decoy))
                proposed = (pair in sources.get(source, ()) for source in _SOURCES)
                flags.append((*proposed, *met[code].cues(pair)))
            visit += 1
    table = np.array(rows, np.int64).reshape(-1, 6)
    marks = np.array(flags, np.bool_).reshape(-1, len(_SOURCES) + len(_FIXED_CUES))
    return SeenLabels(
        reviewers=codes,
        reviewer=table[:, 0],
        visit=table[:, 1],
        image=table[:, 2],
        label=table[:, 3],
        fresh=table[:, 4],
        again=table[:, 5],
        sources=marks[:, : len(_SOURCES)],
        cues=marks[:, len(_SOURCES) :],
    )


class _Met:
    """What a reviewer has met before: in the other stage, and before the extension."""

    def __init__(self, plan: PlanContents, code: str) -> None:
        self._known = plan.known.get(code, frozenset())
        self._images = {pair.image for pair in self._known}
        self._before = plan.before
        self._own = {i for i, codes in plan.reviewers_before.items() if code in codes}
        met_in_stage = (pair.label for pair in plan.before if pair.image in self._own)
        self._classes = {*(pair.label for pair in self._known), *met_in_stage}

    def cues(self, pair: ImageLabelPair) -> tuple[bool, ...]:
        known = pair in self._known
        planned = pair in self._before
        return (
            pair.image in self._images and not known,
            known,
            bool(self._classes) and pair.label not in self._classes,
            pair.image in self._own and not planned,
        )


def posteriors(seen: SeenLabels, shown: Flags) -> Iterator[Posterior]:
    """Return the posterior of every source that occurs, by reviewer and cue."""
    counts, by_cue = seen.counts(shown), seen.marks(shown)
    for number, code in enumerate(seen.reviewers):
        own = shown & (seen.reviewer == number)
        if not own.any():
            continue
        base = seen.sources[own].mean(axis=0)
        marks: dict[Cue | int, Flags] = dict(by_cue.items())
        marks.update((int(n), counts == n) for n in np.unique(counts[own]))
        for cue, marked in marks.items():
            selected = own & marked
            labels = int(np.count_nonzero(selected))
            if labels < MIN_LABELS:
                continue
            for source, share, rate in zip(
                _SOURCES, seen.sources[selected].mean(axis=0), base, strict=True
            ):
                if rate:
                    yield Posterior(
                        reviewer=code,
                        cue=cue,
                        source=source,
                        probability=float(share),
                        base_rate=float(rate),
                        labels=labels,
                    )


def leak_statement(
    plan: PlanContents,
    sources: LabelSources,
    *,
    decoys: frozenset[ImageLabelPair],
) -> LeakStatement:
    """Return what the plan reveals; its labels include the decoys that were added to it."""
    seen = seen_labels(plan, sources)
    everything = np.ones(len(seen.visit), np.bool_)
    return LeakStatement(
        posteriors=tuple(posteriors(seen, everything)),
        advantages=tuple(_advantages(seen, everything)),
        decoys=len(decoys),
        decoy_judgements=sum(len(plan.reviewers[pair.image]) for pair in decoys),
    )


def _advantages(seen: SeenLabels, shown: Flags) -> Iterator[Advantage]:
    """Return the distance between a source's labels and all others, over all cues together."""
    cells = seen.counts(shown)
    for marked in seen.marks(shown).values():
        cells = 2 * cells + marked
    for number, code in enumerate(seen.reviewers):
        own = shown & (seen.reviewer == number)
        for place, source in enumerate(_SOURCES):
            given = seen.sources[own, place]
            if given.any() and not given.all():
                size = int(cells.max()) + 1
                of_source = np.bincount(cells[own][given], minlength=size) / given.sum()
                of_others = np.bincount(cells[own][~given], minlength=size) / (~given).sum()
                distance = float(np.abs(of_source - of_others).sum() / 2)
                yield Advantage(reviewer=code, source=source, value=distance)
