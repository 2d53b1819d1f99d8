"""Render a page's Markdown as the HTML subset of Qt's text browser, without active content."""

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
        "The distinguishing traits were checked in the sources below, in part as excerpts."
    ),
    PageStatus.UNVERIFIED: (
        "Unverified: not every distinguishing trait on this page was checked in a source."
    ),
}
assert set(_STATUS_SENTENCES) == set(PageStatus), "every status has a sentence"


def render_footer(page: GuidePage) -> str:
    """Render the page's status, version and sources; addresses are plain text."""
    sources = "".join(f"<li>{_source(source)}</li>" for source in page.sources)
    listed = f"<ul>{sources}</ul>" if sources else ""
    heading = heading_html("Sources", rank="heading")
    return f'{heading}<div class="foot"><p>{trust_sentence(page)}</p>{listed}</div>'


def trust_sentence(page: GuidePage) -> str:
    """Return a sentence on how far the page was verified, and its version."""
    return f"{_STATUS_SENTENCES[page.status]} Version {page.version}."


def _source(source: PageSource) -> str:
    parts = [escape(source.title)]
    if source.url:
        parts.append(f'<span class="address">{escape(source.url)}</span>')
    if source.read:
        parts.append(f"read {source.read.isoformat()}")
    return ", ".join(parts)


# Tags that are the same in HTML and need no attributes.
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
    """Options for rendering: the class in focus, and the pages that cover other classes."""

    focus: str | None = None
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    tables: TableLayout = TableLayout.COLUMNS


def render_page(page: GuidePage, reading: RenderOptions | None = None) -> str:
    """Render the page as the contents of an HTML body; colours come from a style sheet."""
    tokens = _without_paragraphs_around_pictures(parse_markdown(page.body))
    others = {
        w: slug for w, slug in (reading or RenderOptions()).elsewhere.items() if slug != page.slug
    }
    writer = _HtmlWriter(reading or RenderOptions(), others)
    head = heading_html(escape(page.title), rank="title")
    return head + "".join(writer.blocks(_without_title(tokens))) + render_footer(page)


def picture_addresses(html: str) -> tuple[str, ...]:
    """Return the addresses of the pictures in a rendered page."""
    return tuple(unescape(found[1]) for found in _PICTURE.finditer(html))


def without_missing_pictures(html: str, *, shows: Callable[[str], bool]) -> str:
    """Replace each picture that can't be shown by its description."""

    missing = {address for address in picture_addresses(html) if not shows(address)}

    def keep_or_describe(found: re.Match[str]) -> str:
        return _missing_picture(unescape(found[2])) if unescape(found[1]) in missing else found[0]

    def keep_or_drop(gallery: re.Match[str]) -> str:
        addresses = picture_addresses(gallery[0])
        return "" if all(a in missing and a.startswith("ref:") for a in addresses) else gallery[0]

    return _PICTURE.sub(keep_or_describe, GALLERY.sub(keep_or_drop, html))


def _without_title(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens without top-level headings: the title is in the front matter."""
    inside = False
    for token in tokens:
        if token.tag == _TITLE and token.type in ("heading_open", "heading_close"):
            inside = token.type == "heading_open"
        elif not inside:
            yield token


def _without_paragraphs_around_pictures(tokens: list[Token]) -> list[Token]:
    """Hide paragraphs around pictures, which are laid out as a table."""
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.type == "inline" and has_only_pictures(token.children or ()):
            before.hidden = after.hidden = before.type == "paragraph_open"
    return tokens


def _missing_picture(words: str) -> str:
    text = f"No picture: {words}" if words else "No picture"
    return f'<span class="missing">[{escape(text)}]</span>'


@dataclass(slots=True)
class _HtmlWriter:
    """Writes known tokens as HTML; of unknown tokens only their text, escaped."""

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
        """Yield the pictures of a paragraph without text, each with its description."""
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
        """Open an allowed link; of others only the text is kept."""
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
        """Return a link to the other page that covers the class, once per page."""
        slug = self.elsewhere.get(wnid)
        if slug is None or wnid in self.repeated:
            return ""
        self.repeated.add(wnid)
        link = f'<a href="{GuidePageLink(slug).address}">its page</a>'
        return f' <span class="page-link">({link})</span>'

    def _rows(self, tokens: Iterator[Token]) -> Iterator[list[HtmlCell]]:
        """Yield the rows of the table that was just opened."""
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
    """Render a token that is neither a link nor a picture."""
    if token.tag in _SAME_IN_HTML:
        # Paragraphs of a tight list are hidden.
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
