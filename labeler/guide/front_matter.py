"""The front matter of a page: TOML between two `+++` lines."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any

from labeler.core.errors import InputError

FRONT_MATTER_FENCE = "+++"
_KEYS = ("wnids", "title", "version", "status", "sources")
_SOURCE_KEYS = ("title", "url", "read")
_WNID = re.compile(r"n[0-9]{8}")
_TOML_LINE = re.compile(r"\(at line ([0-9]+),")


class PageStatus(Enum):
    """Whether the traits on the page were checked against a source."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class PageSource:
    """A text that the page's author read, with its address and the date of reading."""

    title: str
    url: str | None = None
    read: date | None = None


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The checked contents of a page's front matter."""

    wnids: tuple[str, ...]
    title: str
    version: int
    status: PageStatus
    sources: tuple[PageSource, ...]


def split_front_matter(text: str, *, file: Path | str) -> tuple[list[str], list[str]]:
    """Split a page into the lines of its front matter and of its body."""
    lines = text.rstrip("\n").split("\n")
    if lines[0].rstrip() != FRONT_MATTER_FENCE:
        raise InputError(
            f"A page must start with a line {FRONT_MATTER_FENCE}, its front matter and another "
            f"line {FRONT_MATTER_FENCE}.",
            file=file,
            line=1,
        )
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == FRONT_MATTER_FENCE:
            return lines[1:number], lines[number + 1 :]
    raise InputError(
        f"The front matter has no closing line {FRONT_MATTER_FENCE}.", file=file, line=len(lines)
    )


def parse_front_matter(lines: Sequence[str], *, file: Path | str) -> FrontMatter:
    """Parse and check the lines of the front matter, which start at line 2 of the file."""
    return _FrontMatterParser(lines, file).read()


class _FrontMatterParser:
    """Checks the front matter and locates the line of each error."""

    def __init__(self, lines: Sequence[str], file: Path | str) -> None:
        self._lines = lines
        self._file = file
        self._values = self._load()

    def read(self) -> FrontMatter:
        self._check_keys()
        status = self._status()
        return FrontMatter(
            wnids=self._wnids(),
            title=self._title(),
            version=self._version(),
            status=status,
            sources=self._sources(status),
        )

    def _load(self) -> dict[str, Any]:
        try:
            return tomllib.loads("\n".join(self._lines))
        except RecursionError:
            raise self._error("The front matter is nested too deeply.", line=1) from None
        except ValueError as error:
            # ValueError, the base of TOMLDecodeError, is also raised for numbers with too many
            # digits.
            found = _TOML_LINE.search(str(error))
            line = int(found.group(1)) + 1 if found else len(self._lines) + 1
            raise self._error(f"The front matter is not valid TOML: {error}.", line=line) from None

    def _check_keys(self) -> None:
        for key in self._values:
            if key not in _KEYS:
                known = ", ".join(_KEYS)
                raise self._error(
                    f"The key “{key}” is unknown; use {known}.", line=self._line_of(key)
                )
        for key in _KEYS:
            if key not in self._values:
                raise self._error(f"The key “{key}” is missing from the front matter.", line=1)

    def _wnids(self) -> tuple[str, ...]:
        values = self._values["wnids"]
        if not isinstance(values, list) or not values:
            raise self._error("“wnids” must list at least one class.", line=self._line_of("wnids"))
        for index, wnid in enumerate(values):
            if not isinstance(wnid, str) or not _WNID.fullmatch(wnid):
                raise self._error(
                    f"{wnid!r} is not a wnid; use the letter n and eight digits.",
                    line=self._line_of_wnid(wnid),
                )
            if wnid in values[:index]:
                raise self._error(f"{wnid} is listed twice.", line=self._line_of_wnid(wnid))
        return tuple(values)

    def _title(self) -> str:
        title = self._values["title"]
        if not isinstance(title, str) or not title.strip() or "\n" in title:
            raise self._error("“title” must be one line of text.", line=self._line_of("title"))
        return title.strip()

    def _version(self) -> int:
        version = self._values["version"]
        if type(version) is not int or version < 1:
            raise self._error(
                "“version” must be a whole number of at least 1.", line=self._line_of("version")
            )
        return version

    def _status(self) -> PageStatus:
        try:
            return PageStatus(self._values["status"])
        except ValueError:
            allowed = " or ".join(f"“{status.value}”" for status in PageStatus)
            raise self._error(
                f"“status” must be {allowed}.", line=self._line_of("status")
            ) from None

    def _sources(self, status: PageStatus) -> tuple[PageSource, ...]:
        values = self._values["sources"]
        if not isinstance(values, list):
            raise self._error("“sources” must be a list.", line=self._line_of("sources"))
        if not values and status is PageStatus.VERIFIED:
            raise self._error("A verified page must name a source.", line=self._line_of("sources"))
        return tuple(self._source(value) for value in values)

    def _source(self, value: object) -> PageSource:
        if isinstance(value, str) and value.strip():
            return PageSource(value.strip())
        if isinstance(value, dict) and _is_source(value):
            return PageSource(**value)
        raise self._error(
            "A source must be a text, or a table with a title and optionally "
            "a url (http or https) and the date it was read.",
            line=self._line_of("sources"),
        )

    def _error(self, problem: str, *, line: int) -> InputError:
        return InputError(problem, file=self._file, line=line)

    def _line_of(self, key: str) -> int:
        start = re.compile(rf"[\s\[\"']*{re.escape(key)}(?!\w)")
        return next((number for number, line in self._numbered() if start.match(line)), 1)

    def _line_of_wnid(self, wnid: object) -> int:
        quoted = (f'"{wnid}"', f"'{wnid}'")
        matching = (n for n, line in self._numbered() if any(text in line for text in quoted))
        return next(matching, self._line_of("wnids"))

    def _numbered(self) -> Iterator[tuple[int, str]]:
        return enumerate(self._lines, start=2)


def _is_source(value: dict[str, object]) -> bool:
    title, url, read = (value.get(key) for key in _SOURCE_KEYS)
    return (
        set(value) <= set(_SOURCE_KEYS)
        and isinstance(title, str)
        and bool(title.strip())
        and (url is None or (isinstance(url, str) and url.startswith(("http://", "https://"))))
        and (read is None or type(read) is date)
    )
