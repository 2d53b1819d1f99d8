"""Headings as paragraphs: Qt makes h1 to h6 larger by a factor that no style sheet can undo."""

OPEN_HEADING = '<p class="{}">'
CLOSE_HEADING = "</p>"


def heading(html: str, *, rank: str) -> str:
    """A heading of a rank that the style sheet knows: title, heading or lesser."""
    return OPEN_HEADING.format(rank) + html + CLOSE_HEADING
