"""The basic entities and enumerations of a study."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, count
from string import ascii_uppercase

_CODE = re.compile(r"[^\s,|/\\]{1,64}")
# Letters and marks that Unicode calls printable, but that are drawn as nothing.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]")
CODE_RULE = "A code has up to 64 visible characters, without spaces, commas, bars or slashes."


def is_valid_code(text: str) -> bool:
    """Return whether the text can be a participant's code in files, commands and folder names."""
    return _CODE.fullmatch(text) is not None and is_visible(text)


def is_visible(text: str) -> bool:
    """Return whether the text has no control, zero-width or bidirectional character."""
    return text.isprintable() and _INVISIBLE.search(text) is None


def next_free_code(taken: Collection[str]) -> str:
    """Return the first unused letter, ignoring case; after Z, letters with numbers."""
    known = {code.casefold() for code in taken}
    numbered = (f"{letter}{number}" for number in count(2) for letter in ascii_uppercase)
    return next(code for code in chain(ascii_uppercase, numbered) if code.casefold() not in known)


# How sure a labeler is of an answer is a step from 1 to this.
CONFIDENCE_LEVELS = 5


class Role(StrEnum):
    """What a person does in a study; a person may have several roles."""

    LABELER = "labeler"
    REVIEWER = "reviewer"
    LEAD = "lead"
    ANNOTATOR = "annotator"


class ParticipantKind(StrEnum):
    HUMAN = "human"
    MODEL = "model"


class DatasetRole(StrEnum):
    """What the images of an added dataset are used for.

    A pool holds candidates for datasets that are still to be built.
    """

    EVALUATION = "evaluation"
    TRAINING = "training"
    REFERENCE = "reference"
    POOL = "pool"


class ProblemReason(StrEnum):
    """Why an image is problematic, and so excluded from every accuracy."""

    TARGET_WRONG = "target_wrong"
    DRAWING = "drawing"
    EDITED = "edited"
    INAPPROPRIATE = "inappropriate"


class Verdict(StrEnum):
    """A reviewer's judgement of one (image, label)."""

    CORRECT = "correct"
    WRONG = "wrong"
    UNCLEAR = "unclear"


class CorrectKind(StrEnum):
    """Why a label other than the target is correct."""

    SEVERAL_OBJECTS = "several_objects"
    SYNONYM_OR_SUBSET = "synonym_or_subset"
    AMBIGUOUS = "ambiguous"


class ResolutionRule(StrEnum):
    """How verdicts are resolved to a state; see `core.review.resolution`."""

    SINGLE = "single"
    MAJORITY = "majority"
    UNANIMOUS = "unanimous"
    ADJUDICATED = "adjudicated"
    DAWID_SKENE = "dawid-skene"


class Stage(StrEnum):
    """Which review a verdict belongs to; a final verdict supersedes an initial one."""

    INITIAL = "initial"
    FINAL = "final"


class SessionTask(StrEnum):
    """What a person does in a session."""

    TRAIN = "train"
    EVALUATE = "evaluate"
    REVIEW = "review"


class AttentionPlace(StrEnum):
    """Where on the screen a labeler's attention is."""

    IMAGE = "image"
    SEARCH = "search"
    TAXONOMY = "taxonomy"
    REFERENCES = "references"
    COMPARISON = "comparison"
    GUIDE = "guide"


class ExposureOccasion(StrEnum):
    """How a person saw an image."""

    TRAINING = "training"
    EVALUATION = "evaluation"
    REVIEW = "review"
    DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class Participant:
    """A human or a model, identified by a code; a person's name is stored separately."""

    code: str
    kind: ParticipantKind
    description: str = ""
    roles: frozenset[Role] = frozenset()
    order_seed: int = 0


@dataclass(frozen=True, slots=True)
class Dataset:
    """A named set of images, each with one target."""

    name: str
    role: DatasetRole
    images: int
    root: str | None = None
    layout: str | None = None
    apply_exif: bool = False
    complete: bool = True


@dataclass(frozen=True, slots=True, order=True)
class ImageKey:
    """An image's dataset and name: for leads and files, never for blind screens."""

    dataset: str
    image: str
