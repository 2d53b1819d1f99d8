"""A page's Markdown as the HTML that Qt's text browser knows, with nothing in it that acts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape

from markdown_it.token import Token

from labeler.guide.front_matter import PageSource, PageStatus
from labeler.guide.links import (
    ExternalLink,
    GuideClassLink,
    GuidePageLink,
    parse_link,
    parse_picture,
)
from labeler.guide.markdown import has_only_pictures, parse_markdown
from labeler.guide.page import GuidePage
from labeler.guide.rendering.html_style import HEADING_END, HEADING_START, heading_html
from labeler.guide.rendering.html_tables import (
    GALLERY,
    HtmlCell,
    TableLayout,
    render_pictures,
    render_table,
)

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


# Tags that mean in HTML what they mean in Markdown, and need no attribute.
_SAME_IN_HTML = frozenset({"p", "ul", "ol", "li", "blockquote", "strong", "em"})
_TOKEN_HTML = {
    "code_inline": "<code>{}</code>",
    "code_block": "<pre>{}</pre>",
    "fence": "<pre>{}</pre>",
    "hr": "<hr />",
    "hardbreak": "<br />",
    "softbreak": "\n",
}
_PICTURE = re.compile(r'<img src="([^"]*)" alt="([^"]*)" />')
_TITLE = "h1"


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """For whom a page is rendered: the class it was opened at, and the pages next to it."""

    focus: str | None = None
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    tables: TableLayout = TableLayout.COLUMNS


def render_page(page: GuidePage, reading: RenderOptions | None = None) -> str:
    """The page as the contents of an HTML body; a style sheet gives it its colours."""
    tokens = _without_paragraphs_around_pictures(parse_markdown(page.body))
    others = {
        w: slug for w, slug in (reading or RenderOptions()).elsewhere.items() if slug != page.slug
    }
    writer = _HtmlWriter(reading or RenderOptions(), others)
    head = heading_html(escape(page.title), rank="title")
    return head + "".join(writer.blocks(_without_title(tokens))) + render_footer(page)


def picture_addresses(html: str) -> tuple[str, ...]:
    """The addresses of the pictures in a rendered page."""
    return tuple(unescape(found[1]) for found in _PICTURE.finditer(html))


def without_missing_pictures(html: str, *, shows: Callable[[str], bool]) -> str:
    """Put words in the place of each picture whose address can't be shown.

    A row of reference images of which none is there, as in a study without any, is left out.
    """

    missing = {address for address in picture_addresses(html) if not shows(address)}

    def keep_or_describe(found: re.Match[str]) -> str:
        return _missing_picture(unescape(found[2])) if unescape(found[1]) in missing else found[0]

    def keep_or_drop(gallery: re.Match[str]) -> str:
        addresses = picture_addresses(gallery[0])
        return "" if all(a in missing and a.startswith("ref:") for a in addresses) else gallery[0]

    return _PICTURE.sub(keep_or_describe, GALLERY.sub(keep_or_drop, html))


def _without_title(tokens: Sequence[Token]) -> Iterator[Token]:
    """Leave out first-rank headings: the page's title is in its front matter."""
    inside = False
    for token in tokens:
        if token.tag == _TITLE and token.type in ("heading_open", "heading_close"):
            inside = token.type == "heading_open"
        elif not inside:
            yield token


def _without_paragraphs_around_pictures(tokens: list[Token]) -> list[Token]:
    """Pictures by themselves are laid out as a table, which can't stand inside a paragraph."""
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.type == "inline" and has_only_pictures(token.children or ()):
            before.hidden = after.hidden = before.type == "paragraph_open"
    return tokens


def _missing_picture(words: str) -> str:
    text = f"No picture: {words}" if words else "No picture"
    return f'<span class="missing">[{escape(text)}]</span>'


