"""What an annotator's screen or page may show.

No type here has a field for a target, dataset, file name, role in a grid, frequency or another
person's answer. A task is identified by a random id, an image by its task and position.
"""

from dataclasses import dataclass

from labeler.core.crowd.rounds import CrowdTask


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainsTask:
    """A grid to answer: the class it asks about and the positions of its images, from 1.

    `selected` is the annotator's own submitted selection; None before the first submission.
    """

    id: str
    label: str
    positions: tuple[int, ...]
    draft: str = ""
    selected: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifyTask:
    """An image to answer, and its labels in an order of the annotator's own.

    `ticked` and `main` are the annotator's own submitted answer. `shows_references` is whether the
    lead allows reference images of the labels.
    """

    id: str
    labels: tuple[str, ...]
    shows_references: bool = False
    draft: str = ""
    ticked: frozenset[str] | None = None
    main: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorProgress:
    """What an annotator has done and can still do in a task."""

    task: CrowdTask
    done: int
    left: int
    active_ms: int
    has_open: bool = False
