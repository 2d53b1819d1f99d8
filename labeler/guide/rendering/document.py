"""The whole guide as plain data, in the order of its contents, for the export's templates."""

from dataclasses import dataclass
from datetime import date

from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.contents import ContentsGroup, build_contents
from labeler.guide.coverage import guide_coverage
from labeler.guide.front_matter import PageSource, PageStatus
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide
from labeler.guide.rendering.class_index import IndexedClass, build_class_index
from labeler.guide.rendering.document_tree import DocumentData, LinkResolver, page_tree
from labeler.guide.rendering.page_foot import trust_sentence
from labeler.guide.rendering.printed_pictures import DocumentPictures

_ABOUT = (
    "For somebody who has a picture in front of them and thirty seconds: what each class is, which "
    "classes look like it, and the trait that decides.",
    "Look a class up in the index at the end, or its family in the contents.",
)


@dataclass(frozen=True, slots=True)
class CoverDetails:
    """What the cover says besides the guide itself: of which study, and when it was printed."""

    study: str | None
    made_on: date


def guide_document(
    guide: Guide, *, taxonomy: Taxonomy, pictures: DocumentPictures, imprint: CoverDetails
) -> DocumentData:
    """The guide for a template; its pictures are gathered on the way."""
    return _DocumentBuilder(guide, taxonomy, pictures, imprint).data()


def page_anchor(slug: str) -> str:
    """The name of a page's place in the document."""
    return f"page-{slug}"


def class_anchor(wnid: str) -> str:
    """The name of a class's place in the index."""
    return f"class-{wnid}"


class _DocumentBuilder:
    """Knows all places of one document, so that no link in it is dead."""

    def __init__(
        self, guide: Guide, taxonomy: Taxonomy, pictures: DocumentPictures, imprint: CoverDetails
    ) -> None:
        self._guide = guide
        self._taxonomy = taxonomy
        self._pictures = pictures
        self._imprint = imprint
        self._pages = {page.slug: page for page in guide.pages}
        self._index = build_class_index(guide, taxonomy=taxonomy)
        self._covered_by = {entry.wnid: entry.covered_by for entry in self._index}

    def data(self) -> DocumentData:
        groups = build_contents(self._guide, taxonomy=self._taxonomy)
        return {
            "title": "Labeling guide",
            "subtitle": self._imprint.study or "ImageNet’s classes and their look-alikes",
            "about": list(_ABOUT),
            "facts": self._facts(),
            "groups": [self._group(group) for group in groups],
            "index": [self._indexed(entry) for entry in self._index],
        }

    def _facts(self) -> list[list[str]]:
        covered = guide_coverage(self._guide, taxonomy=self._taxonomy)
        unverified = sum(page.status is PageStatus.UNVERIFIED for page in self._guide.pages)
        day = self._imprint.made_on
        return [
            ["Covers", f"{covered.covered:,} of {covered.classes:,} classes"],
            ["Tells apart", f"{covered.told_apart:,} pairs of classes"],
            ["Pages", f"{covered.pages:,}, of which {unverified:,} unverified"],
            ["Version", self._guide.version],
            ["Exported", f"{day.day} {day:%B %Y}"],
        ]

    def _group(self, group: ContentsGroup) -> DocumentData:
        pages = [self._page(self._pages[entry.slug]) for entry in group.entries]
        return {"title": group.title, "pages": pages}

    def _page(self, page: GuidePage) -> DocumentData:
        return {
            "place": page_anchor(page.slug),
            "title": page.title,
            "verified": page.status is PageStatus.VERIFIED,
            "trust": trust_sentence(page),
            "classes": [self._covered(wnid) for wnid in page.wnids if wnid in self._covered_by],
            "blocks": page_tree(page.body, self._link_resolver(page)),
            "sources": [_source(source) for source in page.sources],
        }

    def _covered(self, wnid: str) -> DocumentData:
        node = self._taxonomy[wnid]
        return {
            "wnid": wnid,
            "place": class_anchor(wnid),
            "name": self._taxonomy.display_names[wnid],
            "others": list(node.lemmas[1:]),
            "gloss": node.gloss,
        }

    def _indexed(self, entry: IndexedClass) -> DocumentData:
        covered_by, named_by = entry.covered_by, entry.named_by
        return {
            **self._covered(entry.wnid),
            "covered_by": self._page_link(covered_by) if covered_by else None,
            "named_by": [self._page_link(slug) for slug in named_by],
        }

    def _page_link(self, slug: str) -> DocumentData:
        return {"to": page_anchor(slug), "title": self._pages[slug].title}

    def _link_resolver(self, page: GuidePage) -> LinkResolver:
        return LinkResolver(
            to_class=lambda wnid: self._class_target(wnid, page),
            to_page=lambda slug: page_anchor(slug) if slug in self._pages else None,
            picture=self._pictures.take,
        )

    def _class_target(self, wnid: str, page: GuidePage) -> str | None:
        """The page that covers the class; on that page itself, and for others, the index."""
        if wnid not in self._covered_by:
            return None
        covered_by = self._covered_by[wnid]
        elsewhere = covered_by is not None and covered_by != page.slug
        return page_anchor(covered_by) if covered_by and elsewhere else class_anchor(wnid)


def _source(source: PageSource) -> DocumentData:
    read = source.read.isoformat() if source.read else None
    return {"title": source.title, "url": source.url, "read": read}
