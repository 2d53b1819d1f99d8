"""Small random studies for hypothesis: two datasets, humans and models, gaps everywhere."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from labeler.core.classes.groups import ClassGroups, default_groups
from labeler.core.classes.taxonomy import load_default
from labeler.core.metrics.study_answers import (
    NO_GUESS,
    NO_LABEL,
    NO_TIME,
    DatasetAnswers,
    JudgedLabels,
    StudyAnswers,
)

TAXONOMY = load_default()
GROUPS: ClassGroups = default_groups(TAXONOMY)
# A dog, another dog, a bird, and two objects.
CLASSES = tuple(
    TAXONOMY.index_of(wnid)
    for wnid in ("n02085620", "n02099601", "n01530575", "n02690373", "n04285008")
)
labels = st.sampled_from(CLASSES)


@dataclass
class Plain:
    """One dataset as dictionaries, which slow loops understand at once."""

    targets: list[int]
    problematic: list[bool]
    sampled: list[bool]
    states: dict[tuple[int, int], int]
    humans: list[dict[int, tuple[int, int | None, int | None]]]  # label, alternative, time
    models: list[dict[int, list[int]]]


@st.composite
def plain_datasets(draw: st.DrawFn, *, humans: int, models: int) -> Plain:
    size = draw(st.integers(1, 6))
    images = range(size)
    maybe = st.booleans()
    states = {
        (image, label): draw(st.integers(0, 2))
        for image in images
        for label in CLASSES
        if draw(st.integers(0, 2)) == 0
    }
    answer = st.tuples(
        labels, st.none() | labels, st.none() | st.integers(0, 130).map(lambda s: s * 1000)
    )
    return Plain(
        targets=[draw(labels) for _ in images],
        problematic=[draw(st.integers(0, 4)) == 0 for _ in images],
        sampled=[draw(maybe) for _ in images] if draw(maybe) else [False] * size,
        states=states,
        humans=[
            {image: draw(answer) for image in images if draw(st.integers(0, 3))}
            for _ in range(humans)
        ],
        models=[
            {
                image: draw(st.lists(labels, min_size=1, max_size=3, unique=True))
                for image in images
                if draw(st.integers(0, 3))
            }
            for _ in range(models)
        ],
    )


@st.composite
def plain_studies(draw: st.DrawFn) -> list[Plain]:
    humans, models = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    return [draw(plain_datasets(humans=humans, models=models)) for _ in range(2)]


def as_study(datasets: list[Plain]) -> StudyAnswers:
    """The same study as arrays."""
    first = datasets[0]
    return StudyAnswers(
        wnids=TAXONOMY.class_wnids,
        humans=tuple(f"H{n}" for n in range(len(first.humans))),
        models=tuple(f"m{n}" for n in range(len(first.models))),
        datasets=tuple(
            as_dataset(name, plain)
            for name, plain in zip(("original", "new"), datasets, strict=True)
        ),
    )


def as_dataset(name: str, plain: Plain) -> DatasetAnswers:
    size, humans = len(plain.targets), len(plain.humans)
    given = np.full((humans, size), NO_LABEL, np.int32)
    alternatives, times = given.copy(), np.full((humans, size), NO_TIME, np.int64)
    for row, answers in enumerate(plain.humans):
        for image, (label, alternative, spent) in answers.items():
            given[row, image] = label
            alternatives[row, image] = NO_LABEL if alternative is None else alternative
            times[row, image] = NO_TIME if spent is None else spent
    judged = np.array([(*pair, state) for pair, state in plain.states.items()], np.int64)
    return DatasetAnswers(
        name=name,
        images=tuple(f"{number}.jpg" for number in range(size)),
        targets=np.array(plain.targets, np.int32),
        problematic=np.array(plain.problematic),
        sampled=np.array(plain.sampled),
        judged=JudgedLabels(*judged.reshape(-1, 3).T),
        human_labels=given,
        alternatives=alternatives,
        active_ms=times,
        model_guesses=tuple(_guesses(answers, size) for answers in plain.models),
    )


def _guesses(answers: dict[int, list[int]], size: int) -> np.ndarray | None:
    if not answers:
        return None
    packed = np.full((size, max(map(len, answers.values()))), NO_GUESS, np.uint16)
    for image, guesses in answers.items():
        packed[image, : len(guesses)] = guesses
    return packed
