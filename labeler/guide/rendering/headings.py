"""Headings as paragraphs: Qt makes h1 to h6 larger by a factor that no style sheet can undo."""

HEADING_START = '<p class="{}">'
HEADING_END = "</p>"


def heading_html(html: str, *, rank: str) -> str:
    """A heading of a rank that the style sheet knows: title, heading or lesser."""
    return HEADING_START.format(rank) + html + HEADING_END
