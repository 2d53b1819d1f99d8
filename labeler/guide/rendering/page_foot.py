"""What stands below a page: how far it can be trusted, and what its author has read."""

from html import escape

from labeler.guide.front_matter import PageSource, PageStatus
from labeler.guide.page import GuidePage
from labeler.guide.rendering.headings import heading_html

_STATUS_SENTENCES = {
    PageStatus.VERIFIED: (
        "The traits that decide were read in the sources below, in part as excerpts."
    ),
    PageStatus.UNVERIFIED: (
        "Unverified: not every trait that decides on this page was read in a source."
    ),
}
assert set(_STATUS_SENTENCES) == set(PageStatus), "every status is told"


def render_footer(page: GuidePage) -> str:
    """The page's status, version and sources; addresses are words, nothing to follow."""
    sources = "".join(f"<li>{_source(source)}</li>" for source in page.sources)
    listed = f"<ul>{sources}</ul>" if sources else ""
    head = heading_html("Sources", rank="heading")
    return f'{head}<div class="foot"><p>{trust_sentence(page)}</p>{listed}</div>'


def trust_sentence(page: GuidePage) -> str:
    """How far the page can be trusted, in a sentence, and its version."""
    return f"{_STATUS_SENTENCES[page.status]} Version {page.version}."


def _source(source: PageSource) -> str:
    parts = [escape(source.title)]
    if source.url:
        parts.append(f'<span class="address">{escape(source.url)}</span>')
    if source.read:
        parts.append(f"read {source.read.isoformat()}")
    return ", ".join(parts)
