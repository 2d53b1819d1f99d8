"""What a person is asked before a permanent change."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A heading, what is lost or ended, and the text of the button."""

    heading: str
    words: str
    button_text: str
