"""A new page to begin with: its front matter filled in, its five sections waiting."""

import re
import unicodedata
from collections.abc import Collection, Sequence

from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.page_text import table_header
from labeler.guide.sections import SectionHeading

_MAX_SLUG_LENGTH = 60


def new_page_text(wnids: Sequence[str], *, title: str, taxonomy: Taxonomy) -> str:
    """A page on these classes that says what WordNet says of them, and leaves the rest open.

    Sections without a word in them are complained about until somebody fills them.
    """
    names = [taxonomy.display_names[wnid] for wnid in wnids]
    listed = [f'  "{wnid}", # {name}' for wnid, name in zip(wnids, names, strict=True)]
    said = [
        f"- **{name}**: {taxonomy[wnid].gloss}." for wnid, name in zip(wnids, names, strict=True)
    ]
    return "\n".join(
        [
            "+++",
            f"title = {_quoted(title)}",
            "wnids = [",
            *listed,
            "]",
            "version = 1",
            'status = "unverified"',
            "sources = [",
            f"  {_quoted(f'WordNet 3.0, glosses of {_joined(names)}')},",
            "]",
            "+++",
            "",
            f"# {title}",
            "",
            *_section(SectionHeading.WHAT_IT_IS, *said),
            *_section(SectionHeading.HOW_TO_TELL, *table_header()),
            *_section(SectionHeading.TYPICAL_SCENES),
            *_section(SectionHeading.ALSO_VALID),
            *_section(SectionHeading.TRAPS),
        ]
    )


def page_title(wnids: Sequence[str], taxonomy: Taxonomy) -> str:
    """The classes' names as a heading: `Marmot and beaver`."""
    joined = _joined([taxonomy.display_names[wnid] for wnid in wnids])
    return joined[:1].upper() + joined[1:]


def page_slug(title: str, *, taken: Collection[str]) -> str:
    """A page's name made from its title, unlike all that are taken."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:_MAX_SLUG_LENGTH].strip("-") or "page"
    numbered = (f"{slug}-{number}" for number in range(2, len(taken) + 3))
    return slug if slug not in taken else next(name for name in numbered if name not in taken)


def _section(heading: SectionHeading, *lines: str) -> list[str]:
    return [f"## {heading.value}", "", *lines, ""]


def _joined(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
