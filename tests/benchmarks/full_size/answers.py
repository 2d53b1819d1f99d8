"""What 72 models and some people say of 50,000 images, and what reviewers say of that.

An image has a target, three look-alikes that anyone who is wrong takes for it, and one image in
twenty is also taken for the same class, which is therefore the largest to review.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from labeler.core.classes.taxonomy import load_default
from labeler.core.study.exchange_format import PARTICIPANTS, PREDICTIONS, REVIEWS
from tests.benchmarks.exchange import write_rows
from tests.benchmarks.full_size.folders import CLASSES
from tests.benchmarks.full_size.validation import DATASET, PER_CLASS

MODELS = 72
HUMANS = tuple(f"H{number}" for number in range(1, 6))
RATERS = tuple(f"R{number}" for number in range(1, 6))
_LOOK_ALIKES = 3
_POPULAR, _TAKEN_FOR_IT = 500, 20
_LABELS = 1 + _LOOK_ALIKES


def write_participants(folder: Path) -> None:
    models = [(f"model_{number:02d}", "model", "") for number in range(MODELS)]
    people = [(code, "human", "") for code in HUMANS + RATERS]
    write_rows(folder, PARTICIPANTS, models + people)


def write_predictions(folder: Path, *, per_class: int) -> int:
    """One row for everyone and each of the first so many images of every class."""
    random = np.random.default_rng(7)
    wnids, numbers = load_default().class_wnids, _numbers(per_class)
    names = [_name(number) for number in numbers]
    codes = [f"model_{number:02d}" for number in range(MODELS)] + list(HUMANS)
    with _file(folder, PREDICTIONS.name, PREDICTIONS.columns) as stream:
        for number, code in enumerate(codes):
            labels = _said(np.array(numbers), 0.6 + 0.004 * number, random)
            stream.writelines(
                f"{code},{DATASET},{name},1,{wnids[label]},,,,,0,\n"
                for name, label in zip(names, labels, strict=True)
            )
    return len(codes) * len(numbers)


def write_reviews(folder: Path, *, per_class: int) -> int:
    """Every rater's verdict on the target and the look-alikes of those images."""
    random = np.random.default_rng(8)
    numbers = _numbers(per_class)
    with _file(folder, REVIEWS.name, REVIEWS.columns) as stream:
        for rater in RATERS:
            right = (random.random((len(numbers), _LABELS)) < 0.9).tolist()
            stream.writelines(_verdicts(rater, numbers, right))
    return len(RATERS) * len(numbers) * _LABELS


def _verdicts(rater: str, numbers: list[int], right: list[list[bool]]) -> Iterator[str]:
    at, wnids = "2026-03-01T09:00:00.000Z", load_default().class_wnids
    for number, agreeing in zip(numbers, right, strict=True):
        name, target = _name(number), number // PER_CLASS
        for step, agrees in enumerate(agreeing):
            label = wnids[target if step == 0 else _look_alike(target, step)]
            verdict = "correct" if agrees == (step == 0) else "wrong"
            yield f"{rater},{DATASET},{name},{label},{verdict},,initial,{at}\n"


def _said(numbers: np.ndarray, accuracy: float, random: np.random.Generator) -> list[int]:
    targets = numbers // PER_CLASS
    wrong = (targets + random.integers(1, 1 + _LOOK_ALIKES, len(numbers)) * 13) % CLASSES
    wrong[numbers % _TAKEN_FOR_IT == 0] = _POPULAR
    right = random.random(len(numbers)) < accuracy
    said: list[int] = np.where(right, targets, wrong).tolist()
    return said


def _look_alike(target: int, step: int) -> int:
    return (target + step * 13) % CLASSES


def _numbers(per_class: int) -> list[int]:
    return [
        first + n for first in range(0, CLASSES * PER_CLASS, PER_CLASS) for n in range(per_class)
    ]


def _name(number: int) -> str:
    wnid = load_default().class_wnids[number // PER_CLASS]
    return f"{wnid}/ILSVRC2012_val_{number:08d}.JPEG"


def _file(folder: Path, name: str, columns: tuple[str, ...]) -> TextIO:
    stream = (folder / name).open("w", encoding="utf-8", newline="")
    stream.write(",".join(columns) + "\n")
    return stream
