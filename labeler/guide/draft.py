"""Check and preview a page while it is being written."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from labeler.core.errors import InputError
from labeler.guide.check import PageCheck
from labeler.guide.distinctions import parse_distinctions
from labeler.guide.front_matter import FrontMatter, parse_front_matter, split_front_matter
from labeler.guide.markdown import find_addresses
from labeler.guide.page import GuidePage, normalize_newlines, parse_page_leniently
from labeler.guide.pages import find_line
from labeler.guide.reader import PageHtml
from labeler.guide.rendering.html import RenderOptions, render_page
from labeler.guide.rendering.html_tables import TableLayout
from labeler.guide.sections import Section, SectionHeading, parse_sections

_PAGE = "the page"


@dataclass(frozen=True, slots=True)
class PageProblem:
    """A problem on a line; a page with blocking problems can only be kept as a draft."""

    line: int
    sentence: str
    blocks_publishing: bool = True


@dataclass(frozen=True, slots=True)
class DraftContext:
    """What a page is checked against, and the titles of the pages that cover other classes."""

    check: PageCheck
    covered: Mapping[str, str]


def find_problems(text: str, context: DraftContext) -> tuple[PageProblem, ...]:
    """Return all problems by line: of the parser, of classes and of other pages."""
    found = set(_page_problems(normalize_newlines(text), context))
    return tuple(sorted(found, key=lambda problem: (problem.line, problem.sentence)))


def _page_problems(text: str, context: DraftContext) -> Iterator[PageProblem]:
    """Check each part by itself, so that one problem doesn't hide the next."""
    try:
        head, body = split_front_matter(text, file=_PAGE)
    except InputError as error:
        yield _problem_from(error)
        return
    front = _result_or_problem(lambda: parse_front_matter(head, file=_PAGE))
    first_line = len(head) + 3
    sections = _result_or_problem(lambda: parse_sections(body, first_line=first_line, file=_PAGE))
    for part in (front, sections):
        if isinstance(part, PageProblem):
            yield part
    if isinstance(front, FrontMatter):
        yield from _coverage_problems(text, front, context)
        yield from _table_problems(sections, front)
    yield from _address_problems("\n".join(body), first_line=first_line, context=context)


def _table_problems(sections: object, front: FrontMatter) -> Iterator[PageProblem]:
    section = sections.get(SectionHeading.HOW_TO_TELL) if isinstance(sections, dict) else None
    if isinstance(section, Section):
        covered = frozenset(front.wnids)
        parsed = _result_or_problem(
            lambda: parse_distinctions(section, covered=covered, file=_PAGE)
        )
        if isinstance(parsed, PageProblem):
            yield parsed


def _coverage_problems(
    text: str, front: FrontMatter, context: DraftContext
) -> Iterator[PageProblem]:
    for wnid in front.wnids:
        line = find_line(wnid, text) or 1
        if not context.check.taxonomy.is_class(wnid):
            yield PageProblem(line, f"{wnid} is not a class of the taxonomy.")
        elif wnid in context.covered:
            sentence = f"{wnid} is already covered by the page “{context.covered[wnid]}”."
            yield PageProblem(line, sentence)


def _address_problems(
    body: str, *, first_line: int, context: DraftContext
) -> Iterator[PageProblem]:
    """Yield broken links and missing pictures, which don't block publishing."""
    for address in find_addresses(body):
        objection = context.check.address(address)
        if objection:
            yield PageProblem(first_line + address.line, objection[1], blocks_publishing=False)


def _result_or_problem(parse: Callable[[], object]) -> object:
    try:
        return parse()
    except InputError as error:
        return _problem_from(error)


def _problem_from(error: InputError) -> PageProblem:
    column = f"{error.column}: " if error.column else ""
    return PageProblem(error.line or 1, column + error.problem)


@dataclass(frozen=True, slots=True)
class DraftPreview:
    """A preview of a draft as a page; `wnids` are the classes that it covers."""

    title: str
    wnids: tuple[str, ...]
    html: PageHtml
    complaints: tuple[PageProblem, ...]


def preview_draft(text: str, *, slug: str, context: DraftContext) -> DraftPreview:
    """Check and render a text, even if it has problems."""
    page = parse_page_leniently(text, slug=slug)
    return DraftPreview(
        title=page.title,
        wnids=page.wnids,
        html=render_page_html(page),
        complaints=find_problems(text, context),
    )


def render_page_html(page: GuidePage) -> PageHtml:
    """Render the page for wide and narrow views."""
    rendered = {tables: render_page(page, RenderOptions(tables=tables)) for tables in TableLayout}
    return PageHtml(wide=rendered[TableLayout.COLUMNS], narrow=rendered[TableLayout.STACKED])
