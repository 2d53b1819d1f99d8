"""Check a guide: the problems of every page, each with its file and line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import InputError, LabelerError
from labeler.guide.coverage import LookalikePair, unverified_rows
from labeler.guide.front_matter import PageStatus, split_front_matter
from labeler.guide.links import (
    GuideClassLink,
    GuidePageLink,
    PictureFile,
    ReferencePicture,
    parse_link,
    parse_picture,
)
from labeler.guide.markdown import LinkAddress, find_addresses
from labeler.guide.page import GuidePage, normalize_newlines, parse_page
from labeler.guide.pages import (
    Guide,
    find_duplicate_coverage,
    find_line,
    page_files,
    read_page_file,
)
from labeler.guide.picture_files import MAX_PICTURE_BYTES, check_picture, read_picture_file
from labeler.images.unreadable import UnreadableImage

# Returns the number of reference images of a class; unknown for a guide outside a study.
ReferenceCount = Callable[[str], int]
_UNLIMITED = 9999


class GuideFlaw(StrEnum):
    """The kinds of problems that a guide can have."""

    UNREADABLE = "page_refused"
    UNKNOWN_CLASS = "unknown_class"
    COVERED_TWICE = "covered_twice"
    NO_SOURCES = "no_sources"
    DEAD_LINK = "dead_link"
    NO_PICTURE = "no_picture"
    NOT_TOLD_APART = "not_told_apart"
    UNVERIFIED_ROW = "unverified_row"
    TOO_FEW_CLASSES = "too_few_classes"


@dataclass(frozen=True, slots=True)
class GuideFinding:
    """A problem of a guide, and where it is."""

    flaw: GuideFlaw
    sentence: str


@dataclass(frozen=True, slots=True)
class CheckedGuide:
    """The readable pages and all problems of the guide."""

    guide: Guide
    findings: tuple[GuideFinding, ...]


@dataclass(frozen=True, slots=True)
class _ReadPage:
    """A page with the text it was read from."""

    page: GuidePage
    file: Path
    text: str

    @property
    def first_line(self) -> int:
        """The line of the file on which the page's body begins."""
        head, body = split_front_matter(normalize_newlines(self.text), file=self.file)
        blank = next((number for number, line in enumerate(body) if line), 0)
        return len(head) + 3 + blank


def check_guide(
    folder: Path, *, taxonomy: Taxonomy, references: ReferenceCount | None = None
) -> CheckedGuide:
    """Check every page of the folder, even after one that can't be read."""
    read, findings = _read_all(folder)
    pages = {page_text.file: page_text.page for page_text in read}
    check = PageCheck(folder, taxonomy, references, frozenset(page.slug for page in pages.values()))
    for page_text in read:
        findings += check.page(page_text)
    texts = {page_text.file: page_text.text for page_text in read}
    for cover in find_duplicate_coverage(pages):
        line = find_line(cover.wnid, texts[cover.file])
        findings.append(_found(GuideFlaw.COVERED_TWICE, cover.sentence, file=cover.file, line=line))
    return CheckedGuide(Guide(tuple(pages.values())), tuple(findings))


def _read_all(folder: Path) -> tuple[list[_ReadPage], list[GuideFinding]]:
    read: list[_ReadPage] = []
    refused: list[GuideFinding] = []
    for file in page_files(folder):
        try:
            text = read_page_file(file, folder=folder)
            read.append(_ReadPage(parse_page(text, slug=file.stem, file=file), file, text))
        except LabelerError as error:
            refused.append(GuideFinding(GuideFlaw.UNREADABLE, str(error)))
    return read, refused


