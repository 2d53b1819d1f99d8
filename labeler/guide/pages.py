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

# Files about the guide that are not pages.
_NOT_PAGES = frozenset({"README.md", "REVIEW.md"})
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_VERSION_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Guide:
    """All pages of a guide by slug, and the hashes of the picture files that they show."""

    pages: tuple[GuidePage, ...]
    pictures: Mapping[str, str] = field(default_factory=dict)

    def page_for(self, wnid: str) -> GuidePage | None:
        """Return the page that covers the class, or None."""
        return next((page for page in self.pages if wnid in page.wnids), None)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return every pair of classes that a page distinguishes, sorted."""
        rows = (row for page in self.pages for row in page.distinctions)
        return tuple(sorted({row.pair for row in rows}))

    @property
    def look_alikes(self) -> frozenset[tuple[str, str]]:
        """The pairs of classes that can be taken for each other."""
        rows = (row for page in self.pages for row in page.distinctions)
        return frozenset(row.pair for row in rows if row.are_look_alikes)

    @property
    def version(self) -> str:
        """A short hash of all pages and pictures, which changes with any of them."""
        digest = hashlib.sha256()
        for page in sorted(self.pages, key=lambda page: page.slug):
            digest.update(f"{page.slug} {page.digest}\n".encode())
        for path, content in sorted(self.pictures.items()):
            digest.update(f"{path} {content}\n".encode())
        return digest.hexdigest()[:_VERSION_LENGTH]


@dataclass(frozen=True, slots=True)
class DuplicateCoverage:
    """A class that two pages cover: the files of the later and the first page."""

    wnid: str
    file: Path
    first: Path

    @property
    def sentence(self) -> str:
        return f"{self.wnid} is covered here and in {self.first.name}; remove it from one of them."


def load_guide(folder: Path) -> Guide:
    """Read every page in the folder, except its README and REVIEW."""
    texts = {file: read_page_file(file, folder=folder) for file in page_files(folder)}
    pages = {file: parse_page(text, slug=file.stem, file=file) for file, text in texts.items()}
    _refuse_duplicate_coverage(pages, texts)
    return Guide(tuple(pages.values()), _pictures(texts.values(), folder))


def _pictures(texts: Iterable[str], folder: Path) -> dict[str, str]:
    """Return the hashes of the picture files in the folder that pages refer to."""
    read = folder_picture_loader(folder)
    named = dict.fromkeys(path for text in texts for path in named_pictures(text))
    found = {path: content for path in named if (content := read(path)) is not None}
    return {path: picture_hash(content) for path, content in found.items()}


def page_files(folder: Path) -> list[Path]:
    """Return the files of the guide's pages, ordered by slug."""
    if not folder.is_dir():
        raise InputError("The folder of the guide doesn't exist.", file=folder)
    files = (file for file in folder.glob("*.md") if file.name not in _NOT_PAGES)
    return sorted(files, key=lambda file: file.stem)


def is_page_slug(slug: str) -> bool:
    """Return whether a page can have this name, which is also that of its file."""
    return _SLUG.fullmatch(slug) is not None


def read_page_file(file: Path, *, folder: Path) -> str:
    """Return the text of a page in the folder, or raise an error that says what is wrong."""
    if not is_page_slug(file.stem):
        raise InputError(
            "The file name of a page may only have a-z, 0-9 and single hyphens.", file=file
        )
    if file.is_symlink() and not _is_inside(file, folder):
        raise InputError(
            "The page is a symbolic link to a file outside the guide's folder.", file=file
        )
    if not file.is_file():
        raise InputError("The page is not a regular file.", file=file)
    try:
        return _decode(file.read_bytes(), file=file)
    except OSError as error:
        raise EnvironmentFault(f"{file} can't be read: {error.strerror}.") from error


def _is_inside(file: Path, folder: Path) -> bool:
    # realpath accepts a loop of links, where Path.resolve raises on some Python versions.
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def _decode(content: bytes, *, file: Path) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = normalize_newlines(content[: error.start].decode("utf-8", "replace")).count("\n") + 1
        raise InputError("The page is not UTF-8 text.", file=file, line=line) from None


def _refuse_duplicate_coverage(pages: dict[Path, GuidePage], texts: dict[Path, str]) -> None:
    for cover in find_duplicate_coverage(pages):
        raise InputError(
            cover.sentence,
            file=cover.file,
            line=find_line(cover.wnid, texts[cover.file]),
        )


def find_duplicate_coverage(pages: Mapping[Path, GuidePage]) -> Iterator[DuplicateCoverage]:
    """Yield every class of a page that an earlier page already covers."""
    covered: dict[str, Path] = {}
    for file, page in pages.items():
        for wnid in page.wnids:
            first = covered.setdefault(wnid, file)
            if first != file:
                yield DuplicateCoverage(wnid, file=file, first=first)


def find_line(words: str, text: str) -> int | None:
    """Return the first line of a page's text that contains the words, or None."""
    lines = normalize_newlines(text).split("\n")
    return next((number for number, line in enumerate(lines, start=1) if words in line), None)


# More than any guide has: when a guide is reloaded, only changed pages are parsed again.
_CACHED_PAGES = 1024


def guide_from_texts(
    texts: Mapping[str, str], pictures: Mapping[str, str] = MappingProxyType({})
) -> Guide:
    """Return the guide with these pages by slug, and the hashes of its pictures.

    All pages were valid when published. A page that this version of the program rejects is shown as
    far as possible, so that the other pages stay available.
    """
    return Guide(tuple(_page(slug, texts[slug]) for slug in sorted(texts)), dict(pictures))


@lru_cache(maxsize=_CACHED_PAGES)
def _page(slug: str, text: str) -> GuidePage:
    try:
        return parse_page(text, slug=slug, file=f"{slug}.md")
    except InputError:
        return parse_page_leniently(text, slug=slug)
