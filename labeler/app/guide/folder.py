"""Import pages from the study's folder into the guide's history when they changed."""

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, LabelerError
from labeler.core.guide.page_versions import PageOrigin, PageVersion
from labeler.guide.page import GuidePage, normalize_newlines, parse_page
from labeler.guide.page_text import equal_except_version, with_version
from labeler.guide.pages import guide_from_texts, page_files, read_page_file
from labeler.guide.picture_files import (
    PictureLoader,
    folder_picture_loader,
    named_pictures,
    picture_hash,
)
from labeler.guide.three_way_merge import merge_pages
from labeler.images.atomic_write import write_atomically
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import Transaction

# A page may claim any version number; larger ones start at 1 again.
_MAX_CLAIMED_VERSION = 9_999
IMPORTED_COMMENT = "Imported from the study's folder."
_CHANGED = "Edited in the study's folder."
_PICTURE = "A picture was replaced in the study's folder."
_MERGED = "The edit in the study's folder, merged with edits made here."
_KEPT = "Restored, because the edit in the study's folder conflicts with it."


@dataclass(frozen=True, slots=True)
class FolderPage:
    """The text and picture files of a page in the folder, or why it can't be read."""

    slug: str
    text: str = ""
    fault: str = ""
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FolderReport:
    """What in the folder needs attention: unreadable pages and conflicting edits.

    A conflicting edit becomes a version of its page, followed by the version it conflicts with:
    nothing is lost or overwritten.
    """

    faults: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()


def read_folder(folder: StudyFolder) -> tuple[FolderPage, ...]:
    """Return every page in the study's folder; none if it has no guide."""
    try:
        files = page_files(folder.guide)
    except InputError:
        return ()
    pages = []
    for file in files:
        try:
            text = normalize_newlines(read_page_file(file, folder=folder.guide))
            pages.append(FolderPage(file.stem, text, pictures=_files_of(text, folder)))
        except LabelerError as error:
            pages.append(FolderPage(file.stem, fault=str(error)))
    return tuple(pages)


def _files_of(text: str, folder: StudyFolder) -> dict[str, bytes]:
    read = folder_picture_loader(folder.guide)
    return {path: found for path in named_pictures(text) if (found := read(path)) is not None}


def import_folder_pages(study: Transaction, pages: Sequence[FolderPage]) -> FolderReport:
    """Add a version for each changed page, merged with edits made in the program."""
    return _FolderImport(study).take(pages)


class _FolderImport:
    """One import of the folder, in a transaction."""

    def __init__(self, study: Transaction) -> None:
        self._study = study
        self._known = study.guide.all_versions()
        self._covered: dict[str, str] = {}
        self._faults: list[str] = []
        self._set_aside: list[str] = []

    def take(self, pages: Sequence[FolderPage]) -> FolderReport:
        news = [page for page in pages if self._is_news(page)]
        if news:
            self._learn_coverage()
        for page in news:
            try:
                self._take(page)
            except InputError as error:
                self._faults.append(str(error))
        self._take_pictures([page for page in pages if page not in news and not page.fault])
        return FolderReport(tuple(self._faults), tuple(self._set_aside))

    def _is_news(self, page: FolderPage) -> bool:
        if page.fault:
            self._faults.append(page.fault)
            return False
        versions = self._known.get(page.slug, [])
        return not any(equal_except_version(page.text, version.text) for version in versions)

    def _take_pictures(self, pages: Sequence[FolderPage]) -> None:
        """Add a version for pages with a new picture."""
        for page in pages:
            versions = self._known[page.slug]
            head = versions[-1]
            hashes = {path: picture_hash(content) for path, content in page.pictures.items()}
            shown = {p: h for p, h in hashes.items() if p in named_pictures(head.text)}
            seen = {(p, h) for version in versions for p, h in version.pictures.items()}
            new = {p: h for p, h in shown.items() if p in head.pictures and (p, h) not in seen}
            # Versions from before pictures were stored, or whose file came later, get it now.
            self._keep(page, late := {p: h for p, h in shown.items() if p not in head.pictures})
            self._study.guide.attach_pictures(page.slug, head.number, late)
            if new and not head.retired:
                self._keep(page, new)
                self._append_shown(head, {**head.pictures, **late, **new})

    def _keep(self, page: FolderPage, hashes: Mapping[str, str]) -> None:
        for path, hashed in hashes.items():
            self._study.guide.store_picture(hashed, page.pictures[path])

    def _append_shown(self, head: PageVersion, pictures: Mapping[str, str]) -> None:
        number = head.number + 1
        self._study.guide.append(
            head.slug,
            number=number,
            text=with_version(head.text, number),
            author=None,
            origin=PageOrigin.FOLDER,
            base=head.number,
            comment=_PICTURE,
            pictures=pictures,
        )

    def _learn_coverage(self) -> None:
        newest = {
            slug: versions[-1].text
            for slug, versions in self._known.items()
            if not versions[-1].retired
        }
        for page in guide_from_texts(newest).pages:
            self._cover(page)

    def _cover(self, page: GuidePage) -> None:
        for wnid in page.wnids:
            other = self._covered.setdefault(wnid, page.slug)
            if other != page.slug:
                raise InputError(
                    f"{wnid} is covered here and in {other}.md; leave it in one of them.",
                    file=f"{page.slug}.md",
                )

    def _take(self, page: FolderPage) -> None:
        parsed = parse_page(page.text, slug=page.slug, file=f"{page.slug}.md")
        self._cover(parsed)
        versions = self._known.get(page.slug, [])
        if not versions:
            claimed = parsed.version if parsed.version <= _MAX_CLAIMED_VERSION else 1
            self._append(page, page.text, number=claimed, comment=IMPORTED_COMMENT)
            return
        base, head = _written_from(page.text, versions), versions[-1]
        number = head.number + 1
        folder_text = with_version(page.text, number)
        self._append(page, folder_text, number=number, base=base.number, comment=_CHANGED)
        if head is not base:
            self._merge(page, base, head)

    def _merge(self, page: FolderPage, base: PageVersion, head: PageVersion) -> None:
        """Append the merged text, or in case of a conflict the previous text again."""
        number = head.number + 2
        merged = merge_pages(base.text, mine=page.text, theirs=head.text)
        text = with_version(head.text if merged.conflicts else merged.text(), number)
        if merged.conflicts:
            self._set_aside.append(page.slug)
        comment, origin = (
            (_KEPT, PageOrigin.RESTORE) if merged.conflicts else (_MERGED, PageOrigin.MERGE)
        )
        parse_page(text, slug=page.slug, file=f"{page.slug}.md")
        self._append(page, text, number=number, base=head.number, comment=comment, origin=origin)

    def _append(
        self,
        page: FolderPage,
        text: str,
        *,
        number: int,
        comment: str,
        base: int | None = None,
        origin: PageOrigin = PageOrigin.FOLDER,
    ) -> None:
        versions = self._known.get(page.slug, [])
        before = dict(versions[-1].pictures) if versions else {}
        hashes = {path: picture_hash(content) for path, content in page.pictures.items()}
        self._keep(page, hashes)
        shown = {**before, **hashes}
        self._study.guide.append(
            page.slug,
            number=number,
            text=text,
            author=None,
            origin=origin,
            base=base,
            comment=comment,
            pictures={path: shown[path] for path in named_pictures(text) if path in shown},
        )


