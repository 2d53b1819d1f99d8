"""The whole guide as plain data, in contents order, for the export templates."""

import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from PIL.Image import Image

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.labeling.blind_types import EncodedImage
from labeler.guide.contents import ContentsGroup, build_contents
from labeler.guide.coverage import guide_coverage
from labeler.guide.front_matter import PageSource, PageStatus
from labeler.guide.links import GuideClassLink, GuidePicture, PictureFile, parse_link
from labeler.guide.markdown import find_addresses
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide
from labeler.guide.picture_files import PictureLoader
from labeler.guide.rendering.document_tree import DocumentData, LinkResolver, page_tree
from labeler.guide.rendering.html import trust_sentence
from labeler.guide.schematics import SCHEMATIC_SCALE, schematic_size
from labeler.images.decoder import decode_illustration, decode_scaled
from labeler.images.unreadable import UnreadableImage


@dataclass(frozen=True, slots=True)
class IndexedClass:
    """A class, the page that covers it, and other pages that mention it."""

    wnid: str
    name: str
    covered_by: str | None
    named_by: tuple[str, ...]


def build_class_index(guide: Guide, *, taxonomy: Taxonomy) -> tuple[IndexedClass, ...]:
    """Return all classes that a page covers or links to, by name."""
    covering = {wnid: page.slug for page in guide.pages for wnid in page.wnids}
    linking = _linking_pages(guide)
    known = {wnid for wnid in covering.keys() | linking.keys() if taxonomy.is_class(wnid)}
    entries = (_entry(wnid, taxonomy, covering, linking) for wnid in known)
    return tuple(sorted(entries, key=lambda entry: (entry.name.casefold(), entry.wnid)))


def _linking_pages(guide: Guide) -> dict[str, list[str]]:
    """Return the pages that link to each class."""
    linking: dict[str, list[str]] = {}
    for page in guide.pages:
        links = (parse_link(a.written) for a in find_addresses(page.body) if not a.is_picture)
        for wnid in dict.fromkeys(link.wnid for link in links if isinstance(link, GuideClassLink)):
            linking.setdefault(wnid, []).append(page.slug)
    return linking


def _entry(
    wnid: str,
    taxonomy: Taxonomy,
    covering: Mapping[str, str],
    linking: Mapping[str, list[str]],
) -> IndexedClass:
    covered_by = covering.get(wnid)
    return IndexedClass(
        wnid=wnid,
        name=taxonomy.display_names[wnid],
        covered_by=covered_by,
        named_by=tuple(slug for slug in linking.get(wnid, ()) if slug != covered_by),
    )


# Sharp in print at the maximum width of a picture.
_MAX_SIZE = (1200, 1200)
_QUALITY = 88


class DocumentPictures:
    """Collects the pictures of the pages, each once, and records missing ones."""

    def __init__(
        self, own: PictureLoader, *, reference: Callable[[str, int], EncodedImage | None]
    ) -> None:
        """`reference` returns the reference image of a class by number, from 1."""
        self._own = own
        self._reference = reference
        self._assets: dict[str, bytes] = {}
        self._known: dict[GuidePicture, DocumentData | None] = {}

    @property
    def assets(self) -> Mapping[str, bytes]:
        """The pictures so far, by the names used in the data."""
        return self._assets

    @property
    def missing(self) -> tuple[GuidePicture, ...]:
        """The pictures that pages refer to but that can't be shown."""
        return tuple(picture for picture, shown in self._known.items() if shown is None)

    def take(self, picture: GuidePicture) -> DocumentData | None:
        """Return the picture's name and size for a template, or None if it can't be shown."""
        if picture not in self._known:
            self._known[picture] = self._encode(picture)
        return self._known[picture]

    def _encode(self, picture: GuidePicture) -> DocumentData | None:
        try:
            if isinstance(picture, PictureFile) and picture.is_schematic:
                return self._schematic(picture)
            image = self._decoded(picture)
        except UnreadableImage:
            return None
        if image is None:
            return None
        written = io.BytesIO()
        image.save(written, "JPEG", quality=_QUALITY)
        return self._asset(written.getvalue(), ".jpg", image.size)

    def _schematic(self, picture: PictureFile) -> DocumentData | None:
        content = self._own(picture.path)
        if content is None:
            return None
        width, height = (round(side * SCHEMATIC_SCALE) for side in schematic_size(content))
        return self._asset(content, ".svg", (width, height))

    def _asset(self, content: bytes, ending: str, size: tuple[int, int]) -> DocumentData:
        name = hashlib.sha256(content).hexdigest()[:16] + ending
        self._assets[name] = content
        return {"name": name, "width": size[0], "height": size[1]}

    def _decoded(self, picture: GuidePicture) -> Image | None:
        if isinstance(picture, PictureFile):
            content = self._own(picture.path)
            return decode_illustration(content, size=_MAX_SIZE) if content else None
        original = self._reference(picture.wnid, picture.number)
        if original is None:
            return None
        return decode_scaled(original.data, size=_MAX_SIZE, apply_exif=original.apply_exif)


_ABOUT = (
    "What each class is, which classes look like it, and the trait that distinguishes them: short "
    "enough to use while labeling an image.",
    "Find a class in the index at the end, or its family in the contents.",
)


@dataclass(frozen=True, slots=True)
class CoverDetails:
    """Details on the cover: the study, and the date of the export."""

    study: str | None
    made_on: date


def guide_document(
    guide: Guide, *, taxonomy: Taxonomy, pictures: DocumentPictures, imprint: CoverDetails
) -> DocumentData:
    """Return the guide as data for a template; `pictures` collects its pictures."""
    return _DocumentBuilder(guide, taxonomy, pictures, imprint).data()


def page_anchor(slug: str) -> str:
    """Return the anchor of a page in the document."""
    return f"page-{slug}"


def class_anchor(wnid: str) -> str:
    """Return the anchor of a class in the index."""
    return f"class-{wnid}"


class _DocumentBuilder:
    """Builds one document; it knows all anchors, so that no link is broken."""

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
            ["Distinguishes", f"{covered.told_apart:,} pairs of classes"],
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
        """Return the page that covers the class; on that page itself and for others, the index."""
        if wnid not in self._covered_by:
            return None
        covered_by = self._covered_by[wnid]
        elsewhere = covered_by is not None and covered_by != page.slug
        return page_anchor(covered_by) if covered_by and elsewhere else class_anchor(wnid)


def _source(source: PageSource) -> DocumentData:
    read = source.read.isoformat() if source.read else None
    return {"title": source.title, "url": source.url, "read": read}
