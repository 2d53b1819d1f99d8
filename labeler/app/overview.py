"""What the first window is told about a study: nothing that a labeler mustn't know."""

from dataclasses import dataclass
from pathlib import Path

from labeler.core.phases import Phase, PhaseState
from labeler.core.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class PhaseCard:
    """A phase, its state, and one sentence on what can be done in it or why it can't be now."""

    phase: Phase
    state: PhaseState
    sentence: str


@dataclass(frozen=True, slots=True)
class Count:
    """A number of the study with the words that belong to it, such as 2,000 “references”."""

    number: int
    label: str


@dataclass(frozen=True, slots=True)
class StudyOverview:
    """The phases in their order, and the numbers worth a glance."""

    phases: tuple[PhaseCard, ...]
    counts: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class WindowInputs:
    """All that the window needs; it opens no database and knows no dataset."""

    study_name: str
    overview: StudyOverview
    taxonomy: Taxonomy
    thumbnails: Path
    guide_pairs: frozenset[tuple[str, str]]
