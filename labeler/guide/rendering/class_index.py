"""The classes that a guide speaks of, with the pages that cover them or tell them apart."""

from collections.abc import Mapping
from dataclasses import dataclass

from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.addresses import find_addresses
from labeler.guide.links import GuideClassLink, parse_link
from labeler.guide.pages import Guide


@dataclass(frozen=True, slots=True)
class IndexedClass:
    """A class, the page that covers it, and the pages that only speak of it."""

    wnid: str
    name: str
    covered_by: str | None
    named_by: tuple[str, ...]


def build_class_index(guide: Guide, *, taxonomy: Taxonomy) -> tuple[IndexedClass, ...]:
    """All classes of the taxonomy that some page covers or links to, by name."""
    covering = {wnid: page.slug for page in guide.pages for wnid in page.wnids}
    naming = _linking_pages(guide)
    known = {wnid for wnid in covering.keys() | naming.keys() if taxonomy.is_class(wnid)}
    entries = (_entry(wnid, taxonomy, covering, naming) for wnid in known)
    return tuple(sorted(entries, key=lambda entry: (entry.name.casefold(), entry.wnid)))


def _linking_pages(guide: Guide) -> dict[str, list[str]]:
    """The pages that link to each class, each page once."""
    naming: dict[str, list[str]] = {}
    for page in guide.pages:
        links = (parse_link(a.written) for a in find_addresses(page.body) if not a.is_picture)
        for wnid in dict.fromkeys(link.wnid for link in links if isinstance(link, GuideClassLink)):
            naming.setdefault(wnid, []).append(page.slug)
    return naming


def _entry(
    wnid: str,
    taxonomy: Taxonomy,
    covering: Mapping[str, str],
    naming: Mapping[str, list[str]],
) -> IndexedClass:
    covered_by = covering.get(wnid)
    return IndexedClass(
        wnid=wnid,
        name=taxonomy.display_names[wnid],
        covered_by=covered_by,
        named_by=tuple(slug for slug in naming.get(wnid, ()) if slug != covered_by),
    )
