"""The versions of the guide's pages, and who may edit them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState


class PageOrigin(StrEnum):
    """How a version of a page was created."""

    FOLDER = "folder"
    EDIT = "edit"
    MERGE = "merge"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVersion:
    """A version of a page's text; `base` is the version that was edited.

    A version imported from the study folder has no author. `pictures` maps the path of each file
    that it shows to its hash; a `retired` version removes the page from the guide.
    """

    slug: str
    number: int
    text: str
    author: str | None
    origin: PageOrigin
    base: int | None
    comment: str
    at: str
    pictures: Mapping[str, str] = field(default_factory=dict)
    retired: bool = False


@dataclass(frozen=True, slots=True)
class PageDraft:
    """The unsaved text of a page that someone is editing."""

    slug: str
    text: str
    base: int | None
    at: str


@dataclass(frozen=True, slots=True)
class FrozenGuide:
    """The guide used during an evaluation: its version and the version of each page."""

    version: str
    at: str
    numbers: Mapping[str, int]


FROZEN = (
    "The guide is read-only while the evaluation is open, so that every answer is given with the "
    "same guide. It can be edited again when the lead locks the evaluation. Until then, add notes "
    "on training images in the group discussion."
)
REVIEWERS_READ = "Reviewers can only read the guide. Labelers in training and the lead edit it."
TRAINING_NOT_OPEN = "Labelers can edit the guide only while training is open."


def is_frozen(states: Mapping[Phase, PhaseState]) -> bool:
    """Return whether everyone reads the guide as it was when the evaluation started."""
    return states[Phase.EVALUATE] is PhaseState.OPEN


def refusal_to_write(role: Role, states: Mapping[Phase, PhaseState]) -> str | None:
    """Return why this role may only read the guide now, or None."""
    if is_frozen(states):
        return FROZEN
    if role is Role.REVIEWER:
        return REVIEWERS_READ
    if role is Role.LABELER and states[Phase.TRAIN] is not PhaseState.OPEN:
        return TRAINING_NOT_OPEN
    return None
