"""Pages that lie in the study's folder, brought into the guide's history when they say news."""

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

# A page may claim any version in its folder; beyond this it counts from one again.
_LARGEST_CLAIM = 9_999
_FIRST = "As it lay in the study's folder."
_CHANGED = "Changed by hand in the study's folder."
_PICTURE = "A picture was changed by hand in the study's folder."
_MERGED = "The change made in the study's folder, merged with what was written here."
_KEPT = "Kept, since the change made in the study's folder disagrees with it."


@dataclass(frozen=True, slots=True)
class FolderPage:
    """A page's text as it is in the folder with its picture files, or why it can't be read."""

    slug: str
    text: str = ""
    fault: str = ""
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FolderReport:
    """What of the folder needs a person: pages that can't be read, and changes set aside.

    A change by hand that disagrees with what was written in the program is a version of its page,
    followed by the one that it disagrees with: nothing is lost, and nothing is overwritten.
    """

    faults: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()


def read_folder(folder: StudyFolder) -> tuple[FolderPage, ...]:
    """Every page in the study's folder; a folder without a guide has none."""
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
    """Make a version of each page that says something new, merged with what was written since."""
    return _FolderImport(study).take(pages)


class _FolderImport:
    """One look through the folder, within a transaction."""

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
        """A picture that no one has seen yet makes a version of the page that shows it."""
        for page in pages:
            versions = self._known[page.slug]
            head = versions[-1]
            lying = {path: picture_hash(content) for path, content in page.pictures.items()}
            shown = {p: h for p, h in lying.items() if p in named_pictures(head.text)}
            seen = {(p, h) for version in versions for p, h in version.pictures.items()}
            new = {p: h for p, h in shown.items() if p in head.pictures and (p, h) not in seen}
            # A page from before pictures were kept, or whose file came later, gets it now.
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
            claimed = parsed.version if parsed.version <= _LARGEST_CLAIM else 1
            self._append(page, page.text, number=claimed, comment=_FIRST)
            return
        base, head = _written_from(page.text, versions), versions[-1]
        number = head.number + 1
        as_it_lies = with_version(page.text, number)
        self._append(page, as_it_lies, number=number, base=base.number, comment=_CHANGED)
        if head is not base:
            self._bring_together(page, base, head)

    def _bring_together(self, page: FolderPage, base: PageVersion, head: PageVersion) -> None:
        """Add the merged text after the folder's; where they disagree, what was there before."""
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
        lying = {path: picture_hash(content) for path, content in page.pictures.items()}
        self._keep(page, lying)
        shown = {**before, **lying}
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
    """The version that someone most likely had before them: the likest, of equals the oldest.

    An older one can only make a merge ask more; a newer one could overrule without a question.
    """
    lines = text.split("\n")

    def likeness(version: PageVersion) -> tuple[float, int]:
        other = version.text.split("\n")
        return SequenceMatcher(None, other, lines, autojunk=False).ratio(), -version.number

    return max(versions, key=likeness)


def copy_to_folder(folder: StudyFolder, version: PageVersion) -> None:
    """Write the page to its file; the study has it already, so a disk that refuses is no fault."""
    with suppress(EnvironmentFault):
        write_atomically(folder.guide / f"{version.slug}.md", version.text.encode())


def copy_pictures(folder: StudyFolder, pictures: Mapping[str, bytes]) -> None:
    """Write picture files by their paths inside the guide."""
    inside = os.path.realpath(folder.guide)
    for path, content in pictures.items():
        file = folder.guide / path
        # A folder that became a link since must not lead the file out of the guide.
        if Path(os.path.realpath(file.parent)).is_relative_to(inside):
            with suppress(EnvironmentFault):
                write_atomically(file, content)


def remove_from_folder(folder: StudyFolder, slug: str) -> None:
    """Take away the file of a page that is no longer in the guide."""
    with suppress(OSError):
        (folder.guide / f"{slug}.md").unlink(missing_ok=True)


def refresh_folder(
    folder: StudyFolder,
    pages: Sequence[FolderPage],
    heads: Mapping[str, PageVersion],
    retired: Collection[str] = (),
) -> None:
    """Bring files up to date that lag behind: a crash, or another machine, came between.

    A file that can't be read or isn't sound is left for a person to fix.
    """
    for lying in pages:
        if lying.slug in retired and not lying.fault:
            remove_from_folder(folder, lying.slug)
    found = {page.slug: page for page in pages}
    for slug, head in heads.items():
        page = found.get(slug)
        if page is None or (not page.fault and page.text != head.text):
            copy_to_folder(folder, head)


def shown_pictures(pages: Mapping[str, PageVersion]) -> dict[str, str]:
    """The hash of each picture by path; of two pages with the same path the later one counts."""
    shown: dict[str, str] = {}
    for page in sorted(pages.values(), key=lambda page: (page.at, page.slug)):
        shown.update(page.pictures)
    return shown


def store_pictures(
    study: Transaction, text: str, files: PictureLoader, before: Mapping[str, str]
) -> dict[str, str]:
    """Keep what the text shows as it is in the folder; what doesn't lie there stays as before."""
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
    """What the folder lacks of the pictures that the guide shows, or has in an older state."""
    lying = {path: picture_hash(c) for page in pages for path, c in page.pictures.items()}
    outdated = {p: hashed for p, hashed in shown_pictures(heads).items() if lying.get(p) != hashed}
    found = {path: study.guide.picture(hashed) for path, hashed in outdated.items()}
    return {path: content for path, content in found.items() if content is not None}
