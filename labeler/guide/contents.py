"""The guide's table of contents: pages grouped by the superclass of their classes."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from html import escape

from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.links import GuidePageLink
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide
from labeler.guide.rendering.html_style import heading_html


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A page's entry in the contents."""

    slug: str
    title: str


@dataclass(frozen=True, slots=True)
class ContentsGroup:
    """A superclass with the pages on its classes, in taxonomy order."""

    title: str
    entries: tuple[ContentsEntry, ...]


def build_contents(guide: Guide, *, taxonomy: Taxonomy) -> tuple[ContentsGroup, ...]:
    """Return all pages grouped by the superclass of most of their classes."""
    superclasses = default_groups(taxonomy).superclasses.values()
    group_of = {wnid: group.title for group in superclasses for wnid in group.wnids}
    grouped: dict[str, list[GuidePage]] = defaultdict(list)
    for page in sorted(guide.pages, key=lambda page: _sort_key(page, taxonomy)):
        grouped[_most_common(page, group_of)].append(page)
    order = [group.title for group in superclasses if group.title in grouped]
    unknown = [title for title in grouped if title not in order]
    return tuple(_group(title, grouped[title]) for title in (*order, *unknown))


def render_contents(groups: tuple[ContentsGroup, ...]) -> str:
    """Render the contents as the inside of an HTML body with a link to each page."""
    return heading_html("Guide", rank="title") + "".join(map(_group_html, groups))


def _group_html(group: ContentsGroup) -> str:
    links = (
        '<p class="entry"><a '
        f'href="{GuidePageLink(entry.slug).address}">{escape(entry.title)}</a></p>'
        for entry in group.entries
    )
    return heading_html(escape(group.title), rank="lesser") + "".join(links)


def _sort_key(page: GuidePage, taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the path of the page's first class; pages on unknown classes come last."""
    first = next((wnid for wnid in page.wnids if wnid in taxonomy), None)
    return ("", *taxonomy.paths(first)[0]) if first else ("~", page.slug)


def _most_common(page: GuidePage, group_of: dict[str, str]) -> str:
    counted = Counter(group_of[wnid] for wnid in page.wnids if wnid in group_of)
    return counted.most_common(1)[0][0] if counted else "Classes outside this taxonomy"


def _group(title: str, pages: list[GuidePage]) -> ContentsGroup:
    return ContentsGroup(title, tuple(ContentsEntry(page.slug, page.title) for page in pages))
