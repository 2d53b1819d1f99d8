"""A page's Markdown as a tree of plain data for HTML and print templates."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markdown_it.tree import SyntaxTreeNode

from labeler.guide.distinctions import DISTINCTION_COLUMNS
from labeler.guide.links import (
    ExternalLink,
    GuideClassLink,
    GuidePageLink,
    GuidePicture,
    ReferencePicture,
    parse_link,
    parse_picture,
)
from labeler.guide.markdown import has_only_pictures, parse_markdown

DocumentData = dict[str, object]
_TITLE = "h1"


@dataclass(frozen=True, slots=True)
class LinkResolver:
    """Resolves the links and pictures of a page.

    `to_class` and `to_page` return the anchor of a class or page, or None; `picture` returns the
    picture as data for a template.
    """

    to_class: Callable[[str], str | None]
    to_page: Callable[[str], str | None]
    picture: Callable[[GuidePicture], DocumentData | None]


def page_tree(body: str, links: LinkResolver) -> list[DocumentData]:
    """Return the blocks of a page without top-level headings, because the title is separate."""
    return list(_TreeBuilder(links).blocks(SyntaxTreeNode(parse_markdown(body))))


@dataclass(frozen=True, slots=True)
class _TreeBuilder:
    """Converts known nodes to data; of unknown nodes only the text is kept."""

    links: LinkResolver

    def blocks(self, node: SyntaxTreeNode) -> Iterator[DocumentData]:
        for child in node.children:
            if child.tag != _TITLE and not self._lacks_all_references(child):
                yield self._block(child)

    def _lacks_all_references(self, node: SyntaxTreeNode) -> bool:
        """Whether a paragraph shows nothing but reference images that aren't there."""
        written = node.children[0].token if node.type == "paragraph" else None
        if written is None or not has_only_pictures(written.children or ()):
            return False
        images = (token for token in written.children or () if token.type == "image")
        shown = [parse_picture(str(token.attrGet("src"))) for token in images]
        return all(
            isinstance(picture, ReferencePicture) and self.links.picture(picture) is None
            for picture in shown
        )

    def _block(self, node: SyntaxTreeNode) -> DocumentData:
        match node.type:
            case "paragraph":
                return self._paragraph(node)
            case "table":
                return self._table(node)
            case "bullet_list" | "ordered_list":
                return self._list(node)
            case "heading" | "blockquote":
                return self._heading_or_quote(node)
        return {"kind": "rule"} if node.type == "hr" else _code(node, kind="block_code")

    def _heading_or_quote(self, node: SyntaxTreeNode) -> DocumentData:
        if node.type == "blockquote":
            return {"kind": "quote", "blocks": list(self.blocks(node))}
        # The page's title has level 2, its sections level 3.
        level = min(int(node.tag[1:]) + 1, 4)
        return {"kind": "heading", "level": level, "inline": self._inside(node)}

    def _paragraph(self, node: SyntaxTreeNode) -> DocumentData:
        inline = self._inside(node)
        token = node.children[0].token
        if token and has_only_pictures(token.children or ()):
            shown = [part for part in inline if part["kind"] in ("picture", "missing")]
            return {"kind": "pictures", "pictures": shown}
        return {"kind": "paragraph", "inline": inline}

    def _list(self, node: SyntaxTreeNode) -> DocumentData:
        ordered = node.type == "ordered_list"
        return {
            "kind": "list",
            "ordered": ordered,
            "start": int(node.attrs.get("start", 1)) if ordered else 1,
            "items": [list(self.blocks(item)) for item in node.children],
        }

    def _table(self, node: SyntaxTreeNode) -> DocumentData:
        head, *rest = node.children
        rows = [row for part in rest for row in part.children]
        cells = head.children[0].children
        header = tuple(cell.children[0].content for cell in cells)
        return {
            "kind": "table",
            "distinctions": header == DISTINCTION_COLUMNS,
            "head": [self._inside(cell) for cell in cells],
            "rows": [[self._inside(cell) for cell in row.children] for row in rows],
        }

    def _inside(self, node: SyntaxTreeNode) -> list[DocumentData]:
        """Return the inline parts of a block."""
        return [part for inline in node.children for part in self._parts(inline)]

    def _parts(self, node: SyntaxTreeNode) -> list[DocumentData]:
        return [self._part(child) for child in node.children]

    def _part(self, node: SyntaxTreeNode) -> DocumentData:
        match node.type:
            case "strong" | "em":
                return {"kind": node.type, "inline": self._parts(node)}
            case "link":
                return self._link(node)
            case "image":
                return self._image(node)
            case "code_inline":
                return _code(node, kind="code")
            case "hardbreak":
                return {"kind": "break"}
        return {"kind": "text", "text": " " if node.type == "softbreak" else node.content}

    def _link(self, node: SyntaxTreeNode) -> DocumentData:
        """Return a resolved link; otherwise its text, with the address if it is external."""
        inline = self._parts(node)
        match parse_link(str(node.attrs.get("href", ""))):
            case GuideClassLink(wnid) if to := self.links.to_class(wnid):
                return {"kind": "class", "to": to, "inline": inline}
            case GuidePageLink(slug) if to := self.links.to_page(slug):
                return {"kind": "page", "to": to, "inline": inline}
            case ExternalLink(address) if node.markup != "autolink":
                return {"kind": "outside", "address": address, "inline": inline}
        return {"kind": "words", "inline": inline}

    def _image(self, node: SyntaxTreeNode) -> DocumentData:
        picture = parse_picture(str(node.attrs.get("src", "")))
        shown = self.links.picture(picture) if picture else None
        if shown is None:
            return {"kind": "missing", "words": node.content}
        return {"kind": "picture", "words": node.content, **shown}


def _code(node: SyntaxTreeNode, *, kind: str) -> DocumentData:
    return {"kind": kind, "text": node.content.rstrip("\n")}
