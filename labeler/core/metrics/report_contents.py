"""The contents of a report: the numbers, the reviews, and descriptions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from labeler.core.crowd.analysis.numbers import CrowdNumbers
from labeler.core.curation.built_analyses import CurationNumbers
from labeler.core.metrics.study_numbers import StudyNumbers
from labeler.core.review.label_changes import LabelChanges
from labeler.core.statistics.agreement import Agreement
from labeler.core.statistics.self_consistency import SelfConsistency
from labeler.core.study.entities import ImageKey
from labeler.core.study.phases import Phase, PhaseState


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedLabel:
    """A label on which reviewers disagree, with the count of each verdict."""

    image: ImageKey
    wnid: str
    correct: int
    wrong: int
    unclear: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewNumbers:
    """Statistics of the verdicts; None where there are none.

    `judged_by_several` are the images with a label that at least two reviewers judged.
    """

    agreement: Agreement | None
    judged_by_several: frozenset[ImageKey]
    changes: LabelChanges | None
    contested: tuple[ContestedLabel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPoint:
    """How many of a labeler's training answers were right on one day."""

    participant: str
    day: str
    correct: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedImage:
    """A labeler's first answer to a training image; classes by index, accepted ones by wnid."""

    participant: str
    day: str
    image: ImageKey
    target: int
    label: int
    right: bool
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReportContents:
    """All data that the tables, figures and files of a report are made from.

    `evaluation_locked` is also true for imported answers. `names` are people's names by code, if
    the lead asked to include them; `class_names` are by wnid.
    """

    study: str
    generated_at: datetime
    program_version: str
    phases: Mapping[Phase, PhaseState]
    evaluation_locked: bool
    numbers: StudyNumbers
    reviews: ReviewNumbers
    learning: tuple[LearningPoint, ...]
    trained: tuple[TrainedImage, ...]
    descriptions: Mapping[str, str]
    names: Mapping[str, str]
    class_names: Mapping[str, str]
    inputs: Mapping[str, str]
    self_consistency: tuple[SelfConsistency, ...] = ()
    crowd: CrowdNumbers = field(default_factory=CrowdNumbers)
    curation: CurationNumbers = field(default_factory=CurationNumbers)