@dataclass(slots=True)
class _HtmlWriter:
    """Writes known tokens as HTML; of an unknown one only its text, escaped."""

    reading: RenderOptions
    elsewhere: Mapping[str, str]
    repeated: set[str] = field(default_factory=set)
    ends: list[str] = field(default_factory=list)

    def blocks(self, tokens: Iterator[Token]) -> Iterator[str]:
        for token in tokens:
            if token.type == "table_open":
                yield render_table(
                    list(self._rows(tokens)), tables=self.reading.tables, focus=self.reading.focus
                )
            elif token.type == "inline" and has_only_pictures(token.children or ()):
                yield render_pictures(self._pictures(token), tables=self.reading.tables)
            elif token.type == "inline":
                yield self.inline(token.children or ())
            else:
                yield _plain(token)

    def _pictures(self, token: Token) -> Iterator[HtmlCell]:
        """The pictures of a paragraph that has nothing else, each with its words."""
        for image in token.children or ():
            if image.type == "image":
                yield HtmlCell(_image(image), escape(image.content), frozenset())

    def inline(self, tokens: Sequence[Token]) -> str:
        return "".join(self._inline_token(token) for token in tokens)

    def _inline_token(self, token: Token) -> str:
        match token.type:
            case "link_open":
                return self._open_link(token)
            case "link_close":
                return self.ends.pop()
            case "image":
                return _image(token)
            case _:
                return _plain(token)

    def _open_link(self, token: Token) -> str:
        """Start a link that the guide may follow; of others only the words are left."""
        link = parse_link(_address(token))
        match link:
            case GuideClassLink(wnid):
                start, end = ("<b>", "</b>") if wnid == self.reading.focus else ("", "")
                self.ends.append(f"</a>{end}{self._covering_page_link(wnid)}")
                return f'{start}<a href="{link.address}">'
            case GuidePageLink():
                self.ends.append("</a>")
                return f'<a href="{link.address}">'
            case ExternalLink(outside) if token.markup != "autolink":
                self.ends.append(f' <span class="address">({escape(outside)})</span>')
            case _:
                self.ends.append("")
        return ""

    def _covering_page_link(self, wnid: str) -> str:
        """A way to the other page that covers the class, once per page."""
        slug = self.elsewhere.get(wnid)
        if slug is None or wnid in self.repeated:
            return ""
        self.repeated.add(wnid)
        return (
            f' <span class="beside">(<a href="{GuidePageLink(slug).address}">its page</a>)</span>'
        )

    def _rows(self, tokens: Iterator[Token]) -> Iterator[list[HtmlCell]]:
        """The rows of the table that just opened, up to its end."""
        row: list[HtmlCell] = []
        for token in tokens:
            if token.type == "table_close":
                return
            if token.type == "tr_close":
                yield row
                row = []
            elif token.type == "inline":
                children = token.children or ()
                row.append(HtmlCell(self.inline(children), token.content, _classes(children)))


def _plain(token: Token) -> str:
    """A token that leads nowhere and shows no picture."""
    if token.tag in _SAME_IN_HTML:
        # A tight list's paragraphs are hidden: its items stand close.
        return "" if token.hidden else f"<{'/' * (token.nesting < 0)}{token.tag}>"
    if token.type == "heading_open":
        return HEADING_START.format("heading" if token.tag == "h2" else "lesser")
    if token.type == "heading_close":
        return HEADING_END
    written = escape(token.content)
    return _TOKEN_HTML.get(token.type, "{}").format(written)


def _classes(tokens: Sequence[Token]) -> frozenset[str]:
    links = (parse_link(_address(token)) for token in tokens)
    return frozenset(link.wnid for link in links if isinstance(link, GuideClassLink))


def _address(token: Token) -> str:
    return str(token.attrGet("href") or "")


def _image(token: Token) -> str:
    words = token.content
    picture = parse_picture(str(token.attrGet("src") or ""))
    if picture is None:
        return _missing_picture(words)
    return f'<img src="{escape(picture.address)}" alt="{escape(words)}" />'
