"""Everything that is wrong with a page's text, for whoever is writing it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from labeler.core.errors import InputError
from labeler.guide.addresses import addresses
from labeler.guide.check import PageCheck
from labeler.guide.distinctions import parse_distinctions
from labeler.guide.front_matter import FrontMatter, parse_front_matter, split_front_matter
from labeler.guide.page import unify_line_ends
from labeler.guide.pages import line_with
from labeler.guide.sections import Heading, Section, parse_sections

_PAGE = "the page"


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong on a line; what forbids a page can't be published, only kept as a draft."""

    line: int
    sentence: str
    forbids: bool = True


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page is checked against, and the classes that other pages cover, by their titles."""

    check: PageCheck
    covered: Mapping[str, str]


def complaints(text: str, around: Surroundings) -> tuple[Complaint, ...]:
    """All complaints by line: the parser's, and those about classes and pages elsewhere."""
    found = set(_about_page(unify_line_ends(text), around))
    return tuple(sorted(found, key=lambda complaint: (complaint.line, complaint.sentence)))


def _about_page(text: str, around: Surroundings) -> Iterator[Complaint]:
    """What the parser says of each part by itself, so that one fault doesn't hide the next."""
    try:
        head, body = split_front_matter(text, file=_PAGE)
    except InputError as error:
        yield _said(error)
        return
    front = _tried(lambda: parse_front_matter(head, file=_PAGE))
    first_line = len(head) + 3
    sections = _tried(lambda: parse_sections(body, first_line=first_line, file=_PAGE))
    for part in (front, sections):
        if isinstance(part, Complaint):
            yield part
    if isinstance(front, FrontMatter):
        yield from _about_coverage(text, front, around)
        yield from _about_table(sections, front)
    yield from _about_addresses("\n".join(body), first_line=first_line, around=around)


def _about_table(sections: object, front: FrontMatter) -> Iterator[Complaint]:
    section = sections.get(Heading.HOW_TO_TELL) if isinstance(sections, dict) else None
    if isinstance(section, Section):
        covered = frozenset(front.wnids)
        told = _tried(lambda: parse_distinctions(section, covered=covered, file=_PAGE))
        if isinstance(told, Complaint):
            yield told


def _about_coverage(text: str, front: FrontMatter, around: Surroundings) -> Iterator[Complaint]:
    for wnid in front.wnids:
        line = line_with(wnid, text) or 1
        if not around.check.taxonomy.is_class(wnid):
            yield Complaint(line, f"{wnid} is no class of the taxonomy.")
        elif wnid in around.covered:
            sentence = f"{wnid} is covered by the page “{around.covered[wnid]}” already."
            yield Complaint(line, sentence)


def _about_addresses(body: str, *, first_line: int, around: Surroundings) -> Iterator[Complaint]:
    """Dead links and pictures, which a page may have for a while."""
    for address in addresses(body):
        objection = around.check.address(address)
        if objection:
            yield Complaint(first_line + address.line, objection[1], forbids=False)


def _tried(parse: Callable[[], object]) -> object:
    try:
        return parse()
    except InputError as error:
        return _said(error)


def _said(error: InputError) -> Complaint:
    column = f"{error.column}: " if error.column else ""
    return Complaint(error.line or 1, column + error.problem)
