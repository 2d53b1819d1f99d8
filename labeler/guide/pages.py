"""The guide as a folder of pages."""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from labeler.core.errors import EnvironmentFault, InputError
from labeler.guide.distinctions import Distinction
from labeler.guide.front_matter import PageSource, PageStatus
from labeler.guide.page import GuidePage, normalize_newlines, parse_page, parse_page_leniently
from labeler.guide.picture_files import folder_picture_loader, named_pictures, picture_hash

__all__ = [
    "Distinction",
    "Guide",
    "GuidePage",
    "PageSource",
    "PageStatus",
    "load_guide",
    "parse_page",
]

# Files about the guide, which are no pages of it.
_NOT_PAGES = frozenset({"README.md", "REVIEW.md"})
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_VERSION_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Guide:
    """All pages of a guide, ordered by slug, and the hash of each picture file that they show."""

    pages: tuple[GuidePage, ...]
    pictures: Mapping[str, str] = field(default_factory=dict)

    def page_for(self, wnid: str) -> GuidePage | None:
        """The page that covers the class, where there is one."""
        return next((page for page in self.pages if wnid in page.wnids), None)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every pair of classes that some page tells apart, sorted."""
        rows = (row for page in self.pages for row in page.distinctions)
        return tuple(sorted({row.pair for row in rows}))

    @property
    def version(self) -> str:
        """A short hash over pages and pictures, which any change to any of them changes."""
        digest = hashlib.sha256()
        for page in sorted(self.pages, key=lambda page: page.slug):
            digest.update(f"{page.slug} {page.digest}\n".encode())
        for path, content in sorted(self.pictures.items()):
            digest.update(f"{path} {content}\n".encode())
        return digest.hexdigest()[:_VERSION_LENGTH]


@dataclass(frozen=True, slots=True)
class DuplicateCoverage:
    """A class that two pages cover: the file of the later, and of the first."""

    wnid: str
    file: Path
    first: Path

    @property
    def sentence(self) -> str:
        return f"{self.wnid} is covered here and in {self.first.name}; leave it in one of them."


def load_guide(folder: Path) -> Guide:
    """Read every page in the folder; its README and REVIEW are about the guide and no pages."""
    texts = {file: read_page_file(file, folder=folder) for file in page_files(folder)}
    pages = {file: parse_page(text, slug=file.stem, file=file) for file, text in texts.items()}
    _refuse_duplicate_coverage(pages, texts)
    return Guide(tuple(pages.values()), _pictures(texts.values(), folder))


def _pictures(texts: Iterable[str], folder: Path) -> dict[str, str]:
    """The hashes of the picture files that lie in the folder and that pages name."""
    read = folder_picture_loader(folder)
    named = dict.fromkeys(path for text in texts for path in named_pictures(text))
    found = {path: content for path in named if (content := read(path)) is not None}
    return {path: picture_hash(content) for path, content in found.items()}


def page_files(folder: Path) -> list[Path]:
    """The files of the guide's pages, ordered by slug."""
    if not folder.is_dir():
        raise InputError("There is no such folder of guide pages.", file=folder)
    files = (file for file in folder.glob("*.md") if file.name not in _NOT_PAGES)
    return sorted(files, key=lambda file: file.stem)


def read_page_file(file: Path, *, folder: Path) -> str:
    """The text of a page that is in the folder, or a sentence about why it can't be one."""
    if not _SLUG.fullmatch(file.stem):
        raise InputError(
            "A page's file name is made of small letters, digits and single hyphens.", file=file
        )
    if file.is_symlink() and not _is_inside(file, folder):
        raise InputError("The page is a link that leads out of the guide's folder.", file=file)
    if not file.is_file():
        raise InputError("The page is not a file that can be read.", file=file)
    try:
        return _decode(file.read_bytes(), file=file)
    except OSError as error:
        raise EnvironmentFault(f"{file} can't be read: {error.strerror}.") from error


def _is_inside(file: Path, folder: Path) -> bool:
    # realpath answers for a circle of links, where Path.resolve raises on some Python versions.
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def _decode(content: bytes, *, file: Path) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = normalize_newlines(content[: error.start].decode("utf-8", "replace")).count("\n") + 1
        raise InputError("The page is not text in UTF-8.", file=file, line=line) from None


def _refuse_duplicate_coverage(pages: dict[Path, GuidePage], texts: dict[Path, str]) -> None:
    for cover in find_duplicate_coverage(pages):
        raise InputError(
            cover.sentence,
            file=cover.file,
            line=find_line(cover.wnid, texts[cover.file]),
        )


def find_duplicate_coverage(pages: Mapping[Path, GuidePage]) -> Iterator[DuplicateCoverage]:
    """Every class that a page covers although an earlier one does."""
    covered: dict[str, Path] = {}
    for file, page in pages.items():
        for wnid in page.wnids:
            first = covered.setdefault(wnid, file)
            if first != file:
                yield DuplicateCoverage(wnid, file=file, first=first)


def find_line(words: str, text: str) -> int | None:
    """The first line of a page's text that has the words."""
    lines = normalize_newlines(text).split("\n")
    return next((number for number, line in enumerate(lines, start=1) if words in line), None)


# More pages than any guide has: of a guide that is read again only what changed is parsed.
_CACHED_PAGES = 1024


def guide_from_texts(
    texts: Mapping[str, str], pictures: Mapping[str, str] = MappingProxyType({})
) -> Guide:
    """The guide of these pages by slug, in the order of a folder, with its pictures' hashes.

    They were sound when they were published: one that this program no longer accepts is shown as
    far as it goes, since it must not take all the others away.
    """
    return Guide(tuple(_page(slug, texts[slug]) for slug in sorted(texts)), dict(pictures))


@lru_cache(maxsize=_CACHED_PAGES)
def _page(slug: str, text: str) -> GuidePage:
    try:
        return parse_page(text, slug=slug, file=f"{slug}.md")
    except InputError:
        return parse_page_leniently(text, slug=slug)
