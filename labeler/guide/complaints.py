"""Everything that is wrong with a page's text, for whoever is writing it."""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass

from labeler.core.errors import InputError
from labeler.core.taxonomy import Taxonomy
from labeler.guide.distinctions import parse_distinctions
from labeler.guide.front_matter import FrontMatter, parse_front_matter, split_front_matter
from labeler.guide.links import ToClass, ToPage, read_link, read_picture
from labeler.guide.page import unify_line_ends
from labeler.guide.sections import Heading, Section, parse_sections

_LINK = re.compile(r"(!?)\[[^\[\]]*\]\(([^()\s]*)\)")
_PAGE = "the page"


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong on a line; what forbids a page can't be published, only kept as a draft."""

    line: int
    sentence: str
    forbids: bool = True


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page may lead to: the classes, and the other pages with what they cover."""

    taxonomy: Taxonomy
    slugs: Set[str]
    covered: Mapping[str, str]


def complaints(text: str, around: Surroundings) -> tuple[Complaint, ...]:
    """All complaints by line: the parser's, and those about classes and pages elsewhere."""
    text = unify_line_ends(text)
    found = [*_about_form(text, around), *_about_links(text, around)]
    return tuple(sorted(set(found), key=lambda complaint: (complaint.line, complaint.sentence)))


def _about_form(text: str, around: Surroundings) -> Iterator[Complaint]:
    """What the parser says of each part by itself, so that one fault doesn't hide the next."""
    try:
        head, body = split_front_matter(text, file=_PAGE)
    except InputError as error:
        yield _said(error)
        return
    front = _tried(lambda: parse_front_matter(head, file=_PAGE))
    sections = _tried(lambda: parse_sections(body, first_line=len(head) + 3, file=_PAGE))
    for part in (front, sections):
        if isinstance(part, Complaint):
            yield part
    if isinstance(front, FrontMatter):
        yield from _about_coverage(text, front, around)
        yield from _about_table(sections, front)


def _about_table(sections: object, front: FrontMatter) -> Iterator[Complaint]:
    section = sections.get(Heading.HOW_TO_TELL) if isinstance(sections, dict) else None
    if isinstance(section, Section):
        covered = frozenset(front.wnids)
        told = _tried(lambda: parse_distinctions(section, covered=covered, file=_PAGE))
        if isinstance(told, Complaint):
            yield told


def _about_coverage(text: str, front: FrontMatter, around: Surroundings) -> Iterator[Complaint]:
    for wnid in front.wnids:
        line = _line_with(wnid, text)
        if not around.taxonomy.is_class(wnid):
            yield Complaint(line, f"{wnid} is no class of this study.")
        elif wnid in around.covered:
            sentence = f"{wnid} is covered by the page “{around.covered[wnid]}” already."
            yield Complaint(line, sentence)


def _about_links(text: str, around: Surroundings) -> Iterator[Complaint]:
    for number, line in enumerate(text.split("\n"), start=1):
        for is_picture, address in _LINK.findall(line):
            sentence = _dead_picture(address) if is_picture else _dead_link(address, around)
            if sentence:
                yield Complaint(number, sentence, forbids=False)


def _dead_link(address: str, around: Surroundings) -> str | None:
    match read_link(address):
        case ToClass(wnid) if not around.taxonomy.is_class(wnid):
            return f"The link leads to {wnid}, which is no class of this study."
        case ToPage(slug) if slug not in around.slugs:
            return f"The link leads to the page “{slug}”, which there isn't."
        case None:
            return f"“{address}” leads nowhere that a page may lead to."
    return None


def _dead_picture(address: str) -> str | None:
    known = read_picture(address) is not None
    return None if known else f"“{address}” is no picture that a page may show."


def _tried(parse: Callable[[], object]) -> object:
    try:
        return parse()
    except InputError as error:
        return _said(error)


def _said(error: InputError) -> Complaint:
    column = f"{error.column}: " if error.column else ""
    return Complaint(error.line or 1, column + error.problem)


def _line_with(words: str, text: str) -> int:
    lines = enumerate(text.split("\n"), start=1)
    return next((number for number, line in lines if words in line), 1)
