"""The reasons why an image can't be used, with a message for each."""

from enum import StrEnum

from labeler.core.errors import RefusedError


class UnreadableReason(StrEnum):
    """Why an image file can't be decoded."""

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
        """Return whether the computer is the cause rather than the file, so a retry may help."""
        return self in (
            UnreadableReason.MISSING,
            UnreadableReason.NO_PERMISSION,
            UnreadableReason.READ_FAILED,
        )

    @property
    def fragment(self) -> str:
        """Return the text that follows "1 image" or "3 files" in a summary."""
        return _FRAGMENTS[self]


_FRAGMENTS = {
    UnreadableReason.EMPTY: "with an empty file (0 bytes)",
    UnreadableReason.NOT_AN_IMAGE: "in an unknown format",
    UnreadableReason.TRUNCATED: "incomplete or damaged",
    UnreadableReason.TOO_LARGE: "with too many pixels to be decoded safely",
    UnreadableReason.UNSUPPORTED_PIXELS: "with pixel values that 8-bit colour can't represent",
    UnreadableReason.MISSING: "whose file is missing",
    UnreadableReason.NO_PERMISSION: "without read permission",
    UnreadableReason.NOT_A_FILE: "whose path isn't a regular file",
    UnreadableReason.READ_FAILED: "that couldn't be read from the disk",
    UnreadableReason.CHANGED: "with other contents than when added",
}

_SENTENCES = {
    UnreadableReason.EMPTY: "The image file is empty. Copy it again from its source.",
    UnreadableReason.NOT_AN_IMAGE: (
        "The file isn't an image in a known format. Replace it or leave it out."
    ),
    UnreadableReason.TRUNCATED: (
        "The image is incomplete or damaged. Copy it again from its source."
    ),
    UnreadableReason.TOO_LARGE: (
        "The image is too large to be decoded safely. Shrink it or leave it out."
    ),
    UnreadableReason.UNSUPPORTED_PIXELS: (
        "The pixel values can't be converted to 8-bit colour. Save it as an 8-bit image."
    ),
    UnreadableReason.MISSING: "The image file is missing. Put it back, or connect its drive.",
    UnreadableReason.NO_PERMISSION: (
        "There is no permission to read the image file. Change its permissions."
    ),
    UnreadableReason.NOT_A_FILE: "The image's path isn't a regular file. Put the file back.",
    UnreadableReason.READ_FAILED: (
        "The image file couldn't be read from the disk. Check the disk and try again."
    ),
    UnreadableReason.CHANGED: (
        "The image file has changed since it was added. Put the old file back."
    ),
}

assert set(_FRAGMENTS) == set(_SENTENCES) == set(UnreadableReason)


class UnreadableImage(RefusedError):
    """An image that can't be used; a labeler may see the message, so it never names the file."""

    def __init__(self, reason: UnreadableReason) -> None:
        super().__init__(_SENTENCES[reason])
        self.reason = reason
