"""The guide's pages as they were written over time, and who may write them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState


class PageOrigin(StrEnum):
    """How a version of a page came about."""

    FOLDER = "folder"
    EDIT = "edit"
    MERGE = "merge"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVersion:
    """A page's text as someone left it; `base` is the version that they had before them.

    A version that was taken over from the study's folder has no author. `pictures` are the files
    that it shows, the hash of each by its path; a `retired` one takes the page out of the guide.
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
    """A page's text as a person has it half written."""

    slug: str
    text: str
    base: int | None
    at: str


@dataclass(frozen=True, slots=True)
class FrozenGuide:
    """The guide that an evaluation was answered with: its version and that of each page."""

    version: str
    at: str
    numbers: Mapping[str, int]


def is_frozen(states: Mapping[Phase, PhaseState]) -> bool:
    """Whether everyone reads the guide as it was when the evaluation began."""
    return states[Phase.EVALUATE] is PhaseState.OPEN


def refusal_to_write(role: Role, states: Mapping[Phase, PhaseState]) -> str | None:
    """Why a person in this role may only read the guide now; None when they may write."""
    if is_frozen(states):
        return (
            "The guide can only be read while the evaluation is open, so that every answer is "
            "given with the same guide. It can be written again once the lead has locked the "
            "evaluation; until then the group discussion takes notes on training images."
        )
    if role is Role.REVIEWER:
        return "Reviewers read the guide; labelers in training and the lead write it."
    if role is Role.LABELER and states[Phase.TRAIN] is not PhaseState.OPEN:
        return "Labelers write the guide while they train, and the training isn't open."
    return None
