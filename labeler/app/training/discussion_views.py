"""What the discussion shows: the group, the images, and one of them with all that was said."""

from dataclasses import dataclass

from labeler.app.picture_rows import PictureRow


@dataclass(frozen=True, slots=True)
class MemberView:
    """Somebody who has trained: in the group or not, and whether that can be changed."""

    code: str
    chosen: bool
    fixed: bool


@dataclass(frozen=True, slots=True)
class DiscussedAnswerView:
    """One labeler's first answer."""

    labeler: str
    label: str
    right: bool

    @property
    def word(self) -> str:
        return "right" if self.right else "wrong"


@dataclass(frozen=True, slots=True)
class NoteView:
    author: str
    when: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussedImageView:
    """The image under discussion; `classes` by wnid are those whose references are shown.

    `half_written` is a note that the viewer hasn't added yet.
    """

    image: int
    place: str
    answers: tuple[DiscussedAnswerView, ...]
    accepted: str
    classes: tuple[str, ...]
    notes: tuple[NoteView, ...]
    half_written: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussionView:
    """The whole screen; without images `sentence` says why there are none."""

    members: tuple[MemberView, ...]
    summary: str
    rows: tuple[PictureRow, ...]
    current: int | None
    discussed: DiscussedImageView | None
    sentence: str
