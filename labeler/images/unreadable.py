"""Why an image can't be used, as a closed set of reasons with a sentence for each."""

from enum import StrEnum

from labeler.core.errors import RefusedError


class UnreadableReason(StrEnum):
    """Why an image file can't become pixels."""

    EMPTY = "empty"
    NOT_AN_IMAGE = "not_an_image"
    TRUNCATED = "truncated"
    TOO_LARGE = "too_large"
    UNSUPPORTED_PIXELS = "unsupported_pixels"
    MISSING = "missing"
    NO_PERMISSION = "no_permission"
    NOT_A_FILE = "not_a_file"
    READ_FAILED = "read_failed"
    CHANGED = "changed"

    @property
    def is_transient(self) -> bool:
        """Whether it is the machine's fault rather than the file's, and worth another try."""
        return self in (
            UnreadableReason.MISSING,
            UnreadableReason.NO_PERMISSION,
            UnreadableReason.READ_FAILED,
        )

    @property
    def fragment(self) -> str:
        """What follows "1 image …" as well as "3 files …" in a summary."""
        return _FRAGMENTS[self]


_FRAGMENTS = {
    UnreadableReason.EMPTY: "that held nothing (0 bytes)",
    UnreadableReason.NOT_AN_IMAGE: "in no image format that is known here",
    UnreadableReason.TRUNCATED: "cut short or damaged",
    UnreadableReason.TOO_LARGE: "with too many pixels to be decoded safely",
    UnreadableReason.UNSUPPORTED_PIXELS: "with pixel values that don't translate to 8-bit colour",
    UnreadableReason.MISSING: "not to be found",
    UnreadableReason.NO_PERMISSION: "that may not be read",
    UnreadableReason.NOT_A_FILE: "in whose place lies something else",
    UnreadableReason.READ_FAILED: "that the disk failed to deliver",
    UnreadableReason.CHANGED: "with other contents than when added",
}

_SENTENCES = {
    UnreadableReason.EMPTY: "The image's file is empty: copy it again from its source.",
    UnreadableReason.NOT_AN_IMAGE: "The file is no image in a known format: replace it or leave "
    "it out.",
    UnreadableReason.TRUNCATED: "The image is cut short or damaged: copy it again from its source.",
    UnreadableReason.TOO_LARGE: "The image is too large to be decoded safely: shrink it or "
    "leave it out.",
    UnreadableReason.UNSUPPORTED_PIXELS: (
        "The image's pixel values don't translate to 8-bit colour: save it as an 8-bit image."
    ),
    UnreadableReason.MISSING: "The image's file is not there: put it back, or connect the disk "
    "it lies on.",
    UnreadableReason.NO_PERMISSION: "The image's file may not be read: change its permissions.",
    UnreadableReason.NOT_A_FILE: "In the place of the image's file lies something else: put the "
    "file back.",
    UnreadableReason.READ_FAILED: "The disk failed to deliver the image's file: check the disk "
    "and retry.",
    UnreadableReason.CHANGED: "The image's file has changed since it was added: put the old "
    "file back.",
}

assert set(_FRAGMENTS) == set(_SENTENCES) == set(UnreadableReason)


class UnreadableImage(RefusedError):
    """An image that can't be used; a labeler may see the message, so it never names the file."""

    def __init__(self, reason: UnreadableReason) -> None:
        super().__init__(_SENTENCES[reason])
        self.reason = reason