def _written_from(text: str, versions: Sequence[PageVersion]) -> PageVersion:
    """Return the version that the text was most likely edited from; the oldest of equals.

    An older version only makes a merge ask more; a newer one could silently overrule changes.
    """
    lines = text.split("\n")

    def similarity(version: PageVersion) -> tuple[float, int]:
        other = version.text.split("\n")
        return SequenceMatcher(None, other, lines, autojunk=False).ratio(), -version.number

    return max(versions, key=similarity)


def copy_to_folder(folder: StudyFolder, version: PageVersion) -> None:
    """Write the page to its file; errors are ignored, because the database has the page."""
    with suppress(EnvironmentFault):
        write_atomically(folder.guide / f"{version.slug}.md", version.text.encode())


def copy_pictures(folder: StudyFolder, pictures: Mapping[str, bytes]) -> None:
    """Write picture files to their paths inside the guide."""
    inside = os.path.realpath(folder.guide)
    for path, content in pictures.items():
        file = folder.guide / path
        # A folder that was replaced by a link must not redirect the file out of the guide.
        if Path(os.path.realpath(file.parent)).is_relative_to(inside):
            with suppress(EnvironmentFault):
                write_atomically(file, content)


def remove_from_folder(folder: StudyFolder, slug: str) -> None:
    """Delete the file of a page that is no longer in the guide."""
    with suppress(OSError):
        (folder.guide / f"{slug}.md").unlink(missing_ok=True)


def refresh_folder(
    folder: StudyFolder,
    pages: Sequence[FolderPage],
    heads: Mapping[str, PageVersion],
    retired: Collection[str] = (),
) -> None:
    """Update outdated files, after a crash or a change on another machine.

    A file that can't be read or isn't valid is left for the user to fix.
    """
    for in_folder in pages:
        if in_folder.slug in retired and not in_folder.fault:
            remove_from_folder(folder, in_folder.slug)
    found = {page.slug: page for page in pages}
    for slug, head in heads.items():
        page = found.get(slug)
        if page is None or (not page.fault and page.text != head.text):
            copy_to_folder(folder, head)


def shown_pictures(pages: Mapping[str, PageVersion]) -> dict[str, str]:
    """Return the hash of each picture by path; of two pages with the same path the later counts."""
    shown: dict[str, str] = {}
    for page in sorted(pages.values(), key=lambda page: (page.at, page.slug)):
        shown.update(page.pictures)
    return shown


def store_pictures(
    study: Transaction, text: str, files: PictureLoader, before: Mapping[str, str]
) -> dict[str, str]:
    """Store the pictures of the text from the folder; missing files keep their earlier picture."""
    found: dict[str, str] = {}
    for path in named_pictures(text):
        content = files(path)
        if content is not None:
            found[path] = picture_hash(content)
            study.guide.store_picture(found[path], content)
        elif path in before:
            found[path] = before[path]
    return found


def outdated_pictures(
    study: Transaction, pages: Sequence[FolderPage], heads: Mapping[str, PageVersion]
) -> dict[str, bytes]:
    """Return the pictures of the guide that are missing or outdated in the folder."""
    in_folder = {path: picture_hash(c) for page in pages for path, c in page.pictures.items()}
    outdated = {
        p: hashed for p, hashed in shown_pictures(heads).items() if in_folder.get(p) != hashed
    }
    found = {path: study.guide.picture(hashed) for path, hashed in outdated.items()}
    return {path: content for path, content in found.items() if content is not None}