@dataclass(frozen=True, slots=True)
class PageCheck:
    """What pages are checked against."""

    folder: Path
    taxonomy: Taxonomy
    references: ReferenceCount | None
    slugs: frozenset[str]

    def page(self, page_text: _ReadPage) -> Iterator[GuideFinding]:
        """Yield the problems of a single page."""
        for wnid in page_text.page.wnids:
            if not self.taxonomy.is_class(wnid):
                line = find_line(wnid, page_text.text)
                yield _found(
                    GuideFlaw.UNKNOWN_CLASS, _no_class(wnid), file=page_text.file, line=line
                )
        if not page_text.page.sources:
            line = find_line("sources", page_text.text)
            problem = "The page has no sources. Add what its author has read."
            yield _found(GuideFlaw.NO_SOURCES, problem, file=page_text.file, line=line)
        if page_text.page.status is PageStatus.VERIFIED and unverified_rows(page_text.page):
            line = find_line("status", page_text.text)
            problem = "The page is “verified”, but a row is marked as unverified."
            yield _found(GuideFlaw.UNVERIFIED_ROW, problem, file=page_text.file, line=line)
        first = page_text.first_line
        for address in find_addresses(page_text.page.body):
            objection = self.address(address)
            if objection:
                yield _found(*objection, file=page_text.file, line=first + address.line)

    def address(self, address: LinkAddress) -> tuple[GuideFlaw, str] | None:
        """Return the problem of a link or picture, or None."""
        return self._picture(address) if address.is_picture else self._link(address)

    def _link(self, address: LinkAddress) -> tuple[GuideFlaw, str] | None:
        match parse_link(address.written):
            case GuideClassLink(wnid) if not self.taxonomy.is_class(wnid):
                return GuideFlaw.UNKNOWN_CLASS, _no_class(wnid)
            case GuidePageLink(slug) if slug not in self.slugs:
                return (
                    GuideFlaw.DEAD_LINK,
                    f"The link goes to “{slug}.md”, but there is no such page.",
                )
            case None:
                return GuideFlaw.DEAD_LINK, (
                    f"The link “{address.written}” is not valid. Link to a class "
                    "(class:n02361337), a page (foxes.md) or an address (https://…)."
                )
        return None

    def _picture(self, address: LinkAddress) -> tuple[GuideFlaw, str] | None:
        match parse_picture(address.written):
            case ReferencePicture(wnid) if not self.taxonomy.is_class(wnid):
                return GuideFlaw.UNKNOWN_CLASS, _no_class(wnid)
            case ReferencePicture(wnid, number) if number > self._references(wnid):
                available = self._references(wnid)
                return GuideFlaw.NO_PICTURE, (
                    f"There is no reference image {number} of {wnid}; the study has {available}."
                )
            case PictureFile(path) as own if not self._is_readable(own):
                return GuideFlaw.NO_PICTURE, (
                    f"The picture “{path}” is missing from the guide's folder, can't be read, or "
                    f"is larger than {MAX_PICTURE_BYTES // 1024 // 1024} MB."
                )
            case None:
                return GuideFlaw.NO_PICTURE, (
                    f"The picture “{address.written}” can't be shown. Use a PNG, JPEG, WebP "
                    "or SVG file in the guide's folder (tails.png) or a reference image "
                    "(ref:n02361337/1)."
                )
        return None

    def _references(self, wnid: str) -> int:
        return _UNLIMITED if self.references is None else self.references(wnid)

    def _is_readable(self, picture: PictureFile) -> bool:
        content = read_picture_file(picture, folder=self.folder)
        if content is None:
            return False
        try:
            check_picture(picture, content)
        except UnreadableImage:
            return False
        return True


def undistinguished_pairs(
    pairs: Sequence[LookalikePair], guide: Guide, *, taxonomy: Taxonomy, file: Path
) -> Iterator[GuideFinding]:
    """Yield the listed pairs that no row distinguishes, and where a row should be added."""
    distinguished = frozenset(guide.pairs())
    for listed in pairs:
        if listed.pair not in distinguished:
            sentence = _undistinguished_sentence(listed, guide, taxonomy)
            yield _found(GuideFlaw.NOT_TOLD_APART, sentence, file=file, line=listed.line)


def _undistinguished_sentence(listed: LookalikePair, guide: Guide, taxonomy: Taxonomy) -> str:
    one, other = (f"“{taxonomy.display_names[wnid]}” ({wnid})" for wnid in listed.pair)
    pages = dict.fromkeys(page for wnid in listed.pair if (page := guide.page_for(wnid)))
    files = " or ".join(f"{page.slug}.md" for page in pages)
    where = f"add a row to {files}" if pages else "neither has a page"
    return f"No row distinguishes {one} from {other}; {where}."


def _no_class(wnid: str) -> str:
    return f"{wnid} is not a class of the taxonomy."


def _found(flaw: GuideFlaw, problem: str, *, file: Path, line: int | None) -> GuideFinding:
    return GuideFinding(flaw, str(InputError(problem, file=file, line=line)))
